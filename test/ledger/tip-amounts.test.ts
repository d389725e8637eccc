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

const panelAt = (size: number, minute: number, sides: Partial<SnapshotEntry> = {}) =>
  tipSnapshot(
    minute,
    all<TipReading>(
      size,
      minute < 120 ? { now: 800 } : minute < 240 ? { now: 9500, before: 800 } : { now: 9500, before: 9500 },
    ),
    sides,
  );

const changed = (size: number): Entry[] => [0, 130, 131].map((minute) => panelAt(size, minute));

const telling = (minute: number, ...said: TipAmount[]) =>
  panelAt(said.length, minute, { tipAmounts: tipAmountsOf(minute, EPOCH, ...said) });

function heldAfter(...told: SnapshotEntry[]): string {
  const size = told[0]?.panel.length ?? 0;
  const { ledger } = foldStory(...changed(size), ...told);
  expect(ledger.events).toHaveLength(1);
  const held = ledger.tipAmounts.get(EPOCH)?.get(ledger.validatorIndexes.get(keyOf("A"))!)?.amount ?? null;
  const cost = ledger.events[0]?.mevCost ?? null;
  expect(cost === null ? null : { lamports: cost.tips, isSettled: cost.isSettled }).toEqual(held);
  return held === null ? "unknown" : `${held.lamports}${held.isSettled ? " settled" : ""}`;
}

describe("the tips of an epoch that runs", () => {
  it.each<[string, TipAmount[], string]>([
    ["one alone tells", [70n], "70"],
    ["are what a majority reaches, each at a slot of its own", [70n, 72n, 71n], "71"],
    ["are no more where one of three tells more", [70n, 71n, 1_000_000n], "71"],
    ["are no less where one of three tells less", [70n, 71n, 0n], "70"],
    ["are what two of three tell while one is silent", [70n, "silent", 72n], "70"],
    ["nobody knows by one of three", [70n, "silent", null], "unknown"],
    ["are what three of four reach", [90n, 91n, 70n, 71n], "71"],
    ["are the lesser of two", [70n, 72n], "70"],
    ["nobody knows by one of two", [70n, "silent"], "unknown"],
    ["are never settled, whatever all say", all<TipAmount>(3, "70 settled"), "unknown"],
    ["nobody knows where nobody finds an account", all<TipAmount>(3, "absent"), "unknown"],
  ])("%s", (_, said, held) => {
    expect(heldAfter(telling(140, ...said))).toBe(held);
  });

  it("only grow", () => {
    expect(heldAfter(telling(140, 70n, 70n, 70n), telling(150, 80n, 81n, 82n))).toBe("81");
    expect(heldAfter(telling(140, 70n, 70n, 70n), telling(150, 1n, 2n, 3n))).toBe("70");
  });

  it("are what one of two tells, when the other was silent for three minutes", () => {
    expect(heldAfter(telling(140, 70n, "silent"), telling(150, 71n, "silent"))).toBe("71");
  });
});

describe("the tips of an epoch that has ended", () => {
  const before = telling(140, 70n, 70n, 70n);

  it.each<[string, TipAmount[], string]>([
    ["are settled when a majority tells the same sum", ["75 settled", "75 settled", 75n], "75 settled"],
    ["are settled below what was read before", ["60 settled", "60 settled", "silent"], "60 settled"],
    ["are not settled by one of three", ["1000000 settled", 75n, 75n], "75"],
    ["are not settled by three sums", ["75 settled", "76 settled", "77 settled"], "76"],
    ["stay what was read before while nobody answers", all<TipAmount>(3, "silent"), "70"],
    ["stay what was read before if the account is closed", all<TipAmount>(3, "absent"), "70"],
    ["grow while there is no root", [75n, 75n, 75n], "75"],
  ])("%s", (_, said, held) => {
    expect(heldAfter(before, telling(250, ...said))).toBe(held);
  });

  it("are settled by one reading, not by words of several, and then final", () => {
    const sole = telling(250, "75 settled", 75n, "silent");
    const other = telling(260, "silent", "75 settled", "silent");
    const both = telling(270, "75 settled", "75 settled", "silent");
    expect(heldAfter(before, sole, other)).toBe("75");
    expect(heldAfter(before, sole, other, both)).toBe("75 settled");
    expect(heldAfter(before, both, telling(280, ...all<TipAmount>(3, "99 settled")))).toBe("75 settled");
  });

  it("stay unknown where a majority finds no account, whatever is told later", () => {
    const closed = telling(250, "absent", "absent", 75n);
    expect(heldAfter(closed, telling(260, ...all<TipAmount>(3, "75 settled")))).toBe("unknown");
  });

  it("are told by another reading where one of three finds no account", () => {
    expect(heldAfter(telling(250, "absent", 75n, 75n))).toBe("75");
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
    expect(askedAfter(150, ...story, telling(140, 70n, "silent", "silent"))).toEqual([EPOCH]);
    // The story begins at 10:00.
    expect(askedAfter(179, ...story, telling(140, 70n, 70n, 70n))).toEqual([]);
    expect(askedAfter(180, ...story, telling(140, 70n, 70n, 70n))).toEqual([EPOCH]);
  });

  it("are asked for until they are settled, for five epochs at most", () => {
    const read = [...story, telling(140, 70n, 70n, 70n)];
    expect(askedAfter(250, ...read)).toEqual([EPOCH]);
    expect(askedAfter(250, ...read, telling(245, ...all<TipAmount>(3, "75 settled")))).toEqual([]);
    expect(askedAfter(6 * 120 + 119, ...read)).toEqual([EPOCH]);
    expect(askedAfter(7 * 120, ...read)).toEqual([]);
  });

  it("are not asked for again once a majority found none", () => {
    expect(askedAfter(260, ...story, telling(250, "absent", "absent", 75n))).toEqual([]);
  });

  it("are none of a change to disabled, or back, and its cost stays unknown", () => {
    const none = all<TipReading>(3, { now: 9500 });
    const told = [
      tipSnapshot(0, all<TipReading>(3, { now: 800 })),
      ...[125, 230].map((minute) => tipSnapshot(minute, all<TipReading>(3, { before: 800 }))),
      tipSnapshot(247, none),
      tipSnapshot(250, none, { tipAmounts: tipAmountsOf(250, EPOCH, ...all<TipAmount>(3, "75 settled")) }),
    ];
    expect(eventsOf(...told)).toEqual(["MEV INFO 800→disabled in 1", "MEV CAUTION disabled→9500 in 2"]);
    expect(foldStory(...told).ledger.events.map(({ mevCost }) => mevCost)).toEqual([null, null]);
    expect(askedAfter(260, ...told)).toEqual([]);
  });
});
