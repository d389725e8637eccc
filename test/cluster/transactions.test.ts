import { describe, expect, it } from "vitest";
import { encodeSignature, isSigned } from "../../generator/chain/transaction.ts";
import type { VoteChange } from "../../generator/chain/vote-changes.ts";
import {
  ask,
  decodeVoteAccount,
  EPOCH_MILLISECONDS,
  makeCluster,
  STARTS_AT,
  timeAt,
} from "./_cluster.ts";
import {
  ANY_VERSION,
  changesOf,
  get,
  list,
  type SignatureRow,
  toTransaction,
} from "./_transactions.ts";
import { FIRST_EPOCH } from "./options.ts";

const EPOCHS = 4;
const SLOTS_PER_EPOCH = 43_200;
/** The honest endpoint, after all epochs. */
const ASKED = { at: timeAt(EPOCHS) - 1, endpoint: "second" } as const;
const VOTE_PROGRAM = "Vote111111111111111111111111111111111111111";

const cluster = makeCluster({ validators: 60, hiddenFlips: true, slotsPerEpoch: SLOTS_PER_EPOCH });
const voters = cluster.members.filter(
  ({ life, layout }) => life.role === "normal" && layout === "v4",
);
const authorityIn = (member: (typeof voters)[number], ordinal: number) =>
  cluster.authorities.at(member, { ordinal, slotIndex: SLOTS_PER_EPOCH - 1 }).address;
const ordinals = Array.from({ length: EPOCHS }, (_, ordinal) => ordinal);

/** Each vote account as getMultipleAccounts shows it after a slot. */
function readHeld(slot: number) {
  const { ordinal, slotIndex } = cluster.calendar.momentOfSlot(slot);
  const params = [voters.map(({ vote }) => vote.address), { encoding: "base64" }];
  const asked = { at: cluster.calendar.timeOf(ordinal, slotIndex) };
  const { value } = ask<{ value: { data: [string] }[] }>(
    cluster,
    "getMultipleAccounts",
    params,
    asked,
  );
  return new Map(
    voters.map(({ vote }, place) => {
      const { withdrawAuthority, inflationCollector, basisPoints, blockRevenueCommission } =
        decodeVoteAccount(Buffer.from(value[place]!.data[0], "base64"));
      // More is stored, and paid as this.
      const inflationCommission = Math.min(10_000, basisPoints);
      return [
        vote.address,
        { withdrawAuthority, inflationCollector, inflationCommission, blockRevenueCommission },
      ];
    }),
  );
}

/** What the searches for all authorities bring: oldest first, each transaction once. */
function search(authorities: ReadonlySet<string>): SignatureRow[] {
  const rows = new Map<string, SignatureRow>();
  for (const authority of authorities) {
    let page: SignatureRow[] = [];
    do {
      const config = page.length === 0 ? {} : { before: page.at(-1)?.signature };
      page = list(cluster, authority, config, ASKED).result;
      for (const row of page) rows.set(row.signature, row);
    } while (page.length === 1000);
  }
  const place = ({ slot, transactionIndex = 0 }: SignatureRow) => slot * 100_000 + transactionIndex;
  return [...rows.values()].sort((one, other) => place(one) - place(other));
}

const firstSlot = cluster.calendar.firstSlotOf(FIRST_EPOCH);
const held = readHeld(firstSlot);
const found = search(
  new Set([
    ...voters.flatMap((member) => ordinals.map((ordinal) => authorityIn(member, ordinal))),
    ...[...held.values()].map(({ withdrawAuthority }) => withdrawAuthority),
  ]),
).map((row) => {
  const reply = get(cluster, row.signature, ANY_VERSION, ASKED).result!;
  return { row, reply, transaction: toTransaction(reply), changes: changesOf(reply) };
});

