import { describe, expect, it } from "vitest";
import { endpointOf, panelSnapshot } from "./panel-story.ts";
import {
  check,
  confirm,
  FIRST_EPOCH,
  keyOf,
  rest,
  slotAt,
  snapshot,
  tell,
  withA,
  type Fact,
  type Told,
} from "./story.ts";

/** Minute of a story, counted from the beginning of one of its epochs. */
const at = (epoch: number, minute: number) => epoch * 120 + minute;

/** First epochs whose rewards pay the changes of A, by the story's own count: `1`, or `1 or 2`; `?` is not final. */
function paidFrom({ ledger }: Told): string[] {
  return ledger.events.map(({ effectiveEpoch, effectiveEpochLatest, effectiveEpochFinal }) => {
    const epochs = [...new Set([effectiveEpoch, effectiveEpochLatest])].map((epoch) => epoch - FIRST_EPOCH);
    return `${epochs.join(" or ")}${effectiveEpochFinal ? "" : "?"}`;
  });
}

/** A is raised to 100 % early in an epoch, and seen twice. */
const raise = (epoch: number, minute = 20) => [
  check(at(epoch, minute), withA({ bps: 10_000 })),
  check(at(epoch, minute + 1), withA({ bps: 10_000 })),
];

/** A snapshot in each of the epochs from one on, A as it is told of each of them. */
const snapshots = (from: number, ...facts: Omit<Fact, "name">[]) =>
  facts.map((fact, index) => snapshot(at(from + index, 5), withA(fact)));

const outside = { inSet: false, stake: 0n };

describe("a change within an epoch", () => {
  it("is paid two epochs later by who is in the set of the epoch and of the next one", () => {
    expect(paidFrom(tell(...snapshots(0, {}), ...raise(0)))).toEqual(["2?"]);
    expect(paidFrom(tell(...snapshots(0, {}, {}), ...raise(0)))).toEqual(["2?"]);
    expect(paidFrom(tell(...snapshots(0, {}, { bps: 10_000 }, { bps: 10_000 }), ...raise(0)))).toEqual(["2"]);
  });

  it("is paid in the next epoch by who leaves the set with it", () => {
    const after = { bps: 10_000, inSet: false };
    expect(paidFrom(tell(...snapshots(0, {}, after), ...raise(0)))).toEqual(["1?"]);
    expect(paidFrom(tell(...snapshots(0, {}, after, after), ...raise(0)))).toEqual(["1"]);
  });

  it("is paid at once by who is in neither set, if it has stake", () => {
    const after = { bps: 10_000, inSet: false };
    expect(paidFrom(tell(...snapshots(0, { inSet: false }, after), ...raise(0)))).toEqual(["0?"]);
    expect(paidFrom(tell(...snapshots(0, { inSet: false }, { bps: 10_000 }), ...raise(0)))).toEqual(["2?"]);
  });

  it("is paid from the first epoch in which there is stake, two later at the latest", () => {
    const after = (stake: bigint) => ({ bps: 10_000, inSet: false, stake });
    expect(paidFrom(tell(...snapshots(0, outside, after(1n)), ...raise(0)))).toEqual(["1?"]);
    expect(paidFrom(tell(...snapshots(0, outside, after(0n), after(0n)), ...raise(0)))).toEqual(["2"]);
  });

  it("of a newly staked account is paid from the epoch of its first stake", () => {
    const told = tell(
      snapshot(0, rest),
      ...snapshots(1, { ...outside, bps: 0 }, { bps: 10_000, inSet: false }, { bps: 10_000 }),
      ...raise(1),
    );
    expect(paidFrom(told)).toEqual(["2"]);
  });

  it("is paid two epochs later by an account that is first seen in the set: it has a past", () => {
    const told = tell(snapshot(0, rest), ...snapshots(1, {}, { bps: 10_000 }, { bps: 10_000 }), ...raise(1));
    expect(paidFrom(told)).toEqual(["3"]);
  });

  it("is paid as a new one's by an account that was closed and is open again", () => {
    const gone = { absent: [keyOf("A")] };
    const told = tell(
      ...snapshots(0, {}),
      ...[at(1, 5), at(1, 15)].map((minute) => snapshot(minute, rest, gone)),
      ...snapshots(2, outside),
      ...raise(2),
      ...snapshots(3, { bps: 10_000, inSet: false }, { bps: 10_000 }),
    );
    expect(paidFrom(told)).toEqual(["3"]);
  });

  it("is never final where nobody saw who was in the sets", () => {
    expect(paidFrom(tell(...snapshots(0, {}), ...raise(0), ...raise(1), ...raise(2)))).toEqual(["2?"]);
  });
});

