import { describe, expect, it } from "vitest";
import type { Entry, SnapshotEntry } from "../../generator/entries/entry.ts";
import { tipAmountsToRead } from "../../generator/ledger/tips/tip-amounts.ts";
import { FIRST_EPOCH, timeAt } from "../story/clock.ts";
import { foldStory } from "../story/fold.ts";
import { eventsOf } from "../story/outcome.ts";
import { tipSnapshot, type TipReading, tipAmountsOf, type TipAmount } from "../story/tips.ts";
import { keyOf } from "../story/validators.ts";
import { all } from "../story/witnesses.ts";

/* Of A's rise from 8 to 95 % in the second epoch, minutes 120 to 240. */

const EPOCH = FIRST_EPOCH + 1;

function tipsAt(minute: number): TipReading {
  if (minute < 120) return { now: 800 };
  return { now: 9500, before: minute < 240 ? 800 : 9500 };
}

const panelAt = (size: number, minute: number) => tipSnapshot(minute, all(size, tipsAt(minute)));

const changed = (size: number): Entry[] => [0, 130, 131].map((minute) => panelAt(size, minute));

const reading = (minute: number, ...amounts: TipAmount[]) =>
  tipSnapshot(
    minute,
    amounts.map((one) => (one === "silent" ? one : tipsAt(minute))),
    { tipAmounts: tipAmountsOf(minute, EPOCH, ...amounts) },
  );

function amountAfter(...entries: SnapshotEntry[]): string {
  const size = entries[0]?.panel.length ?? 0;
  const { ledger } = foldStory(...changed(size), ...entries);
  expect(ledger.events).toHaveLength(1);
  const amount =
    ledger.tipAmounts.get(EPOCH)?.get(ledger.validatorIndexes.get(keyOf("A"))!)?.amount ?? null;
  const cost = ledger.events[0]?.mevCost ?? null;
  expect(cost === null ? null : { lamports: cost.tips, isSettled: cost.isSettled }).toEqual(amount);
  return amount === null ? "unknown" : `${amount.lamports}${amount.isSettled ? " settled" : ""}`;
}

describe("the tips of an epoch that runs", () => {
  it.each<[string, SnapshotEntry[], string]>([
    ["are what a majority reaches", [reading(140, 70n, 72n, 71n)], "71"],
    ["are unknown where no majority reaches any", [reading(140, 70n, "silent", null)], "unknown"],
    ["only grow", [reading(140, 70n, 70n, 70n), reading(150, 80n, 81n, 82n)], "81"],
    ["never fall", [reading(140, 70n, 70n, 70n), reading(150, 1n, 2n, 3n)], "70"],
    [
      "are unknown by one of two, the other silent for a moment",
      [reading(140, 70n, "silent")],
      "unknown",
    ],
    [
      "are what one of two answers after three minutes",
      [140, 150].map((at) => reading(at, 71n, "silent")),
      "71",
    ],
  ])("%s", (_, entries, amount) => {
    expect(amountAfter(...entries)).toBe(amount);
  });
});

describe("the tips of an epoch that has ended", () => {
  const before = reading(140, 70n, 70n, 70n);
  const sole = reading(250, "75 settled", 75n, "silent");
  const other = reading(260, "silent", "75 settled", "silent");
  const both = reading(270, "75 settled", "75 settled", "silent");
  const closed = reading(250, "absent", "absent", 75n);

  it.each<[string, SnapshotEntry[], string]>([
    [
      "are settled by a majority, below what was read before",
      [before, reading(250, ...all<TipAmount>(3, "60 settled"))],
      "60 settled",
    ],
    [
      "stay what was read before while nobody answers",
      [before, reading(250, ...all<TipAmount>(3, "silent"))],
      "70",
    ],
    [
      "stay what was read before if the account is closed",
      [before, reading(250, ...all<TipAmount>(3, "absent"))],
      "70",
    ],
    ["grow while there is no root", [before, reading(250, 75n, 75n, 75n)], "75"],
    ["are not settled by two in different readings", [before, sole, other], "75"],
    ["are settled by two in one reading", [before, sole, other, both], "75 settled"],
    [
      "are final once they are settled",
      [before, both, reading(280, ...all<TipAmount>(3, "99 settled"))],
      "75 settled",
    ],
    [
      "stay unknown where a majority finds no account",
      [closed, reading(260, ...all<TipAmount>(3, "75 settled"))],
      "unknown",
    ],
    ["are known where one of three finds no account", [reading(250, "absent", 75n, 75n)], "75"],
  ])("%s", (_, entries, amount) => {
    expect(amountAfter(...entries)).toBe(amount);
  });
});

describe("the tip accounts to read", () => {
  const askedAfter = (minute: number, ...told: Entry[]): number[] => {
    const { ledger } = foldStory(...told);
    const epoch = FIRST_EPOCH + Math.floor(minute / 120);
    const wanted = tipAmountsToRead(ledger, { epoch, now: timeAt(minute) });
    expect(wanted.every(({ vote }) => vote === keyOf("A"))).toBe(true);
    return wanted.map((one) => one.epoch);
  };
  const story = changed(3);

  it("are none without a change", () => {
    expect(askedAfter(0, ...story.slice(0, 2))).toEqual([]);
  });

  it("are that of the change's epoch, in each snapshot until a majority tells an amount, then once an hour", () => {
    expect(askedAfter(140, ...story)).toEqual([EPOCH]);
    expect(askedAfter(150, ...story, reading(140, 70n, "silent", "silent"))).toEqual([EPOCH]);
    // The story begins at 10:00.
    expect(askedAfter(179, ...story, reading(140, 70n, 70n, 70n))).toEqual([]);
    expect(askedAfter(180, ...story, reading(140, 70n, 70n, 70n))).toEqual([EPOCH]);
  });

  it("are asked for until they are settled, for five epochs at most", () => {
    const read = [...story, reading(140, 70n, 70n, 70n)];
    expect(askedAfter(250, ...read)).toEqual([EPOCH]);
    expect(askedAfter(250, ...read, reading(245, ...all<TipAmount>(3, "75 settled")))).toEqual([]);
    expect(askedAfter(6 * 120 + 119, ...read)).toEqual([EPOCH]);
    expect(askedAfter(7 * 120, ...read)).toEqual([]);
  });

  it("are not asked for again once a majority found none", () => {
    expect(askedAfter(260, ...story, reading(250, "absent", "absent", 75n))).toEqual([]);
  });

  it("are none of a change to disabled, or back, and its cost stays unknown", () => {
    const none = all<TipReading>(3, { now: 9500 });
    const entries = [
      tipSnapshot(0, all<TipReading>(3, { now: 800 })),
      ...[125, 230].map((minute) => tipSnapshot(minute, all<TipReading>(3, { before: 800 }))),
      tipSnapshot(247, none),
      tipSnapshot(250, none, {
        tipAmounts: tipAmountsOf(250, EPOCH, ...all<TipAmount>(3, "75 settled")),
      }),
    ];
    expect(eventsOf(...entries)).toEqual([
      "MEV INFO 800→disabled in 1",
      "MEV CAUTION disabled→9500 in 2",
    ]);
    expect(foldStory(...entries).ledger.events.map(({ mevCost }) => mevCost)).toEqual([null, null]);
    expect(askedAfter(260, ...entries)).toEqual([]);
  });
});
