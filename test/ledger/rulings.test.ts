import { describe, expect, it } from "vitest";
import type { Entry, RulingEntry } from "../../generator/entries/entry.ts";
import { check, confirm, eventsOf, named, rest, snapshot, tell, timeAt, validatorOf, withA } from "./story.ts";
import { history, percents } from "./told-history.ts";

type Subject = RulingEntry["subject"];

const before = (time: string) => new Date(Date.parse(time) - 1).toISOString();

/** A ruling ahead of the entry that its subject is, or came with. */
function ruling(ahead: string, subject: Subject, said: Partial<RulingEntry> = {}): RulingEntry {
  return {
    kind: "ruling",
    format: 1,
    network: "mainnet",
    time: before(ahead),
    ruledAt: timeAt(60),
    subject,
    verdict: "ignore",
    reason: "known",
    ...said,
  };
}

const onEntry = (entry: Entry, said: Partial<RulingEntry> = {}) =>
  ruling(entry.time, { of: "observation", key: named(entry).name }, said);

const first = snapshot(0, withA({ bps: 500 }));
const seen = check(1, withA({ bps: 10_000 }));
const confirmed = confirm(1.02, [{ name: "A", bps: 10_000 }]);
const rug = [first, seen, confirmed];
const RUG = eventsOf(tell(...rug));
const idOf = (...story: Entry[]) => tell(...story).ledger.events[0]?.id ?? "";
const onRug = (said: Partial<RulingEntry> = {}) => ruling(seen.time, { of: "event", id: idOf(...rug) }, said);

describe("two rulings on one subject", () => {
  const earlier = { verdict: "ignore", ruledAt: timeAt(60) } as const;
  const later = { verdict: "accept", ruledAt: timeAt(61) } as const;

  // The name of an entry ends with a hash: whichever of two of the same time folds first, is chance.
  it.each(["a", "b", "c", "d", "e", "f"])(
    "are settled by which was said last, whatever their hashes (reason %s)",
    (reason) => {
      expect(eventsOf(tell(...rug, onRug({ ...earlier, reason }), onRug(later)))).toEqual(RUG);
      expect(
        eventsOf(
          tell(...rug, onRug({ ...later, reason, verdict: "ignore" }), onRug({ ...earlier, verdict: "accept" })),
        ),
      ).toEqual([]);
    },
  );

  it("fold in both orders in the table above", () => {
    const orders = ["a", "b", "c", "d", "e", "f"].map((reason) => {
      const names = [named(onRug({ ...earlier, reason })).name, named(onRug(later)).name];
      return names[0]! < names[1]!;
    });
    expect(new Set(orders)).toEqual(new Set([true, false]));
  });

  it("on an observation are settled so too", () => {
    const words = [onEntry(seen, later), onEntry(seen, earlier)];
    const { ledger } = tell(...rug, ...words);
    expect([...ledger.rulings.observations.values()]).toMatchObject([{ verdict: "accept", ruledAt: timeAt(61) }]);
  });

  it("said in the same millisecond are settled by their names", () => {
    const words = (["accept", "ignore"] as const).map((verdict) => onRug({ verdict, ruledAt: timeAt(60) }));
    const [higher] = words.map(named).sort((a, b) => (a.name < b.name ? 1 : -1));
    const { ledger } = tell(...rug, ...words);
    expect([...ledger.rulings.events.values()]).toMatchObject([{ name: higher?.name }]);
  });
});

