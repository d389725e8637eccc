import { describe, expect, it } from "vitest";
import { settle } from "../../../generator/service/alerts/attempts.ts";
import { enqueue, type PublishedEvents } from "../../../generator/service/alerts/queue.ts";
import { voteOf } from "../../documents/fixtures.ts";
import { DAY, eventOf, freshRecord as fresh, idsOf, NOW, publishedOf, SINCE, targetOf } from "./events.ts";

function sendAll(publications: PublishedEvents[], record = fresh(), target = targetOf()) {
  const sent: string[] = [];
  for (const published of publications) {
    record = enqueue(record, published, target);
    for (; record.queue.length > 0; record = settle(record, { delivered: true }, { now: NOW, random: () => 1 }).record)
      sent.push(record.queue[0]!.id);
  }
  return { sent, record };
}

const A = { a: { at: NOW } };

describe("what is sent", () => {
  it.each<[string, PublishedEvents[], string[]]>([
    [
      "what was confirmed since the target is there, in that order",
      [publishedOf({ b: { at: NOW }, a: { at: NOW - 1 } })],
      ["a.changed", "b.changed"],
    ],
    ["nothing of before", [publishedOf({ a: { at: SINCE - 1 }, b: { at: SINCE } })], ["b.changed"]],
    ["nothing twice", [publishedOf(A), publishedOf(A)], ["a.changed"]],
    ["nothing that no feed shows", [publishedOf({ a: { at: NOW, event: null } })], []],
    ["what a feed shows at last", [publishedOf({ a: { at: NOW, event: null } }), publishedOf(A)], ["a.changed"]],
    [
      "nothing more of what was split into its steps",
      [publishedOf(A), publishedOf({ a: { at: NOW, event: null } })],
      ["a.changed"],
    ],
    ["what is taken back, once", [publishedOf(A), publishedOf({}), publishedOf({})], ["a.changed", "a.withdrawn"]],
    [
      "what is brought back",
      [publishedOf(A), publishedOf({}), publishedOf(A), publishedOf({})],
      ["a.changed", "a.withdrawn", "a.changed.2", "a.withdrawn.2"],
    ],
    [
      "nothing taken back while part of the past is missing",
      [publishedOf(A), publishedOf({}, { isWhole: false })],
      ["a.changed"],
    ],
    [
      "nothing taken back by a generator that has not read so far",
      [publishedOf(A), publishedOf({}, { through: new Date(NOW - 1).toISOString() }), publishedOf(A)],
      ["a.changed"],
    ],
    [
      "nothing taken back by a cluster that began anew",
      [publishedOf(A), publishedOf({ z: { at: NOW } }, { series: 2 })],
      ["a.changed", "z.changed"],
    ],
  ])("is %s", (_, publications, expected) => {
    expect(sendAll(publications).sent).toEqual(expected);
  });

  it("is not what turns up a week late", () => {
    const record = { ...fresh(), since: new Date(NOW - 30 * DAY).toISOString() };
    const week = 7 * DAY;
    expect(sendAll([publishedOf({ old: { at: NOW - week - 1 }, b: { at: NOW - week } })], record).sent).toEqual([
      "b.changed",
    ]);
  });

  it("is what the target wants, and what it did not want then is not sent later", () => {
    const event = eventOf("b", { of: "two", severity: "INFO" });
    const events = publishedOf({ a: { at: NOW }, b: { at: NOW, event } });
    const some = sendAll([events], fresh(), targetOf("standard", { severities: ["RUG"] }));
    expect(some.sent).toEqual(["a.changed"]);
    expect(sendAll([events], some.record).sent).toEqual([]);
    expect(sendAll([events], fresh(), targetOf("standard", { validators: [voteOf("two")] })).sent).toEqual([
      "b.changed",
    ]);
  });
});

describe("what is queued and no event any more", () => {
  const queued = () => enqueue(fresh(), publishedOf({ a: { at: NOW - 2 }, b: { at: NOW - 1 } }), targetOf());

  it("is dropped; only of the first, which may have arrived, a withdrawal is sent", () => {
    const after = enqueue(queued(), publishedOf({}), targetOf());
    expect(idsOf(after)).toEqual(["a.withdrawn"]);
  });

  it("stays, and is queued once, where a generator has just not read so far", () => {
    const both = { a: { at: NOW - 2 }, b: { at: NOW - 1 } };
    const through = new Date(NOW - 3).toISOString();
    const after = enqueue(queued(), publishedOf({ c: { at: NOW - 4 } }, { through }), targetOf());
    expect(idsOf(after)).toEqual(["a.changed", "b.changed", "c.changed"]);
    expect(idsOf(enqueue(after, publishedOf({ ...both, c: { at: NOW - 4 } }), targetOf()))).toEqual(idsOf(after));
  });

  it("is sent, and not withdrawn, where it is of the cluster's earlier life", () => {
    const after = enqueue(queued(), publishedOf({ z: { at: NOW } }, { series: 2 }), targetOf());
    expect(idsOf(after)).toEqual(["a.changed", "b.changed", "z.changed"]);
    const { sent } = sendAll(
      [2, 2].map((series) => publishedOf({ z: { at: NOW } }, { series })),
      after,
    );
    expect(sent).toEqual(["a.changed", "b.changed", "z.changed"]);
  });

  it("is news when it comes back", () => {
    const after = enqueue(queued(), publishedOf({ a: { at: NOW - 2 } }), targetOf());
    expect(idsOf(after)).toEqual(["a.changed"]);
    expect(idsOf(enqueue(after, publishedOf({ a: { at: NOW - 2 }, b: { at: NOW - 1 } }), targetOf()))).toEqual([
      "a.changed",
      "b.changed",
    ]);
  });
});
