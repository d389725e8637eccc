import { describe, expect, it } from "vitest";
import { decodeTransaction } from "../../generator/chain/transaction.ts";
import { decodePublicKey } from "../../generator/chain/public-key.ts";
import { checkSignature } from "../../public/format/signature.ts";
import { readTransaction } from "../../public/format/transaction.ts";
import { updateCommissionBasisPoints } from "../cluster/transactions/programs.ts";
import type { Version } from "../cluster/transactions/message-layout.ts";
import type { setsA } from "../story/transactions.ts";
import { A, AUTHORITY, execute } from "../story/transactions.ts";

const VERSIONS = ["legacy", 0, 1] as const satisfies readonly Version[];

const toRaw = ({ bytes, signature, slot }: ReturnType<typeof setsA>, commissions: number[]) => ({
  ...{ bytes, signature, slot, commissions },
  signer: AUTHORITY.address,
  verifiedBy: "signature" as const,
});

describe.each(VERSIONS)("a transaction of version %s", (version) => {
  const executed = execute(
    7,
    [10_000, 250].map((rate) => updateCommissionBasisPoints(A, AUTHORITY.address, rate)),
    [AUTHORITY],
    version,
  );
  const raw = toRaw(executed, [100, 2.5]);

  it("is read as the generator reads it", () => {
    const bytes = Buffer.from(executed.bytes, "base64");
    const { signatures, message, keys, instructions } = decodeTransaction(bytes);
    const read = readTransaction(bytes);
    expect(read.signatures.map(toHex)).toEqual(signatures.map(toHex));
    expect(toHex(read.message)).toBe(toHex(message));
    expect(read.keys.map(toHex)).toEqual(keys.map((key) => toHex(decodePublicKey(key))));
    expect(
      read.instructions.map(({ program, accounts, data }) => [program, accounts, toHex(data)]),
    ).toEqual(instructions.map(({ program, accounts, data }) => [program, accounts, toHex(data)]));
  });

  it("is valid, and says who signed which rates", async () => {
    expect(await checkSignature(raw, A)).toMatchObject({
      kind: "valid",
      signer: AUTHORITY.address,
      commissions: [100, 2.5],
    });
  });

  it("is refused after any one byte is changed", async () => {
    const bytes = Buffer.from(executed.bytes, "base64");
    for (let at = 0; at < bytes.length; at++) {
      const changed = Buffer.from(bytes);
      changed.writeUInt8(changed.readUInt8(at) ^ 1, at);
      const finding = await checkSignature({ ...raw, bytes: changed.toString("base64") }, A);
      expect([at, finding.kind]).toEqual([at, "refused"]);
    }
  });

  it.each<[string, Partial<typeof raw>, string]>([
    ["another signature", { signature: "1".repeat(64) }, A],
    ["another signer", { signer: A }, A],
    ["other rates", { commissions: [100] }, A],
    ["another vote account", {}, AUTHORITY.address],
    ["no bytes at all", { bytes: "" }, A],
  ])("is refused where the page tells %s", async (_, told, votePubkey) => {
    expect((await checkSignature({ ...raw, ...told }, votePubkey)).kind).toBe("refused");
  });
});

function toHex(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString("hex");
}