describe("the transactions of the story", () => {
  it("are signed by all who must, and are known by the first signature", () => {
    expect(found.length).toBeGreaterThan(EPOCHS * 250);
    for (const { row, reply, transaction } of found) {
      expect(isSigned(transaction)).toBe(true);
      expect(encodeSignature(transaction.signatures[0]!)).toBe(row.signature);
      expect(transaction.message.length).toBeLessThan(1232 - 65);
      expect(reply.meta.err).toEqual(row.err);
    }
  });

  it("change exactly what the accounts show, slot by slot, by their authorities", () => {
    const changing = found.filter(({ changes }) => changes.length > 0);
    let count = 0;
    for (const [slot, some] of Map.groupBy(changing, ({ row }) => row.slot)) {
      if (slot > firstSlot) expect(readHeld(slot - 1)).toEqual(held);
      const before = new Map(
        [...held].map(([vote, { inflationCommission }]) => [vote, inflationCommission]),
      );
      for (const { changes } of some.filter(({ row }) => row.err === null))
        changes.forEach(carryOut);
      expect(readHeld(slot)).toEqual(held);
      count += [...held].filter(
        ([vote, { inflationCommission }]) => inflationCommission !== before.get(vote),
      ).length;
    }
    expect(count).toBe(
      ordinals.flatMap((ordinal) => cluster.commissions.changesOf(ordinal)).length,
    );
    expect(count).toBeGreaterThan(EPOCHS * 10);
  });

  it("come in all forms: versions, inner and failed ones, several accounts or changes at once, and several in a slot", () => {
    const votes = found.flatMap(({ transaction: { instructions, keys } }) =>
      instructions.filter(({ program }) => keys[program] === VOTE_PROGRAM),
    );
    const tags = new Set(votes.map(({ data }) => Buffer.from(data).readUInt32LE(0)));
    expect(tags).toEqual(new Set([1, 5, 14, 17, 18]));
    expect(new Set(found.map(({ reply }) => reply.version))).toEqual(new Set(["legacy", 0, 1]));
    expect(found.some(({ transaction }) => transaction.loadedCount > 0)).toBe(true);
    expect(found.some(({ reply }) => reply.meta.innerInstructions.length > 0)).toBe(true);
    const updates = found.flatMap(({ row, changes }) => {
      const votes = changes
        .filter(({ change }) => "basisPoints" in change)
        .map(({ voteAccount }) => voteAccount);
      return votes.length === 0
        ? []
        : [{ row, votes: votes.length, accounts: new Set(votes).size }];
    });
    expect(updates.some(({ row }) => row.err !== null)).toBe(true);
    expect(updates.some(({ accounts }) => accounts > 1)).toBe(true);
    expect(updates.some(({ votes, accounts }) => votes > accounts)).toBe(true);
    expect(new Set(updates.map(({ row }) => row.slot)).size).toBeLessThan(updates.length);
  });

  it("have authorities of every role in the smallest cluster, of whom one hands over to another", () => {
    const { commissions } = makeCluster({ validators: 12, hiddenFlips: true });
    const changing = ordinals.flatMap((ordinal) => commissions.changesOf(ordinal));
    const roles = new Set(["own", "shared", "program", "successor", "busy", "identity", "settler"]);
    expect(new Set(changing.map(({ member }) => member.authority.role))).toEqual(roles);
    const successor = voters.find(({ authority }) => authority.role === "successor")!;
    const last = authorityIn(successor, EPOCHS - 1);
    expect(authorityIn(successor, 0)).not.toBe(last);
    const heldLast = readHeld(cluster.at(timeAt(EPOCHS) - 1).moment.slot);
    expect(heldLast.get(successor.vote.address)?.withdrawAuthority).toBe(last);
  });
});

it("some accounts share the block revenue: at one rate, by transactions, or changed by none", () => {
  const shared = makeCluster({ validators: 200, stakeAccounts: 1200 });
  const votes = shared.members.filter(({ layout }) => layout === "v4");
  const ratesAt = (ordinal: number) => {
    const asked = { at: timeAt(ordinal) + EPOCH_MILLISECONDS / 2 };
    return votes.map(({ vote }) => {
      const params = [[vote.address], { encoding: "base64" }];
      const { value } = ask<{ value: ({ data: [string] } | null)[] }>(
        shared,
        "getMultipleAccounts",
        params,
        asked,
      );
      return value[0]
        ? decodeVoteAccount(Buffer.from(value[0].data[0], "base64")).blockRevenueCommission
        : null;
    });
  };
  const [early, later] = [4, 5].map(ratesAt);
  const changes = votes.flatMap(({ authority, life }, place) => {
    const [from, to] = [early![place], later![place]];
    return from === to || from === null || to === null
      ? []
      : [`${authority.role} ${life.role} ${from} → ${to}`];
  });
  expect(new Set(changes)).toEqual(
    new Set(["settler normal 5000 → 10000", "busy normal 10000 → 1250", "own silent 7550 → 10000"]),
  );
  const steady = later!.filter((rate) => rate !== null && ![10_000, 1250].includes(rate));
  expect(steady.length).toBeGreaterThan(2);
  expect(steady.length).toBeLessThan(20);
});

/** What whoever is no authority signs changes nothing, and fails the test. */
function carryOut({ voteAccount, authorities, change }: VoteChange): void {
  const account = held.get(voteAccount);
  if (account === undefined)
    throw new Error(`A transaction changes ${voteAccount}, which nobody holds`);
  expect(authorities).toContain(account.withdrawAuthority);
  if (change.of === "withdrawal") return;
  Object.assign(account, { [change.of]: "to" in change ? change.to : change.basisPoints });
}

describe("hidden flips", () => {
  const isAmbusher = ({ commission }: (typeof voters)[number]) => commission.role === "ambusher";
  const ambushed = makeCluster({ hiddenFlips: true });
  const vote = ambushed.members.find(isAmbusher)!.vote.address;
  const rateAt = (time: number) =>
    ambushed.at(time).validators.find(({ votePubkey }) => votePubkey === vote)?.basisPoints;

  it("stand at the end of every epoch, and no poll of any second sees them", () => {
    for (let ordinal = 1; ordinal <= EPOCHS; ordinal++)
      expect(rateAt(timeAt(ordinal) - 1)).toBe(10_000);
    for (let time = timeAt(1) - 60_000; time <= timeAt(1) + 60_000; time += 1000)
      expect(rateAt(time)).toBe(300);
    for (let time = STARTS_AT; time <= timeAt(2); time += EPOCH_MILLISECONDS / 1440)
      expect(rateAt(time)).toBe(300);
  });

  it("are in no story that does not ask for them", () => {
    expect(makeCluster().members.some(isAmbusher)).toBe(false);
  });
});
