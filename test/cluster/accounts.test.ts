import { createHash } from "node:crypto";
import { describe, expect, it } from "vitest";
import { encodePublicKey } from "../../generator/chain/public-key.ts";
import * as distribution from "./chain/distribution-accounts.ts";
import { HOSTILE_TEXTS } from "./chain/info-accounts.ts";
import { decodeVoteAccount, makeCluster, parseExact, timeAt, U64_MAX } from "./_cluster.ts";
import { FIRST_EPOCH } from "./options.ts";

const cluster = makeCluster({ stakeAccounts: 1003 });
const { moment, validators } = cluster.at(timeAt(3.5));
const accountAt = (address: string, at = moment) => cluster.accounts.at(address, at, null);
const runners = cluster.members.filter(
  ({ mev, life }) => mev.role === "fixed" && life.role === "normal",
);

it("vote accounts of all three layouts carry identity, withdrawer and commission where the layout has them", () => {
  expect(new Set(validators.map(({ member }) => member.layout))).toEqual(
    new Set(["v1.14.11", "v3", "v4"]),
  );
  for (const { votePubkey, identity, basisPoints, member } of validators) {
    const { data } = accountAt(votePubkey)!;
    const withdrawAuthority = cluster.authorities.at(member, moment).address;
    const version = { "v1.14.11": 1, v3: 2, v4: 3 }[member.layout];
    expect(decodeVoteAccount(data)).toMatchObject({
      version,
      identity,
      withdrawAuthority,
      basisPoints,
    });
    expect(data.length).toBe(version === 1 ? 3731 : 3762);
  }
});

describe("tip accounts", () => {
  const program = distribution.TIP_PROGRAMS.mainnet!;
  const [runner] = runners;
  const addressIn = (epoch: number, { vote } = runner!) =>
    distribution.toDistributionAddress(vote, epoch, program);

  it.each([
    { name: "without a root in the running epoch", ordinal: 3, tag: 0, offset: 81 },
    { name: "with a root in the epoch before", ordinal: 2, tag: 1, offset: 145 },
  ])("$name have the commission where the optional root leaves it", ({ ordinal, tag, offset }) => {
    const epoch = FIRST_EPOCH + ordinal;
    const { data } = accountAt(addressIn(epoch))!;
    const discriminator = createHash("sha256")
      .update("account:TipDistributionAccount")
      .digest()
      .subarray(0, 8);
    expect(data.subarray(0, 8)).toEqual(discriminator);
    expect(encodePublicKey(data.subarray(8, 40))).toBe(runner!.vote.address);
    expect([data.readUInt8(72), data.readBigUInt64LE(offset - 8)]).toEqual([tag, BigInt(epoch)]);
    expect(data.readUInt16LE(offset)).toBe(cluster.mev.basisPointsOf(runner!, ordinal));
    expect([data.readBigUInt64LE(offset + 2), data.length]).toEqual([BigInt(epoch + 10), 168]);
  });

  it("are absent before the validator's first block, and of validators that had MEV switched off", () => {
    expect(accountAt(addressIn(FIRST_EPOCH + 3), cluster.at(timeAt(3.001)).moment)).toBeNull();
    const off = cluster.members.find((member) => cluster.mev.basisPointsOf(member, 3) === null)!;
    expect(accountAt(addressIn(FIRST_EPOCH + 3, off))).toBeNull();
  });
});

it("accounts of priority fees hold the share of those who share, and of nobody else", () => {
  const program = distribution.PRIORITY_FEE_PROGRAMS.mainnet!;
  const accounts = runners.map(({ vote }) =>
    accountAt(distribution.toDistributionAddress(vote, FIRST_EPOCH + 3, program)),
  );
  const sharing = accounts.filter((account) => account !== null);
  expect(sharing).toSatisfy(({ length }: unknown[]) => length > 1 && length < runners.length);
  for (const { owner } of sharing) expect(owner).toBe(program.address);
  const shares = accounts.map((account) => account?.data.readUInt16LE(81) ?? 10_000);
  expect(shares).toEqual(runners.map((member) => cluster.mev.priorityFeeBasisPointsOf(member)));
});

