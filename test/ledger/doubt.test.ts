import { describe, expect, it } from "vitest";
import type { CheckEntry, Entry, RulingEntry } from "../../generator/entries/entry.ts";
import { FIRST_EPOCH, check, crowd, named, slotAt, snapshot, tell, type Fact } from "./story.ts";

/* How long an observation that was refused must be repeated, and how alike, before it is the truth (design §5). */

const accepted = (...entries: Entry[]) => tell(...entries).outcomes.map((outcome) => outcome.accepted);
const times = (count: number, from = 1) => Array.from({ length: count }, (_, index) => from + index);
const refused = (count: number) => Array<boolean>(count).fill(false);

const ten = crowd(10);
const seven = ten.slice(0, 7);
const first = snapshot(0, ten);

describe("a list without the small ones", () => {
  // One has all the stake that counts, so that the others can come and go without it.
  const withWhale = (others: number): Fact[] => [
    { name: "whale", stake: 1_000_000_000_000n },
    ...crowd(others, { stake: 0n }),
  ];
  const hundred = snapshot(0, withWhale(99));

  it("is refused under 80 % of the rows, also with all of the stake", () => {
    expect(accepted(hundred, check(1, withWhale(78)))).toEqual([true, false]);
    expect(accepted(hundred, check(1, withWhale(79)))).toEqual([true, true]);
  });

  it("is not the same one when it has other rows each time, with the same stake", () => {
    const flickering = times(30).map((minute) => check(minute, withWhale(minute % 2 === 0 ? 70 : 65)));
    expect(accepted(hundred, ...flickering)).toEqual([true, ...refused(30)]);
  });

  it("is still the same one when a single row more is missing", () => {
    const shrinking = times(11).map((minute) => check(minute, withWhale(minute < 6 ? 70 : 69)));
    expect(accepted(hundred, ...shrinking)).toEqual([true, ...refused(10), true]);
  });
});

describe("ten observations that agree", () => {
  it("are needed for a smaller set, however long nine of them take", () => {
    const slow = times(10).map((count) => check(count * 3, seven));
    expect(accepted(first, ...slow)).toEqual([true, ...refused(9), true]);
  });

  it("of a restarted cluster rise: slots that fall are nodes behind, one after the other", () => {
    const falling = times(30).map((minute) => check(minute, ten, { slot: slotAt(0) - minute * 100 }));
    expect(accepted(first, ...falling)).toEqual([true, ...refused(30)]);
  });

  it("without a commission have it missing for as many, not for others each time", () => {
    const blind = (count: number) => ten.map((fact, index) => ({ ...fact, bps: index < count ? null : 500 }));
    const flickering = times(30).map((minute) => check(minute, blind(minute % 2 === 0 ? 5 : 9)));
    expect(accepted(first, ...flickering)).toEqual([true, ...refused(30)]);
  });

  it("never make a list of nothing the truth", () => {
    expect(accepted(first, ...times(30).map((minute) => check(minute, [])))).toEqual([true, ...refused(30)]);
  });

  it("are counted anew after one that shows the whole set, though it is refused for its slot", () => {
    const entries = times(11).map((minute) => (minute === 6 ? check(minute, ten, { slot: 1 }) : check(minute, seven)));
    expect(accepted(first, ...entries, check(12, seven))).toEqual([true, ...refused(12)]);
  });

  it("are counted anew after one that an operator accepts", () => {
    const whole = named(check(6, ten));
    const ruling: RulingEntry = {
      kind: "ruling",
      format: 1,
      network: "mainnet",
      time: new Date(Date.parse(whole.entry.time) - 1).toISOString(),
      ruledAt: whole.entry.time,
      subject: { of: "observation", key: whole.name },
      verdict: "accept",
      reason: "the list is whole",
    };
    const entries = times(12).map((minute) => (minute === 6 ? whole.entry : check(minute, seven)));
    const outcomes = accepted(first, ...entries.slice(0, 5), ruling, ...entries.slice(5));
    expect(outcomes).toEqual([true, ...refused(5), true, true, ...refused(6)]);
  });
});

describe("an epoch", () => {
  const inEpoch = (entry: CheckEntry, epoch: number): CheckEntry => ({ ...entry, epoch });
  const lie = (minute: number) => ({ ...snapshot(minute, ten), epoch: FIRST_EPOCH + 900 });

  it("may begin a few slots after the last observation of the one before", () => {
    const before = check(119.99, ten, { slot: slotAt(120) - 3 });
    expect(accepted(first, before, check(120.01, ten, { slot: slotAt(120) + 2 }))).toEqual([true, true, true]);
  });

  it("that a false one stands above is believed also when it ends meanwhile", () => {
    const truth = times(11, 115).map((minute) => check(minute, ten));
    expect(accepted(lie(114), ...truth)).toEqual([true, ...refused(10), true]);
  });

  it("that is another each time never is", () => {
    const lies = times(30).map((minute) => inEpoch(check(minute, ten), FIRST_EPOCH + (minute % 2) * 7));
    expect(accepted(lie(0), ...lies)).toEqual([true, ...refused(30)]);
  });
});
