import { describe, expect, it } from "vitest";
import { closedMevToDecide } from "../../generator/ledger/mev-disabled.ts";
import type { CheckEntry, Entry, SnapshotEntry } from "../../generator/entries/entry.ts";
import { fold } from "../../generator/ledger/fold.ts";
import { at, closed, crowdRows, facts, onChain } from "./mev-facts.ts";
import { FIRST_EPOCH, check, eventsOf, named, slotAt, tell, timeAt, validatorOf, type Fact } from "./story.ts";

/*
 * A cluster that was watched into its second epoch, and then restarts from a slot of the first. Its slots go on from there:
 * whatever is remembered of later ones is of a chain that is no more.
 */

const OLD = 800;
const RESTARTED_SLOT = slotAt(100);
const withA = (fact: Omit<Fact, "name">): Fact[] => facts.map((one) => (one.name === "A" ? { ...one, ...fact } : one));

/** Of the chain after the restart: of the first epoch, though the story is in its third hour. */
function after<E extends CheckEntry | SnapshotEntry>(entry: E): E {
  const minute = (Date.parse(entry.time) - Date.parse(timeAt(0))) / 60_000;
  return { ...entry, slot: RESTARTED_SLOT + minute, epoch: FIRST_EPOCH };
}

/** Ten minutes of refused observations; the next one is believed. */
const insisting = (list: Fact[]): Entry[] => Array.from({ length: 10 }, (_, index) => after(check(130 + index, list)));

const watched = [at(0, OLD), at(110, OLD), at(121, OLD)];
const restarted = (...entries: Entry[]) => tell(...watched, ...insisting(facts), ...entries);

describe("after a cluster restarted", () => {
  it("a change lies between slots of the chain there is, and is reckoned from the epoch there is", () => {
    const risen = withA({ bps: 10_000 });
    const told = restarted(after(check(140, risen)), after(check(141, risen)));
    expect(eventsOf(told)).toHaveLength(1);
    expect(told.ledger.events).toMatchObject([
      {
        epoch: FIRST_EPOCH,
        effectiveEpoch: FIRST_EPOCH + 2,
        previousSlot: RESTARTED_SLOT + 140,
        previousSeenAt: timeAt(121),
      },
    ]);
  });

  it("so does one of the MEV commission", () => {
    const told = restarted(after(at(140, 9500)), after(at(150, 9500)));
    expect(told.ledger.events).toMatchObject([
      { source: "MEV", to: 9500, epoch: FIRST_EPOCH, previousSlot: RESTARTED_SLOT + 140, previousSeenAt: timeAt(121) },
    ]);
  });

  it("what a tip account of the lost chain settled may change again in the same epoch", () => {
    const settled = [onChain(0, OLD), onChain(110, OLD)];
    const told = tell(...settled, ...insisting(facts), after(at(140, 9500)), after(at(150, 9500)));
    expect(told.ledger.events).toMatchObject([{ source: "MEV", from: OLD, to: 9500, epoch: FIRST_EPOCH }]);
  });

  it("one list does not confirm what a list of the lost chain showed", () => {
    const told = tell(at(0, OLD), at(110, OLD), at(121, 9500), ...insisting(facts), after(at(140, 9500)));
    expect(eventsOf(told)).toEqual([]);
    expect(told.pending).toMatchObject([{ source: "MEV", first: { time: timeAt(140) } }]);
  });

  it("the record shown of MEV, and what was last seen of anyone, is of no epoch to come", () => {
    const told = tell(...watched, ...insisting(facts.slice(0, 9)), after(check(140, facts.slice(0, 9))));
    const { mevEpoch, seen } = validatorOf(told, "A");
    expect(mevEpoch).toBe(FIRST_EPOCH);
    expect(seen).toEqual({ time: timeAt(121), slot: RESTARTED_SLOT + 140, epoch: FIRST_EPOCH });
  });

  it("the epoch that closes again is decided about again", () => {
    const closing = at(125, OLD, { closedMev: closed(FIRST_EPOCH, ...crowdRows, ["A", OLD]) });
    expect(closedMevToDecide(tell(...watched, closing).ledger, FIRST_EPOCH + 1)).toBeNull();
    const told = tell(...watched, closing, ...insisting(facts), after(check(140, facts)));
    expect(closedMevToDecide(told.ledger, FIRST_EPOCH + 1)).toMatchObject({ epoch: FIRST_EPOCH });
  });

  it("the histories of all are rendered again, also of who is not among the rows", () => {
    const rows = facts.slice(0, 9);
    const told = tell(...watched, ...insisting(rows));
    const { ordinal } = validatorOf(told, "A");
    const { touched, outcome } = fold(told.ledger, named(after(check(140, rows))));
    expect(outcome.accepted).toBe(true);
    for (const part of ["profiles", "commissions", "stakes"] as const) expect(touched[part]).toContain(ordinal);
  });
});