describe("info accounts", () => {
  const parsed = cluster.accounts.info.map(({ data, readable }) => ({
    readable,
    signed: data[66] === 1,
    identity: data.length < 66 ? null : encodePublicKey(data.subarray(34, 66)),
    text: data.subarray(75, 75 + (data.length < 75 ? 0 : Number(data.readBigUInt64LE(67)))),
  }));
  const signed = parsed.filter((account) => account.signed);

  it("carry every hostile text, signed", () => {
    const texts = signed.map(({ text }) => text.toString());
    expect(texts).toEqual(
      expect.arrayContaining(HOSTILE_TEXTS.map((text) => JSON.stringify(text))),
    );
  });

  it("include impostors without a signature, second accounts of an identity, and broken ones", () => {
    expect(parsed.some((account) => !account.signed && account.text.includes("Official"))).toBe(
      true,
    );
    const readable = signed.filter((account) => account.readable);
    expect(new Set(readable.map(({ identity }) => identity)).size).toBeLessThan(readable.length);
    const broken = parsed.filter((account) => !account.readable);
    expect(broken.length).toBeGreaterThanOrEqual(4);
    const decoder = new TextDecoder("utf-8", { fatal: true });
    for (const { text } of broken)
      expect(() => JSON.parse(decoder.decode(text)) as unknown).toThrow();
  });

  it("tell one renamed validator's name under its new identity only", () => {
    const named = new Set(signed.map(({ identity }) => identity));
    const renamers = cluster.members.filter(({ node }) => node.role === "renamer");
    const isMoved = ([old, renewed]: (typeof renamers)[number]["identities"]) =>
      !named.has(old.address) && named.has(renewed.address);
    expect(renamers.some(({ identities }) => isMoved(identities))).toBe(true);
  });
});

describe("the stake accounts", () => {
  it("are exactly as many as asked for, each at its own address of 32 bytes", () => {
    const rows = stakeAccountsAt(0.5);
    expect([rows.length, new Set(rows.map(({ pubkey }) => pubkey)).size]).toEqual([1003, 1003]);
    for (const { account } of rows)
      expect(account).toMatchObject({ rentEpoch: U64_MAX, space: 200 });
  });

  it("add up to the active stake of every validator in every epoch", () => {
    for (const position of [0.5, 1.5, 2.5, 3.5]) {
      const totals = totalsAt(position);
      for (const { votePubkey, activatedStake } of cluster.at(timeAt(position)).validators)
        expect(totals.get(votePubkey)?.active).toBe(activatedStake);
    }
  });

  it("become the next epoch's stake: what is active and joins, less what leaves", () => {
    const [now, next] = [totalsAt(1.5), totalsAt(2.5)];
    for (const [voter, { active, activating, deactivating }] of now)
      expect(next.get(voter)?.active).toBe(active + activating - deactivating);
    const moved = [...now.values()].filter(
      ({ activating, deactivating }) => activating > 0n && deactivating > 0n,
    );
    expect(moved.length).toBeGreaterThan(20);
  });
});

function stakeAccountsAt(position: number) {
  const pieces = cluster.stakeProgram.rows(
    cluster.at(timeAt(position)).moment,
    { offset: 124, length: 56 },
    [],
  );
  const text = `[${Buffer.concat([...pieces]).toString()}]`;
  return parseExact(text) as {
    pubkey: string;
    account: { data: [string]; rentEpoch: bigint; space: number };
  }[];
}

/** What each voter's delegations come to in an epoch, by the rule explorers use. */
function totalsAt(position: number) {
  const now = BigInt(cluster.at(timeAt(position)).moment.epoch);
  const totals = new Map<string, { active: bigint; activating: bigint; deactivating: bigint }>();
  for (const { account } of stakeAccountsAt(position)) {
    const data = Buffer.from(account.data[0], "base64");
    const voter = encodePublicKey(data.subarray(0, 32));
    const readAt = (offset: number) => data.readBigUInt64LE(offset);
    const [stake, activation, deactivation] = [readAt(32), readAt(40), readAt(48)];
    const total = totals.get(voter) ?? { active: 0n, activating: 0n, deactivating: 0n };
    totals.set(voter, total);
    if (activation === deactivation && activation !== U64_MAX) continue;
    if (activation === now) total.activating += stake;
    else if ((activation < now || activation === U64_MAX) && deactivation >= now)
      total.active += stake;
    if (deactivation === now && activation < now) total.deactivating += stake;
  }
  return totals;
}
