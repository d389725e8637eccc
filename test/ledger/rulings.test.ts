import { describe, expect, it } from "vitest";
import { timeAt } from "../story/clock.ts";
import { ruling, foldStory, type StoryItem } from "../story/fold.ts";
import { history, percents } from "../story/history.ts";
import { check, snapshot } from "../story/observations.ts";
import { eventsOf, validatorOf } from "../story/outcome.ts";
import { rest, withA } from "../story/validators.ts";

const first = snapshot(0, withA());
const seen = check(1, withA(10_000));
const confirmed = check(1.5, withA(10_000));
const rug = [first, seen, confirmed];
const [event] = foldStory(...rug).ledger.events;
const onRug = (said: Parameters<typeof ruling>[1] = {}) =>
  ruling(seen, { event: event!.id, ...said });
const accept = { verdict: "accept", ruledAt: timeAt(61) } as const;
const read = history(5, { A: percents(0, 100, 100) });

it("of two rulings on one subject the later one counts", () => {
  expect(foldStory(...rug, onRug(), onRug(accept)).ledger.events).toEqual([event]);
  expect(eventsOf(...rug, onRug(accept), onRug())).toEqual([]);
  const { rulings } = foldStory(...rug, onRug(), onRug(accept)).ledger;
  expect([...rulings.events.values()]).toMatchObject([{ name: "0002", verdict: "accept" }]);
});

describe("an event that is ignored", () => {
  it("is withdrawn, and its values stay as they are", () => {
    const outcome = foldStory(...rug, onRug());
    expect(outcome.ledger).toMatchObject({
      events: [],
      withdrawn: [{ id: event?.id, from: 500, to: 10_000 }],
    });
    expect(validatorOf(outcome, "A").inflation).toEqual({ basisPoints: 10_000, exact: true });
  });

  it("touches what showed it, and comes back by another ruling", () => {
    const outcome = foldStory(...rug, onRug());
    expect(outcome.touched.events).toContain(validatorOf(outcome, "A").validatorIndex);
    expect(foldStory(...rug, onRug(), onRug(accept)).ledger).toMatchObject({
      events: [event],
      withdrawn: [],
    });
  });

  it("of a public history comes back, the same, when it is accepted again", () => {
    const { events } = foldStory(first, read).ledger;
    const { id } = events[0]!;
    const ignored = [first, read, ruling(read, { event: id })];
    expect(foldStory(...ignored).ledger.events.map((one) => one.id)).not.toContain(id);
    expect(foldStory(...ignored).ledger.withdrawn).toMatchObject([{ id, confirmed: false }]);
    const again = ruling(read, { event: id, ...accept });
    expect(foldStory(...ignored, again).ledger).toMatchObject({ events, withdrawn: [] });
  });

  it("stays the first of its epoch for what a public history tells, whatever came after it", () => {
    // The epoch began with 5 %, as the history ends, so nothing changed at the boundary.
    const story = [
      ...rug,
      check(2, withA()),
      check(2.5, withA()),
      history(5, { A: percents(0, 5) }),
    ];
    const sampled = (...items: StoryItem[]) =>
      foldStory(...items).ledger.events.filter((one) => !one.confirmed);
    expect(sampled(...story, onRug())).toEqual(sampled(...story));
  });
});

it("an entry that is ignored of a false reading leaves no trace of it: no change, no check, no stake", () => {
  const wrong = check(1, [...rest, { name: "A", bps: 10_000, delinquent: true, stake: 7n }]);
  const end = check(2, withA());
  const [ignored, never] = [foldStory(first, wrong, ruling(wrong), end), foldStory(first, end)];
  const toFacts = ({ ledger }: typeof never) => {
    const acceptance = { ...ledger.acceptance, refused: 0, refusedObservations: [] };
    return { ...ledger, position: null, firstOfDay: null, rulings: null, acceptance };
  };
  expect(toFacts(ignored)).toEqual(toFacts(never));
  const refusal = { name: "0000000002", reason: "ignored by a ruling" };
  expect(ignored.ledger.acceptance.refusedObservations).toMatchObject([refusal]);
});

it.each([
  ["  the node\nwas \u202Erestored\u0007 ", "the node was restored"],
  ["\u200B", "no reason given"],
])("the reason %j is told as «%s»", (raw, reason) => {
  expect([
    ...foldStory(...rug, onRug({ reason: raw })).ledger.rulings.events.values(),
  ]).toMatchObject([{ reason }]);
});
