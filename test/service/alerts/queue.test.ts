import { describe, expect, it } from "vitest";
import { settle } from "../../../generator/service/alerts/attempts.ts";
import { enqueue, type Sighting } from "../../../generator/service/alerts/queue.ts";
import { voteOf } from "../../documents/fixtures.ts";
import { DAY, eventOf, freshRecord as fresh, idsOf, NOW, SINCE, sightingOf, targetOf } from "./events.ts";

function tell(sightings: Sighting[], record = fresh(), target = targetOf()) {
  const sent: string[] = [];
  for (const sighting of sightings) {
    record = enqueue(record, sighting, target);
    for (; record.queue.length > 0; record = settle(record, { delivered: true }, { now: NOW, random: () => 1 }).record)
      sent.push(record.queue[0]!.id);
  }
  return { sent, record };
}

const A = { a: { at: NOW } };

describe("what is told", () => {
  it.each<[string, Sighting[], string[]]>([
    [
      "what was confirmed since the target is there, in that order",
      [sightingOf({ b: { at: NOW }, a: { at: NOW - 1 } })],
      ["a.changed", "b.changed"],
    ],
    ["nothing of before", [sightingOf({ a: { at: SINCE - 1 }, b: { at: SINCE } })], ["b.changed"]],
    ["nothing twice", [sightingOf(A), sightingOf(A)], ["a.changed"]],
    ["nothing that no feed shows", [sightingOf({ a: { at: NOW, event: null } })], []],
    ["what a feed shows at last", [sightingOf({ a: { at: NOW, event: null } }), sightingOf(A)], ["a.changed"]],
    [
      "nothing more of what was split into its steps",
      [sightingOf(A), sightingOf({ a: { at: NOW, event: null } })],
      ["a.changed"],
    ],
    ["what is taken back, once", [sightingOf(A), sightingOf({}), sightingOf({})], ["a.changed", "a.withdrawn"]],
    [
      "what is brought back",
      [sightingOf(A), sightingOf({}), sightingOf(A), sightingOf({})],
      ["a.changed", "a.withdrawn", "a.changed.2", "a.withdrawn.2"],
    ],
    [
      "nothing taken back while part of the past is missing",
      [sightingOf(A), sightingOf({}, { isWhole: false })],
      ["a.changed"],
    ],
    [
      "nothing taken back by a generator that has not read so far",
      [sightingOf(A), sightingOf({}, { through: new Date(NOW - 1).toISOString() }), sightingOf(A)],
      ["a.changed"],
    ],
    [
      "nothing taken back by a cluster that began anew",
      [sightingOf(A), sightingOf({ z: { at: NOW } }, { series: 2 })],
      ["a.changed", "z.changed"],
    ],
  ])("is %s", (_, sightings, expected) => {
    expect(tell(sightings).sent).toEqual(expected);
  });

  it("is not what turns up a week late", () => {
    const record = { ...fresh(), since: new Date(NOW - 30 * DAY).toISOString() };
    const week = 7 * DAY;
    expect(tell([sightingOf({ old: { at: NOW - week - 1 }, b: { at: NOW - week } })], record).sent).toEqual([
      "b.changed",
    ]);
  });

  it("is what the target wants, and what it did not want then is not told later", () => {
    const event = eventOf("b", { of: "two", severity: "INFO" });
    const events = sightingOf({ a: { at: NOW }, b: { at: NOW, event } });
    const some = tell([events], fresh(), targetOf("standard", { severities: ["RUG"] }));
    expect(some.sent).toEqual(["a.changed"]);
    expect(tell([events], some.record).sent).toEqual([]);
    expect(tell([events], fresh(), targetOf("standard", { validators: [voteOf("two")] })).sent).toEqual(["b.changed"]);
  });
});

describe("what is queued and no event any more", () => {
  const queued = () => enqueue(fresh(), sightingOf({ a: { at: NOW - 2 }, b: { at: NOW - 1 } }), targetOf());

  it("is dropped; only of the first, which may have arrived, a withdrawal is sent", () => {
    const after = enqueue(queued(), sightingOf({}), targetOf());
    expect(idsOf(after)).toEqual(["a.withdrawn"]);
  });

  it("stays, and is queued once, where a generator has just not read so far", () => {
    const both = { a: { at: NOW - 2 }, b: { at: NOW - 1 } };
    const through = new Date(NOW - 3).toISOString();
    const after = enqueue(queued(), sightingOf({ c: { at: NOW - 4 } }, { through }), targetOf());
    expect(idsOf(after)).toEqual(["a.changed", "b.changed", "c.changed"]);
    expect(idsOf(enqueue(after, sightingOf({ ...both, c: { at: NOW - 4 } }), targetOf()))).toEqual(idsOf(after));
  });

  it("is sent, and not withdrawn, where it is of the cluster's earlier life", () => {
    const after = enqueue(queued(), sightingOf({ z: { at: NOW } }, { series: 2 }), targetOf());
    expect(idsOf(after)).toEqual(["a.changed", "b.changed", "z.changed"]);
    const { sent } = tell(
      [2, 2].map((series) => sightingOf({ z: { at: NOW } }, { series })),
      after,
    );
    expect(sent).toEqual(["a.changed", "b.changed", "z.changed"]);
  });

  it("is news when it comes back", () => {
    const after = enqueue(queued(), sightingOf({ a: { at: NOW - 2 } }), targetOf());
    expect(idsOf(after)).toEqual(["a.changed"]);
    expect(idsOf(enqueue(after, sightingOf({ a: { at: NOW - 2 }, b: { at: NOW - 1 } }), targetOf()))).toEqual([
      "a.changed",
      "b.changed",
    ]);
  });
});
