import { describe, expect, it } from "vitest";
import type { CheckEntry, Entry, RulingEntry } from "../../generator/entries/entry.ts";
import { check, crowd, eventsOf, type Fact, FIRST_EPOCH, named, slotAt, snapshot, tell, validatorOf } from "./story.ts";

const ten = crowd(10, { bps: 500 });
const first = snapshot(0, ten);
const accepted = (...entries: Entry[]) => tell(...entries).outcomes.map((outcome) => outcome.accepted);
const minutes = (count: number, from = 1) => Array.from({ length: count }, (_, index) => from + index);

describe("a slot", () => {
  it("that does not rise is refused, with the reason", () => {
    const told = tell(first, check(1, ten, { slot: slotAt(0) }));
    expect(told.outcomes.at(-1)).toEqual({ accepted: false, reason: expect.stringContaining("not above") as string });
    expect(told.ledger.acceptance.refusals).toHaveLength(1);
  });

  it("that rises anew from below for ten minutes is a restarted cluster", () => {
    const restarted = minutes(11).map((minute) => check(minute, ten, { slot: 1000 + minute * 100 }));
    expect(accepted(first, ...restarted)).toEqual([true, ...Array<boolean>(10).fill(false), true]);
  });

  it("that stands still is a stuck node, however often it is heard", () => {
    const stuck = minutes(60).map((minute) => check(minute, ten, { slot: slotAt(0) - 10 }));
    expect(accepted(first, ...stuck).filter(Boolean)).toHaveLength(1);
  });

  it("of a refused observation moves nothing", () => {
    const told = tell(
      first,
      check(1, crowd(10, { bps: 10_000 }), { slot: 5 }),
      check(2, crowd(10, { bps: 10_000 }), { slot: 6 }),
    );
    expect(eventsOf(told)).toEqual([]);
    expect(told.pending).toEqual([]);
  });
});

describe("a smaller set", () => {
  const seven = ten.slice(0, 7);

  it("under 80 % of the rows is refused", () => {
    expect(accepted(first, check(1, seven))).toEqual([true, false]);
    expect(accepted(first, check(1, ten.slice(0, 8)))).toEqual([true, true]);
  });

  it("under 80 % of the stake is refused", () => {
    expect(accepted(first, check(1, crowd(10, { stake: 799_999_999n })))).toEqual([true, false]);
    expect(accepted(first, check(1, crowd(10, { stake: 800_000_000n })))).toEqual([true, true]);
  });

  it("that stays for ten observations over ten minutes is the new reference", () => {
    const shrunk = minutes(12).map((minute) => check(minute, seven));
    expect(accepted(first, ...shrunk)).toEqual([true, ...Array<boolean>(10).fill(false), true, true]);
  });

  it("of ten observations within nine minutes is not", () => {
    const shrunk = minutes(11).map((minute) => check(minute * 0.8, seven));
    expect(accepted(first, ...shrunk).filter(Boolean)).toHaveLength(1);
  });

  it("is forgotten when the whole set answers in between", () => {
    const entries = minutes(15).map((minute) => check(minute, minute === 6 ? ten : seven));
    expect(accepted(first, ...entries).filter(Boolean)).toHaveLength(2);
  });

  it("is accepted at once by a ruling, and an observation is ignored by one", () => {
    const shrunk = named(check(1, seven));
    const rule = (verdict: "accept" | "ignore"): Entry => ({
      kind: "ruling",
      format: 1,
      network: "mainnet",
      time: new Date(Date.parse(shrunk.entry.time) - 1).toISOString(),
      ruledAt: shrunk.entry.time,
      subject: { of: "observation", key: shrunk.name },
      verdict,
      reason: "known departure",
    });
    expect(accepted(first, rule("accept"), shrunk.entry)).toEqual([true, true, true]);
    const whole = named(check(1, ten));
    const ignore: Entry = { ...rule("ignore"), subject: { of: "observation", key: whole.name } } as Entry;
    expect(accepted(first, ignore, whole.entry)).toEqual([true, true, false]);
  });

  it("of nothing at all never begins a series", () => {
    expect(accepted(snapshot(0, []))).toEqual([false]);
  });
});