describe("an event that is ignored", () => {
  it("is withdrawn, and its values stay as they are", () => {
    const { ledger } = tell(...rug, onRug());
    expect(ledger.events).toEqual([]);
    expect(ledger.withdrawn).toMatchObject([{ id: idOf(...rug), from: 500, to: 10_000 }]);
    expect(validatorOf(tell(...rug, onRug()), "A").inflation).toEqual({ basisPoints: 10_000, exact: true });
  });

  it("is withdrawn also by a ruling that folds after it, and touches what showed it", () => {
    const late = { ...onRug(), time: timeAt(30) };
    const told = tell(...rug, late);
    expect(told.ledger.events).toEqual([]);
    expect(told.touched.events).toContain(validatorOf(told, "A").ordinal);
    const back = { ...onRug({ verdict: "accept", ruledAt: timeAt(70) }), time: timeAt(31) };
    expect(tell(...rug, late, back).ledger).toMatchObject({ events: tell(...rug).ledger.events, withdrawn: [] });
  });

  it("of a public history comes back, the same, when it is accepted again", () => {
    const told = history(5, { A: percents(0, 100, 100) });
    const id = idOf(first, told);
    const ignore = ruling(told.time, { of: "event", id });
    const accept = { ...ignore, verdict: "accept", ruledAt: timeAt(61) } as const;
    const ignored = tell(first, told, ignore).ledger;
    expect(ignored.events.map((event) => event.id)).not.toContain(id);
    expect(ignored.withdrawn).toMatchObject([{ id, confirmed: false }]);
    expect(tell(first, told, ignore, accept).ledger.events).toEqual(tell(first, told).ledger.events);
    expect(tell(first, told, ignore, accept).ledger.withdrawn).toEqual([]);
  });

  it("stays the first of its epoch for what a public history tells, whatever came after it", () => {
    const story = [...rug, check(2, withA({ bps: 500 })), confirm(2.02, [{ name: "A", bps: 500 }])];
    const told = history(5, { A: percents(0, 5) });
    // The epoch began with 5 %, as the history ends: nothing changed at the boundary.
    expect(tell(...story, told, onRug()).ledger.events.filter((event) => !event.confirmed)).toEqual(
      tell(...story, told).ledger.events.filter((event) => !event.confirmed),
    );
  });
});

describe("an entry that is ignored", () => {
  it("of a second reading confirms nothing: the next observation decides", () => {
    expect(eventsOf(tell(...rug, onEntry(confirmed)))).toEqual([]);
    expect(tell(...rug, onEntry(confirmed)).outcomes.at(-1)).toEqual({
      accepted: false,
      reason: "ignored by a ruling",
    });
    const told = tell(...rug, onEntry(confirmed), check(2, withA({ bps: 10_000 })));
    expect(told.ledger.events).toMatchObject([{ createdAt: seen.time, confirmedAt: timeAt(2) }]);
  });

  it("of a false reading leaves no trace of it: no change, no check, no stake", () => {
    const wrong = check(1, [...rest, { name: "A", bps: 10_000, delinquent: true, stake: 7n }]);
    const end = check(2, withA({ bps: 500 }));
    const [ignored, never] = [tell(first, wrong, onEntry(wrong), end), tell(first, end)];
    const toFacts = ({ ledger }: typeof never) => ({
      ...ledger,
      position: null,
      rulings: null,
      acceptance: { ...ledger.acceptance, refused: 0, refusals: [] },
    });
    expect(toFacts(ignored)).toEqual(toFacts(never));
    expect(ignored.ledger.acceptance.refusals).toMatchObject([
      { name: named(wrong).name, reason: "ignored by a ruling" },
    ]);
  });

  it("of a smaller set is the new reference when it is accepted", () => {
    const small = check(1, withA({}).slice(0, 7));
    const next = check(2, withA({}).slice(0, 6));
    expect(tell(first, small, next).outcomes.map(({ accepted }) => accepted)).toEqual([true, false, false]);
    const ruled = tell(first, small, onEntry(small, { verdict: "accept" }), next);
    expect(ruled.outcomes.map(({ accepted }) => accepted)).toEqual([true, true, true, true]);
  });

  it("of a public history tells nothing", () => {
    const told = history(5, { A: percents(0, 100, 100) });
    expect(tell(first, told, onEntry(told)).ledger).toMatchObject({ events: [], history: { firstSlots: new Map() } });
  });
});

it("cleans the reason of a ruling as other text is, and keeps words apart", () => {
  const { ledger } = tell(...rug, onRug({ reason: "  the node\nwas \u202Erestored\u0007 " }));
  expect([...ledger.rulings.events.values()]).toMatchObject([{ reason: "the node was restored" }]);
  expect([...tell(...rug, onRug({ reason: "\u200B" })).ledger.rulings.events.values()]).toMatchObject([
    { reason: "no reason given" },
  ]);
});