describe("a change whose window spans the end of an epoch", () => {
  const seen = [snapshot(0, withA({})), check(at(0, 119), withA({})), ...raise(1, 1)];

  it("is paid from one epoch or from the next", () => {
    expect(paidFrom(tell(...seen))).toEqual(["2 or 3?"]);
  });

  it("is final when both are", () => {
    const after = { bps: 10_000 };
    expect(paidFrom(tell(...seen, ...snapshots(1, after, after)))).toEqual(["2 or 3?"]);
    expect(paidFrom(tell(...seen, ...snapshots(1, after, after, after)))).toEqual(["2 or 3"]);
  });

  it("spans it, too, where the old value was last seen in a list of the epoch before", () => {
    const boundary = check(120, withA({}), { slot: slotAt(120) - 1 });
    expect(paidFrom(tell(snapshot(0, withA({})), boundary, ...raise(1, 1)))).toEqual(["2 or 3?"]);
  });

  it("spans it, too, where the new value was first seen with the newest vote of the epoch before", () => {
    const boundary = check(120, withA({ bps: 10_000 }), { slot: slotAt(120) - 1 });
    expect(paidFrom(tell(snapshot(0, withA({})), boundary, ...raise(1, 1)))).toEqual(["2 or 3?"]);
  });
});

describe("who is in the validator set", () => {
  /** What each of three witnesses says of A in the second epoch, in this order; the fourth is none. */
  const paidAfter = (...words: [witness: number, inSet: boolean][]) =>
    paidFrom(
      tell(
        snapshot(0, withA({})),
        ...raise(0),
        ...words.map(([witness, inSet], index) => {
          const facts = withA({ bps: 10_000, inSet });
          const entry = panelSnapshot(at(1, 5 + index), facts, { of: 3, by: Math.min(witness, 3) - 1 });
          return witness <= 3 ? entry : { ...entry, endpoint: endpointOf(witness - 1) };
        }),
      ),
    );

  it("is told by most witnesses, each by its newest word", () => {
    expect(paidAfter([1, false])).toEqual(["2?"]);
    expect(paidAfter([1, false], [2, false])).toEqual(["1?"]);
    expect(paidAfter([1, false], [2, true], [3, true])).toEqual(["2?"]);
    expect(paidAfter([1, true], [2, false], [3, false])).toEqual(["1?"]);
    expect(paidAfter([1, true], [1, true], [1, true], [2, false], [3, false])).toEqual(["1?"]);
    expect(paidAfter([1, false], [2, false], [1, true], [2, true])).toEqual(["2?"]);
  });

  it("is not known while as many say the one as the other, whoever told last", () => {
    expect(paidAfter([1, true], [2, false])).toEqual(["2?"]);
    expect(paidAfter([1, false], [2, true])).toEqual(["2?"]);
  });

  it("is not told by who is no witness", () => {
    expect(paidAfter([4, false])).toEqual(["2?"]);
  });

  it("is not told by a list of the epoch before, nor is the stake", () => {
    const early = { ...snapshot(120, withA({ bps: 10_000, inSet: false, stake: 7n })), slot: slotAt(120) - 1 };
    const told = tell(snapshot(0, withA({})), ...raise(0), early);
    expect(paidFrom(told)).toEqual(["2?"]);
    expect(told.ledger.stakes.has(FIRST_EPOCH + 1)).toBe(false);
    const own = tell(
      snapshot(0, withA({})),
      ...raise(0),
      early,
      snapshot(130, withA({ bps: 10_000, inSet: false, stake: 8n })),
    );
    expect(paidFrom(own)).toEqual(["1?"]);
    expect(own.ledger.stakes.get(FIRST_EPOCH + 1)?.[own.ledger.ordinals.get(keyOf("A"))!]).toBe(8n);
  });
});

describe("who confirmed a change", () => {
  it("is the account itself, or further lists", () => {
    const raised = check(1, withA({ bps: 10_000 }));
    const byOf = ({ ledger }: Told) => ledger.events.map(({ confirmedBy }) => confirmedBy);
    expect(byOf(tell(snapshot(0, withA({})), raised, confirm(1.02, [{ name: "A", bps: 10_000 }])))).toEqual([
      "account",
    ]);
    expect(byOf(tell(snapshot(0, withA({})), raised, check(2, withA({ bps: 10_000 }))))).toEqual(["observations"]);
  });
});

describe("a rate that was taken away before its epoch ended", () => {
  const seen = (minute: number, bps: number) => [check(minute, withA({ bps })), check(minute + 1, withA({ bps }))];
  /** By event the place of the one that superseded it; null: none did. */
  const successorsOf = ({ ledger: { events } }: Told) =>
    events.map(({ supersededBy }) =>
      supersededBy === null ? null : events.findIndex(({ id }) => id === supersededBy),
    );

  it("is superseded by the change that took it away", () => {
    const told = tell(snapshot(0, withA({})), ...seen(10, 10_000), ...seen(20, 700), ...seen(30, 900));
    expect(successorsOf(told)).toEqual([1, 2, null]);
  });

  it("is not, where it stood at the end of the epoch, or may have", () => {
    expect(successorsOf(tell(snapshot(0, withA({})), ...seen(10, 10_000), ...seen(130, 700)))).toEqual([null, null]);
    const spanning = tell(snapshot(0, withA({})), ...seen(121, 10_000), ...seen(130, 700));
    expect(successorsOf(spanning)).toEqual([null, null]);
  });
});
