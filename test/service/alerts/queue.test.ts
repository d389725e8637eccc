import { describe, expect, it } from "vitest";
import { settle } from "../../../generator/service/alerts/attempts.ts";
import { enqueue, type PublishedEvents } from "../../../generator/service/alerts/queue.ts";
import { voteOf } from "../../documents/fixtures.ts";
import {
  createPublisher,
  DAY,
  eventOf,
  freshRecord as fresh,
  idsOf,
  NOW,
  publishedOf,
  SINCE,
  targetOf,
} from "./events.ts";

type State = Parameters<typeof publishedOf>;

/** One state is published after another. */
function sendAll(states: State[], record = fresh(), target = targetOf()) {
  const publish = createPublisher();
  return sendPublished(
    states.map((state) => publish(...state)),
    record,
    target,
  );
}

function sendPublished(publications: PublishedEvents[], record = fresh(), target = targetOf()) {
  const sent: string[] = [];
  for (const published of publications) {
    record = enqueue(record, published, target);
    for (
      ;
      record.queue.length > 0;
      record = settle(record, { delivered: true }, { now: NOW, random: () => 1 }).record
    )
      sent.push(record.queue[0]!.id);
  }
  return { sent, record };
}

const A = { a: { at: NOW } };

describe("what is sent", () => {
  it.each<[string, State[], string[]]>([
    [
      "what was published since the target is there, in that order",
      [[{ b: { at: NOW }, a: { at: NOW - 1 } }]],
      ["a.changed", "b.changed"],
    ],
    ["nothing of before", [[{ a: { at: SINCE - 1 }, b: { at: SINCE } }]], ["b.changed"]],
    ["nothing twice", [[A], [A]], ["a.changed"]],
    ["what a feed shows at last", [[{ a: { at: NOW, event: null } }], [A]], ["a.changed"]],
    ["nothing that no feed shows", [[{ a: { at: NOW, event: null } }]], []],
    [
      "nothing more of what was split into its steps",
      [[A], [{ a: { at: NOW, event: null } }]],
      ["a.changed"],
    ],
    ["what is taken back, once", [[A], [{}], [{}]], ["a.changed", "a.withdrawn"]],
    [
      "what is brought back",
      [[A], [{}], [A], [{}]],
      ["a.changed", "a.withdrawn", "a.changed.2", "a.withdrawn.2"],
    ],
    [
      "nothing taken back by a cluster that began anew",
      [[A], [{ z: { at: NOW } }, { series: 2, edition: "2" }]],
      ["a.changed", "z.changed"],
    ],
  ])("is %s", (_, states, expected) => {
    expect(sendAll(states).sent).toEqual(expected);
  });

  it("is nothing by a generator that has not read so far", () => {
    const publish = createPublisher();
    const [before, after] = [publish(A), publish({ ...A, b: { at: NOW } })];
    expect(sendPublished([after, before, after]).sent).toEqual(["a.changed", "b.changed"]);
  });

  it("is, of another edition, what it has more, and takes back what it has no more; a week ago is no news", () => {
    const week = 7 * DAY;
    const record = { ...fresh(), since: new Date(NOW - 30 * DAY).toISOString() };
    const before = publishedOf({ a: { at: NOW - 2 }, b: { at: NOW - 1 } });
    const after = publishedOf({
      b: { at: NOW - 1 },
      c: { at: NOW },
      d: { at: NOW - week },
      old: { at: NOW - week - 1 },
    });
    expect(sendPublished([before, after, after], record).sent).toEqual([
      ...["a.changed", "b.changed"],
      ...["a.withdrawn", "d.changed", "c.changed"],
    ]);
  });

  it("is nothing of an edition that is older than the one before", () => {
    const [older, newer] = [publishedOf(A), publishedOf({ ...A, b: { at: NOW } })];
    expect(sendPublished([older, newer, older, newer]).sent).toEqual(["a.changed", "b.changed"]);
  });

  it("is no event of before the target that is published again", () => {
    const old = { old: { at: SINCE - 1 } };
    expect(sendAll([[old], [{}], [old]]).sent).toEqual([]);
  });

  it("is what the target wants, and what it did not want then is not sent later", () => {
    const event = eventOf("b", { of: "two", severity: "INFO" });
    const events = publishedOf({ a: { at: NOW }, b: { at: NOW, event } });
    const some = sendPublished([events], fresh(), targetOf("standard", { severities: ["RUG"] }));
    expect(some.sent).toEqual(["a.changed"]);
    expect(sendPublished([events], some.record).sent).toEqual([]);
    expect(
      sendPublished([events], fresh(), targetOf("standard", { validators: [voteOf("two")] })).sent,
    ).toEqual(["b.changed"]);
  });
});

describe("what is queued and no event any more", () => {
  const queued = () =>
    enqueue(fresh(), publishedOf({ a: { at: NOW - 2 }, b: { at: NOW - 1 } }), targetOf());

  it("is dropped; only of the first, which may have arrived, a withdrawal is sent", () => {
    const after = enqueue(queued(), publishedOf({}), targetOf());
    expect(idsOf(after)).toEqual(["a.withdrawn"]);
  });

  it("is sent, and not withdrawn, where it is of the cluster's earlier life", () => {
    const after = enqueue(queued(), publishedOf({ z: { at: NOW } }, { series: 2 }), targetOf());
    expect(idsOf(after)).toEqual(["a.changed", "b.changed", "z.changed"]);
    const { sent } = sendPublished(
      [2, 2].map((series) => publishedOf({ z: { at: NOW } }, { series })),
      after,
    );
    expect(sent).toEqual(["a.changed", "b.changed", "z.changed"]);
  });

  it("is news when it comes back", () => {
    const after = enqueue(queued(), publishedOf({ a: { at: NOW - 2 } }), targetOf());
    expect(idsOf(after)).toEqual(["a.changed"]);
    expect(
      idsOf(enqueue(after, publishedOf({ a: { at: NOW - 2 }, b: { at: NOW - 1 } }), targetOf())),
    ).toEqual(["a.changed", "b.changed"]);
  });
});
