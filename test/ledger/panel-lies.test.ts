import { describe, expect, it } from "vitest";
import type { Entry } from "../../generator/entries/entry.ts";
import { checkBy, confirmBy, levelAt, type Said, snapshotBy } from "./panel-story.ts";
import {
  crowd,
  eventsOf,
  FIRST_EPOCH,
  keyOf,
  slotAt,
  SLOTS_IN_EPOCH,
  tell,
  validatorOf,
  withA,
  type Fact,
} from "./story.ts";

const minutes = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, index) => from + index);
const rugOfA = `COMMISSION RUG 500→10000 in 0 of ${keyOf("A").slice(0, 4)}`;

/** Checks in turns, each with a second reading of A. */
function inTurns(
  [from, to]: [number, number],
  witnesses: number,
  { facts, said }: { facts: (by: number) => Fact[]; said: Said[] },
): Entry[] {
  return minutes(from, to).flatMap((minute) => [
    checkBy(minute, facts(minute % witnesses), { by: minute % witnesses, slots: levelAt(minute, witnesses) }),
    confirmBy(minute + 0.1, "A", said),
  ]);
}

describe("the slot of a change", () => {
  it("is that of the account that showed it: the newest vote of a list lies below what the list shows", () => {
    const changed = slotAt(1) + 1;
    const list = checkBy(1, withA({ bps: 10_000 }), { by: 0, slots: levelAt(1, 1), slot: slotAt(1) - 2 });
    const told = tell(
      snapshotBy(0, withA({}), { by: 0, slots: levelAt(0, 1) }),
      list,
      confirmBy(1.1, "A", [10_000], [changed + 3]),
    );
    expect(told.ledger.events).toMatchObject([{ slot: changed + 3, previousSlot: slotAt(0), createdAt: list.time }]);
  });

  it("is, of two witnesses, one by which both showed it: one of them may know of it early", () => {
    const told = tell(
      snapshotBy(0, withA({}), { by: 0, slots: levelAt(0, 2) }),
      checkBy(1, withA({ bps: 10_000 }), { by: 1, slots: levelAt(1, 2) }),
      confirmBy(1.1, "A", [500, 10_000]),
      confirmBy(2.1, "A", [10_000, 10_000]),
    );
    expect(told.ledger.events).toMatchObject([{ slot: slotAt(2.1) }]);
  });
});

describe("of two witnesses one alone", () => {
  const begin = snapshotBy(0, withA({}), { by: 0, slots: levelAt(0, 2) });
  const lies = (by: number) => withA(by === 1 ? { bps: 10_000 } : {});

  it("decides when the other has been silent for three minutes", () => {
    const entries = minutes(1, 5).flatMap((minute) => [
      checkBy(minute, withA({ bps: 10_000 }), { by: 1, slots: [null, slotAt(minute)] }),
      confirmBy(minute + 0.1, "A", ["failed", 10_000]),
    ]);
    expect(eventsOf(tell(begin, ...entries.slice(0, 6)))).toEqual([]);
    expect(eventsOf(tell(begin, ...entries))).toEqual([rugOfA]);
  });

  it("decides nothing while to the other there is no such account", () => {
    const entries = inTurns([1, 12], 2, { facts: (by) => (by === 1 ? lies(by) : crowd(9)), said: ["absent", 10_000] });
    expect(eventsOf(tell(begin, ...entries))).toEqual([]);
  });

  it("decides nothing while the other's list lacks the account, though its accounts cannot be read", () => {
    const entries = inTurns([1, 12], 2, { facts: (by) => (by === 1 ? lies(by) : crowd(9)), said: ["failed", 10_000] });
    expect(eventsOf(tell(begin, ...entries))).toEqual([]);
  });

  it("decides nothing because the other's answers are of slots that it has said are past", () => {
    const ahead = (minute: number) => slotAt(minute) + 140;
    const first = snapshotBy(0, withA({}), { by: 1, slots: [slotAt(0), ahead(0)], slot: ahead(0) });
    const entries = minutes(1, 8).map((tenth) =>
      confirmBy(tenth / 2, "A", [500, 10_000], [slotAt(0) + tenth, ahead(tenth / 2)]),
    );
    expect(eventsOf(tell(first, ...entries))).toEqual([]);
  });

  it("settles no first value while the other can be asked", () => {
    const alone = minutes(1, 8).map((minute) => checkBy(minute, withA({}), { by: 1, slots: levelAt(minute, 2) }));
    const first = snapshotBy(0, withA({}), { by: 1, slots: levelAt(0, 2), accounts: [] });
    expect(validatorOf(tell(first, ...alone), "A").inflationSettled).toBe(false);
    const silent = checkBy(9, withA({}), { by: 1, slots: [null, slotAt(9)] });
    expect(validatorOf(tell(first, ...alone, silent), "A").inflationSettled).toBe(true);
  });

  it("dates no change while they tell of different epochs", () => {
    const other = { epoch: FIRST_EPOCH + 3 };
    const entries = minutes(1, 6).flatMap((minute) => [
      checkBy(minute, withA({ bps: 10_000 }), {
        by: minute % 2,
        slots: levelAt(minute, 2),
        ...(minute % 2 === 1 && other),
      }),
      confirmBy(minute + 0.1, "A", [10_000, 10_000]),
    ]);
    expect(eventsOf(tell(begin, ...entries))).toEqual([]);
  });
});

