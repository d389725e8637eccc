import { describe, expect, it } from "vitest";
import type { Entry, SnapshotEntry } from "../../generator/entries/entry.ts";
import { FIRST_EPOCH } from "../story/clock.ts";
import { foldStory } from "../story/fold.ts";
import { snapshotBy } from "../story/observations.ts";
import { tipsOf, tipAmountsOf, type TipAmount } from "../story/tips.ts";
import { keyOf, withA } from "../story/validators.ts";
import { all } from "../story/witnesses.ts";
import { read } from "./read.ts";
import { expectTouchedToSuffice } from "./rendered.ts";

const EPOCH = FIRST_EPOCH + 1;

interface Change {
  from: number;
  to: number;
  stake: bigint;
}

/**
 * A's change in the second epoch, minutes 120 to 240,
 * and what three witnesses then tell of its tips.
 */
function story(
  { from, to, stake }: Change,
  ...told: [minute: number, ...said: TipAmount[]][]
): Entry[] {
  const at = (minute: number, before: number, now: number, sides: Partial<SnapshotEntry> = {}) => {
    const tips = tipsOf(
      { minute },
      ...all(3, (name: string, isNow: boolean) => (name !== "A" ? 800 : isNow ? now : before)),
    );
    return snapshotBy(minute, all(3, { list: withA({ stake }) }), { tips, ...sides });
  };
  return [
    at(0, from, from),
    at(130, from, to),
    ...told.map(([minute, ...said]) =>
      at(minute, minute < 240 ? from : to, to, {
        tipAmounts: tipAmountsOf(minute, EPOCH, ...said),
      }),
    ),
  ];
}

function eventsOf(entries: Entry[]) {
  return read(foldStory(...entries).ledger, "validatorEvents", { votePubkey: keyOf("A") }).data;
}

const costOf = (entries: Entry[]) => {
  const [event, ...others] = eventsOf(entries);
  expect([event?.source, event?.cost, others]).toEqual(["MEV", null, []]);
  return event?.mevCost;
};

const RUG = { from: 800, to: 10_000, stake: 2_699_849_676_611_650n };

describe("what a change of MEV commission costs, worked by hand,", () => {
  // 67,276,581,989 × 92 % = 61,894,455,429.88; × 1,000
  // SOL ÷ 2,699,849.67661165 SOL = 22,925,148.7466…
  it("is 92 % of the tips of its epoch from 8 to 100 %", () => {
    expect(costOf(story(RUG, [250, ...all<TipAmount>(3, "67276581989 settled")]))).toEqual({
      lamportsPerEpoch: "61894455430",
      per1000SolLamports: "22925149",
      basis: {
        epoch: EPOCH,
        tips: { lamports: "67276581989", sol: 67.276581989 },
        activeStake: { lamports: "2699849676611650", sol: 2_699_849.67661165 },
        fromCommission: 8,
        toCommission: 100,
        isSettled: true,
        isUpperBound: true,
      },
    });
  });

  // 12,345,678,901 × 10 % = 1,234,567,890.1; ÷ 1.5 = 823,045,260.0667
  it("is less than nothing where the commission falls: 10 to 0 % gives 10 % back", () => {
    const fall = { from: 1000, to: 0, stake: 1_500_000_000_000n };
    expect(costOf(story(fall, [250, ...all<TipAmount>(3, "12345678901 settled")]))).toMatchObject({
      lamportsPerEpoch: "-1234567890",
      per1000SolLamports: "-823045260",
    });
  });

  // 1,000,000,100 × 0.5 % = 5,000,000.5, rounded away from zero;
  // × 1,000 SOL ÷ 400 SOL = 12,500,001.25, not of the rounded.
  it("is rounded once, at its end: 8 to 8.5 %", () => {
    const rise = { from: 800, to: 850, stake: 400_000_000_000n };
    const told = all<TipAmount>(3, "1000000100 settled");
    expect(costOf(story(rise, [250, ...told]))).toMatchObject({
      lamportsPerEpoch: "5000001",
      per1000SolLamports: "12500001",
    });
  });

  it.each([
    [800, 9000, false],
    [800, 9001, true],
    [9001, 800, true],
  ])(
    "is an upper bound where TipRouter's fee can meet the commission: %s to %s",
    (from, to, isUpperBound) => {
      const told = all<TipAmount>(3, "12345678901 settled");
      expect(costOf(story({ ...RUG, from, to }, [250, ...told]))?.basis).toMatchObject({
        isUpperBound,
      });
    },
  );
});

describe("what a change of MEV commission costs", () => {
  const [running, over]: [number, ...TipAmount[]][] = [
    [140, 10_000n, 10_100n, 1_000_000n],
    [250, "20000 settled", "20000 settled", "99000000 settled"],
  ];

  it("is unknown before the tips are, a lower bound while the epoch runs, and settled by the root", () => {
    expect(costOf(story(RUG))).toBeNull();
    expect(costOf(story(RUG, running!))).toMatchObject({
      lamportsPerEpoch: "9292",
      basis: { isSettled: false, tips: { lamports: "10100" } },
    });
    expect(costOf(story(RUG, running!, over!))).toMatchObject({
      lamportsPerEpoch: "18400",
      basis: { isSettled: true },
    });
  });

  it("is told anew wherever it is shown, when nothing else of the change is", () => {
    expectTouchedToSuffice(story(RUG, running!, over!));
  });

  it("is unknown for ever where the account was closed before it was read", () => {
    const closed: [number, ...TipAmount[]] = [250, "absent", "absent", "absent"];
    expect(costOf(story(RUG, closed, [260, ...all<TipAmount>(3, "20000 settled")]))).toBeNull();
  });

  it("is unknown while tips are not read, and where the validator had no stake", () => {
    expect(costOf(story(RUG))).toBeNull();
    expect(costOf(story({ ...RUG, stake: 0n }, running!))).toBeNull();
  });

  it("is no part of what the RUG events of inflation commission cost", () => {
    const { ledger } = foldStory(...story(RUG, running!, over!));
    const row = read(ledger, "rugsPerEpoch", {}).data.find(({ epoch }) => epoch === EPOCH);
    expect(row).toMatchObject({ mevEvents: 1, lamportsLost: "0" });
  });
});
