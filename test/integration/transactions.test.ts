import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { z } from "zod";
import { accountSchema } from "../../generator/observe/accounts.ts";
import { decodeVoteAccount } from "../../generator/observe/vote-account.ts";
import type { Keypair } from "../../generator/demo/signing/keypair.ts";
import type { Instruction } from "../../generator/demo/signing/message.ts";
import { transfer } from "../../generator/demo/signing/other-programs.ts";
import { updateCommission, updateCommissionBasisPoints } from "../../generator/demo/signing/vote-program.ts";
import { createKeypair } from "./keys.ts";
import { createVoteAccount } from "./members.ts";
import { NodeError } from "./rpc.ts";
import { sendAndConfirm } from "./transactions.ts";
import { hasValidator, startValidator, type Validator } from "./validator.ts";
import { withdrawFromVoteAccount } from "./vote-program.ts";

const LAMPORTS = 1_000_000_000n;
const signaturesSchema = z.array(z.object({ signature: z.string(), slot: z.int(), err: z.unknown() }));
const answerSchema = z.object({ value: accountSchema.extend({ lamports: z.int().transform(BigInt) }).nullable() });

describe.skipIf(!hasValidator)("a transaction on a real validator", () => {
  let validator: Validator;
  beforeAll(async () => {
    validator = await startValidator({ slotsPerEpoch: 32 });
  });
  afterAll(() => validator.close());

  /** The faucet pays. */
  const execute = (instructions: Instruction[], keys: Keypair[] = [], version: "legacy" | 0 = "legacy") =>
    sendAndConfirm(validator.ask, { keys: [validator.faucet, ...keys], instructions, version });

  async function readAccount(address: string) {
    const options = { commitment: "finalized", encoding: "base64" };
    return (await validator.ask("getAccountInfo", [address, options], answerSchema)).value;
  }

  async function readBasisPoints(address: string): Promise<number | null> {
    return decodeVoteAccount(await readAccount(address)).basisPoints;
  }

  it("moves lamports, legacy and versioned", async () => {
    const receivers = [createKeypair().address, createKeypair().address];
    const from = validator.faucet.address;
    await Promise.all(
      receivers.map((to, index) =>
        execute([transfer({ from, to, lamports: LAMPORTS })], [], index === 0 ? "legacy" : 0),
      ),
    );
    for (const receiver of receivers) expect(await readAccount(receiver)).toMatchObject({ lamports: LAMPORTS });
  });

  it("changes a commission, and is found by who signed it at the slot in which it did", async () => {
    const { ask, vote } = validator;
    const landed = await execute([updateCommissionBasisPoints(vote.address, vote.address, 525)], [vote]);
    expect(await readBasisPoints(vote.address)).toBe(525);
    const { signature, slot } = await execute([updateCommission(vote.address, vote.address, 7)], [vote], 0);
    expect(await readBasisPoints(vote.address)).toBe(700);
    expect(slot).toBeGreaterThan(landed.slot);
    const found = await ask("getSignaturesForAddress", [vote.address, { limit: 1000 }], signaturesSchema);
    expect(found).toContainEqual({ signature, slot, err: null });
    expect(found).toContainEqual({ ...landed, err: null });
  });

  it("of another than the withdraw authority is refused, and says why", async () => {
    const stranger = createKeypair();
    const change = updateCommissionBasisPoints(validator.vote.address, stranger.address, 10_000);
    const refused = execute([change], [stranger]);
    await expect(refused).rejects.toThrow(NodeError);
    await expect(refused).rejects.toThrow("MissingRequiredSignature");
  });

  it("lacks no signature without saying whose", async () => {
    const stranger = createKeypair();
    const change = updateCommissionBasisPoints(validator.vote.address, stranger.address, 10_000);
    await expect(execute([change])).rejects.toThrow(stranger.address);
  });

  it("closes a vote account and opens it again with another commission", async () => {
    const [vote, node, owner] = [createKeypair(), createKeypair(), createKeypair()];
    const owners = { vote: vote.address, node: node.address, voter: owner.address, withdrawer: owner.address };
    const open = (basisPoints: number) =>
      execute(createVoteAccount(validator.faucet, owners, null, basisPoints), [vote, node]);
    await open(500);
    const { lamports } = (await readAccount(vote.address))!;
    expect(await readBasisPoints(vote.address)).toBe(500);
    const to = validator.faucet.address;
    await execute([withdrawFromVoteAccount({ vote: vote.address, to, withdrawer: owner.address, lamports })], [owner]);
    expect(await readAccount(vote.address)).toBeNull();
    await open(10_000);
    expect(await readBasisPoints(vote.address)).toBe(10_000);
  });
});