describe("of three witnesses one that lies", () => {
  const facts = crowd(11);
  const honest = (minute: number) => checkBy(minute, facts, { by: 1 + (minute % 2), slots: levelAt(minute, 3) });
  const outcomesOf = (...entries: Entry[]) => tell(...entries).outcomes.map(({ accepted }) => accepted);

  it("cannot let an epoch begin later than the one before ends", () => {
    const end = slotAt(0) + SLOTS_IN_EPOCH;
    const late = { epoch: FIRST_EPOCH + 1, absoluteSlot: slotAt(121), slotIndex: slotAt(121) - end - 93 };
    const told = tell(
      ...[0, 1, 2].map((by) => snapshotBy(110 + by, facts, { by, slots: levelAt(110 + by, 3) })),
      checkBy(121, facts, { by: 0, slots: levelAt(121, 3), ...late }),
      honest(122),
    );
    expect(told.outcomes.map(({ accepted }) => accepted)).toEqual([true, true, true, false, true]);
    expect(told.ledger.epochs.at(-1)).toMatchObject({ epoch: FIRST_EPOCH + 1, firstSlot: end });
  });

  it("is believed from the first for as long only as the others have not been read", () => {
    const shifted = { absoluteSlot: slotAt(10), slotIndex: slotAt(10) - slotAt(0) - 90 };
    const told = tell(
      snapshotBy(10, facts, { by: 0, slots: levelAt(10, 3), ...shifted }),
      honest(11),
      honest(12),
      honest(13),
    );
    expect(told.outcomes.map(({ accepted }) => accepted)).toEqual([true, false, true, true]);
    expect(told.ledger.epochs).toMatchObject([{ epoch: FIRST_EPOCH, firstSlot: slotAt(0) }]);
    const rich = snapshotBy(10, crowd(11, { stake: 9_000_000_000n }), { by: 0, slots: levelAt(10, 3) });
    expect(outcomesOf(rich, honest(11), honest(12), honest(13))).toEqual([true, false, true, true]);
  });

  it("dates no change by an epoch that nobody else has told, and the others deny", () => {
    const liar = snapshotBy(10, withA({}), { by: 0, slots: levelAt(10, 3), epoch: FIRST_EPOCH + 3 });
    const changed = (minute: number, by: number) =>
      checkBy(minute, withA({ bps: 10_000 }), { by, slots: levelAt(minute, 3) });
    const asked = (minute: number) => confirmBy(minute + 0.1, "A", [10_000, 10_000, 10_000]);
    const entries = [liar, changed(11, 1), asked(11), changed(12, 2), asked(12), changed(13, 1), asked(13)];
    expect(eventsOf(tell(...entries.slice(0, 3)))).toEqual([]);
    expect(eventsOf(tell(...entries))).toEqual([rugOfA]);
  });

  it("does not keep the others' smaller set from being believed within a quarter of an hour", () => {
    const smaller = (minute: number) => {
      const by = minute % 3;
      return checkBy(minute, crowd(by === 0 ? 3 + (minute % 2) * 3 : 7), { by, slots: levelAt(minute, 3) });
    };
    const begin = [0, 1, 2].map((by) => snapshotBy(by, facts, { by, slots: levelAt(by, 3) }));
    const accepted = outcomesOf(...begin, ...minutes(3, 15).map(smaller));
    expect(accepted.slice(3)).toEqual(minutes(3, 15).map((minute) => minute >= 14 && minute % 3 !== 0));
  });
});

it("a small set to which one account comes is the same one", () => {
  const smaller = (minute: number) =>
    checkBy(minute, crowd(minute < 8 ? 6 : 7, { stake: minute < 8 ? 7_000_000_000n : 6_000_000_000n }), {
      by: 0,
      slots: levelAt(minute, 1),
    });
  const told = tell(
    snapshotBy(0, crowd(11, { stake: 7_000_000_000n }), { by: 0, slots: levelAt(0, 1) }),
    ...minutes(1, 11).map(smaller),
  );
  expect(told.outcomes.map(({ accepted }) => accepted)).toEqual([true, ...Array<boolean>(10).fill(false), true]);
});
