import { createHash } from "node:crypto";
import { describe, expect, it } from "vitest";
import { HOSTILE_TEXTS } from "../../../infra/demo/cluster/chain/info-accounts.ts";
import {
  PRIORITY_FEE_PROGRAMS,
  TIP_PROGRAMS,
  toDistributionAddress,
} from "../../../infra/demo/cluster/chain/distribution-accounts.ts";
import { decodePublicKey, encodePublicKey } from "../../../generator/chain/public-key.ts";
import { FIRST_EPOCH, makeCluster, timeAt } from "./story.ts";

const cluster = makeCluster();
const { moment, validators } = cluster.at(timeAt(3.5));

function dataOf(address: string): Buffer {
  const account = cluster.accounts.at(address, moment, null);
  if (account === null) throw new Error(`no account ${address}`);
  return account.data;
}

describe("vote accounts", () => {
  it("of all three layouts carry identity, withdrawer and commission where the layout has them", () => {
    const layouts = new Set<string>();
    for (const { votePubkey, identity, basisPoints, member } of validators) {
      const data = dataOf(votePubkey);
      layouts.add(member.layout);
      expect(encodePublicKey(data.subarray(4, 36))).toBe(identity);
      expect(encodePublicKey(data.subarray(36, 68))).toBe(cluster.authorities.at(member, moment).address);
      const version = data.readUInt32LE(0);
      expect(version).toBe({ "v1.14.11": 1, v3: 2, v4: 3 }[member.layout]);
      expect(data.length).toBe(version === 1 ? 3731 : 3762);
      if (version !== 3) expect(data.readUInt8(68) * 100).toBe(basisPoints);
      else expect(data.readUInt16LE(132)).toBe(basisPoints);
    }
    expect(layouts).toEqual(new Set(["v1.14.11", "v3", "v4"]));
  });
});

describe("tip accounts", () => {
  const program = TIP_PROGRAMS.mainnet!;
  const runner = cluster.members.find(({ mev, life }) => mev.role === "fixed" && life.role === "normal")!;

  it("lie at the address that the program derives, off the curve", () => {
    // Worked out by hand from the rule: the highest bump whose hash is no point decides, so the address is one of 256.
    const seed = Buffer.alloc(8);
    seed.writeBigUInt64LE(BigInt(FIRST_EPOCH));
    const candidates = Array.from({ length: 256 }, (_, bump) =>
      encodePublicKey(
        createHash("sha256")
          .update("TIP_DISTRIBUTION_ACCOUNT")
          .update(runner.vote.bytes)
          .update(seed)
          .update(Uint8Array.of(bump))
          .update(decodePublicKey(program.address))
          .update("ProgramDerivedAddress")
          .digest(),
      ),
    );
    expect(candidates).toContain(toDistributionAddress(runner.vote, FIRST_EPOCH, program));
  });

  it.each([
    { name: "without a root in the running epoch", epoch: FIRST_EPOCH + 3, tag: 0, offset: 81 },
    { name: "with a root in the epoch before", epoch: FIRST_EPOCH + 2, tag: 1, offset: 145 },
  ])("$name have the commission where the optional root leaves it", ({ epoch, tag, offset }) => {
    const data = dataOf(toDistributionAddress(runner.vote, epoch, program));
    const discriminator = createHash("sha256").update("account:TipDistributionAccount").digest().subarray(0, 8);
    expect(data.subarray(0, 8)).toEqual(discriminator);
    expect(encodePublicKey(data.subarray(8, 40))).toBe(runner.vote.address);
    expect(data.readUInt8(72)).toBe(tag);
    expect(data.readBigUInt64LE(offset - 8)).toBe(BigInt(epoch));
    expect(data.readUInt16LE(offset)).toBe(cluster.mev.basisPointsOf(runner, epoch - FIRST_EPOCH));
    expect(data.readBigUInt64LE(offset + 2)).toBe(BigInt(epoch + 10));
    expect(data.length).toBe(176);
  });

  it("are absent before the validator's first block, and of validators that had MEV switched off", () => {
    const early = cluster.at(timeAt(3.001)).moment;
    expect(cluster.accounts.at(toDistributionAddress(runner.vote, FIRST_EPOCH + 3, program), early, null)).toBeNull();
    const off =
      cluster.members.find(
        (member) => member.mev.role === "toggler" && cluster.mev.basisPointsOf(member, 3) === null,
      ) ?? cluster.members.find((member) => member.mev.role === "none")!;
    expect(cluster.accounts.at(toDistributionAddress(off.vote, FIRST_EPOCH + 3, program), moment, null)).toBeNull();
  });
});

describe("accounts of priority fees", () => {
  const program = PRIORITY_FEE_PROGRAMS.mainnet!;
  const runners = cluster.members.filter(({ mev, life }) => mev.role === "fixed" && life.role === "normal");
  const at = (member: (typeof runners)[number]) =>
    cluster.accounts.at(toDistributionAddress(member.vote, FIRST_EPOCH + 3, program), moment, null);

  it("hold the share of those who share, and of nobody else", () => {
    const sharing = runners.filter((member) => at(member) !== null);
    expect(sharing.length).toBeGreaterThan(1);
    expect(sharing.length).toBeLessThan(runners.length);
    for (const member of runners) {
      const told = cluster.mev.priorityFeeBasisPointsOf(member);
      expect(at(member)?.data.readUInt16LE(81) ?? 10_000).toBe(told);
      if (at(member) !== null) expect(at(member)?.owner).toBe(program.address);
    }
  });
});

describe("info accounts", () => {
  const parsed = cluster.accounts.info.map((account) => {
    const { data } = account;
    const identity = data.length < 66 ? null : encodePublicKey(data.subarray(34, 66));
    const length = data.length < 75 ? 0 : Number(data.readBigUInt64LE(67));
    return { ...account, identity, signed: data[66] === 1, text: data.subarray(75, 75 + length).toString() };
  });

  it("carry every hostile text, signed", () => {
    const signed = new Set(parsed.filter((account) => account.signed).map(({ text }) => text));
    for (const text of HOSTILE_TEXTS) expect(signed).toContain(JSON.stringify(text));
  });

  it("include impostors without a signature, second accounts of an identity, and broken ones", () => {
    expect(parsed.some(({ signed, text }) => !signed && text.includes("Official"))).toBe(true);
    const readable = parsed.filter((account) => account.readable && account.signed);
    expect(new Set(readable.map(({ identity }) => identity)).size).toBeLessThan(readable.length);
    const broken = parsed.filter((account) => !account.readable);
    expect(broken.length).toBeGreaterThanOrEqual(4);
    const fatal = new TextDecoder("utf-8", { fatal: true });
    const reads = ({ data }: { data: Buffer }) =>
      JSON.parse(fatal.decode(data.subarray(75, 75 + Number(data.readBigUInt64LE(67))))) as unknown;
    for (const account of broken) expect(() => reads(account)).toThrow();
  });

  it("tell one renamed validator's name under its new identity only", () => {
    const renamers = cluster.members.filter(({ node }) => node.role === "renamer");
    const named = new Set(parsed.filter(({ signed }) => signed).map(({ identity }) => identity));
    const newOnly = renamers.filter(
      ({ identities: [old, renewed] }) => !named.has(old.address) && named.has(renewed.address),
    );
    expect(newOnly.length).toBeGreaterThan(0);
  });
});
