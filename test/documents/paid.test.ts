import { describe, expect, it } from "vitest";
import type { CheckEntry, SnapshotEntry } from "../../generator/entries/entry.ts";
import { areRewardsDue } from "../../generator/ledger/stake/paid.ts";
import { FIRST_EPOCH, MINUTES_IN_EPOCH } from "../story/clock.ts";
import { foldStory } from "../story/fold.ts";
import { check, snapshot, snapshotBy, type Sides } from "../story/observations.ts";
import { rewardsOf, type Rewarded, type RewardsReading } from "../story/rewards.ts";
import { keyOf, withA } from "../story/validators.ts";
import { all, SILENT } from "../story/witnesses.ts";
import { read } from "./read.ts";
import { expectTouchedToSuffice } from "./rendered.ts";

const CLOSED = FIRST_EPOCH + 2;
/** In the epoch after it. */
const AFTER = 3 * MINUTES_IN_EPOCH + 10;

const A = { votePubkey: keyOf("A") };

/** A at 5 % in each epoch, watched at each end. */
const watched: (CheckEntry | SnapshotEntry)[] = [0, 1, 2].flatMap((epoch) => [
  snapshot(epoch * MINUTES_IN_EPOCH + 1, withA(500)),
  ...[-0.2, 0.2].map((minute) => check((epoch + 1) * MINUTES_IN_EPOCH + minute, withA(500))),
]);

const reading = (rewarded: Rewarded): RewardsReading => ({ A: rewarded });

const told = (minute: number, readings: readonly RewardsReading[], sides: Sides = {}) =>
  snapshotBy(minute, all(readings.length, { list: withA(500) }), {
    rewards: rewardsOf(minute, readings),
    ...sides,
  });

/** What the history says of the closed epoch. */
function paidIn(...entries: SnapshotEntry[]) {
  const { ledger } = foldStory(...watched, ...entries);
  const point = read(ledger, "commissionHistory", A).data.find(({ epoch }) => epoch === CLOSED);
  return [point?.paidCommission, point?.paidCommissionUnknown];
}

describe("the commission that an epoch paid", () => {
  it("stands beside the one that applied", () => {
    const { ledger } = foldStory(...watched, told(AFTER, [reading({})]));
    const { data } = read(ledger, "commissionHistory", A);
    expect(data.find(({ epoch }) => epoch === CLOSED)).toMatchObject({
      appliedCommission: 5,
      paidCommission: 5,
      paidCommissionUnknown: null,
    });
    expect(data.at(-1)).toMatchObject({ paidCommission: null, paidCommissionUnknown: "not_read" });
  });

  it.each<[string, Rewarded, string]>([
    ["the validator earned no credits", { credits: [7n, 7n] }, "no_rewards"],
    ["a witness does not list it", { credits: null }, "not_read"],
    ["no account is left", { stakes: ["gone"] }, "no_account"],
    ["its accounts are small", { stakes: [{ stake: 1_000_000_000n }] }, "too_small"],
    ["its accounts contradict each other", { stakes: [{}, { commission: 7 }] }, "not_read"],
  ])("is not known where %s", (_, rewarded, reason) => {
    // Most are known, so the epoch counts as read.
    const both: RewardsReading = { A: rewarded, "crowd 1": {}, "crowd 2": {} };
    expect(paidIn(told(AFTER, [both]))).toEqual([null, reason]);
  });

  it("is what one of two answers only once the other has given no list for three minutes", () => {
    const alone = [reading({}), "silent"] as const;
    const lists = [{ list: withA(500) }, SILENT];
    const silent = [AFTER, AFTER + 10].map((minute) =>
      snapshotBy(minute, lists, { rewards: rewardsOf(minute, alone) }),
    );
    expect(paidIn(...silent.slice(0, 1))).toEqual([null, "not_read"]);
    expect(paidIn(...silent)).toEqual([5, null]);
    expect(paidIn(told(AFTER, alone), told(AFTER + 10, alone))).toEqual([null, "not_read"]);
  });

  it("is asked for again while a majority agrees for few", () => {
    const few: RewardsReading = { A: {}, "crowd 1": { stakes: ["missing"] } };
    expect(paidIn(told(AFTER, [few]))).toEqual([null, "not_read"]);
    expect(areRewardsDue(foldStory(...watched, told(AFTER, [few])).ledger, CLOSED + 1)).toBe(true);
  });

  it("stays what the first majority answered", () => {
    const later = reading({ stakes: [{ commission: 9000 }] });
    expect(paidIn(told(AFTER, [reading({})]), told(AFTER + 10, [later]))).toEqual([5, null]);
  });

  it("is not taken from an answer about another epoch", () => {
    const early = rewardsOf(AFTER - MINUTES_IN_EPOCH, [reading({})]);
    expect(paidIn(told(AFTER, [reading({})], { rewards: early }))).toEqual([null, "not_read"]);
  });

  it("is read once an epoch, and never under Alpenglow", () => {
    const { ledger } = foldStory(...watched);
    expect(areRewardsDue(ledger, CLOSED + 1)).toBe(true);
    const known = foldStory(...watched, told(AFTER, [reading({})])).ledger;
    expect(areRewardsDue(known, CLOSED + 1)).toBe(false);
    expect(areRewardsDue(known, CLOSED + 2)).toBe(true);
    const migrated = foldStory(...watched, snapshot(AFTER, withA(), { creditsUnit: "lamports" }));
    expect(areRewardsDue(migrated.ledger, CLOSED + 1)).toBe(false);
  });

  it("is asked for again where nobody agreed", () => {
    const disputed = [reading({}), reading({ stakes: [{ commission: 700 }] })];
    const { ledger } = foldStory(...watched, told(AFTER, disputed));
    expect(areRewardsDue(ledger, CLOSED + 1)).toBe(true);
  });

  it("touches all documents that show it", () => {
    expectTouchedToSuffice([...watched, told(AFTER, [reading({})])]);
  });
});