describe("a field that vanishes", () => {
  it("from more than 5 % of the rows refuses the observation", () => {
    const all = crowd(100, { bps: 500 });
    const lost = (count: number) => all.map((fact, index) => (index < count ? { ...fact, bps: null } : fact));
    expect(accepted(snapshot(0, all), check(1, lost(5)))).toEqual([true, true]);
    expect(accepted(snapshot(0, all), check(1, lost(6)))).toEqual([true, false]);
  });

  it("that never was there refuses nothing", () => {
    expect(accepted(snapshot(0, crowd(10, { bps: null })), check(1, crowd(10, { bps: null })))).toEqual([true, true]);
  });
});

describe("what was accepted", () => {
  it("is the newest reading, whatever was refused after it", () => {
    const told = tell(first, check(1, ten), check(2, ten.slice(0, 2)));
    expect(told.ledger.acceptance.newest).toMatchObject({ slot: slotAt(1) });
    expect(told.ledger.acceptance).toMatchObject({ accepted: 2, refused: 1 });
    expect(validatorOf(told, "crowd 9").seen.slot).toBe(slotAt(1));
  });
});

/* How long an observation that was refused must be repeated, and how alike, before it is the truth. */

const refused = (count: number) => Array<boolean>(count).fill(false);

const seven = ten.slice(0, 7);

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
    const flickering = minutes(30).map((minute) => check(minute, withWhale(minute % 2 === 0 ? 70 : 65)));
    expect(accepted(hundred, ...flickering)).toEqual([true, ...refused(30)]);
  });

  it("is still the same one when a single row more is missing", () => {
    const shrinking = minutes(11).map((minute) => check(minute, withWhale(minute < 6 ? 70 : 69)));
    expect(accepted(hundred, ...shrinking)).toEqual([true, ...refused(10), true]);
  });
});

describe("ten observations that agree", () => {
  it("are needed for a smaller set, however long nine of them take", () => {
    const slow = minutes(10).map((count) => check(count * 3, seven));
    expect(accepted(first, ...slow)).toEqual([true, ...refused(9), true]);
  });

  it("of a restarted cluster rise: slots that fall are nodes behind, one after the other", () => {
    const falling = minutes(30).map((minute) => check(minute, ten, { slot: slotAt(0) - minute * 100 }));
    expect(accepted(first, ...falling)).toEqual([true, ...refused(30)]);
  });

  it("without a commission have it missing for as many, not for others each time", () => {
    const blind = (count: number) => ten.map((fact, index) => ({ ...fact, bps: index < count ? null : 500 }));
    const flickering = minutes(30).map((minute) => check(minute, blind(minute % 2 === 0 ? 5 : 9)));
    expect(accepted(first, ...flickering)).toEqual([true, ...refused(30)]);
  });

  it("never make a list of nothing the truth", () => {
    expect(accepted(first, ...minutes(30).map((minute) => check(minute, [])))).toEqual([true, ...refused(30)]);
  });

  it("are counted anew after one that shows the whole set, though it is refused for its slot", () => {
    const entries = minutes(11).map((minute) =>
      minute === 6 ? check(minute, ten, { slot: 1 }) : check(minute, seven),
    );
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
    const entries = minutes(12).map((minute) => (minute === 6 ? whole.entry : check(minute, seven)));
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
    const truth = minutes(11, 115).map((minute) => check(minute, ten));
    expect(accepted(lie(114), ...truth)).toEqual([true, ...refused(10), true]);
  });

  it("that is another each time never is", () => {
    const lies = minutes(30).map((minute) => inEpoch(check(minute, ten), FIRST_EPOCH + (minute % 2) * 7));
    expect(accepted(lie(0), ...lies)).toEqual([true, ...refused(30)]);
  });
});
