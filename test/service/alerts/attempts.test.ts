import { describe, expect, it } from "vitest";
import { settle, type DeliveryResult, type Outcome } from "../../../generator/service/alerts/attempts.ts";
import { enqueue } from "../../../generator/service/alerts/queue.ts";
import type { OutboxRecord } from "../../../generator/service/alerts/record.ts";
import { DAY, freshRecord, HOUR, idsOf, MINUTE, NOW, publishedOf, targetOf } from "./events.ts";

const failed = (cause: "message" | "target" | "trouble", reason = "HTTP status 500") => {
  return { delivered: false as const, reason, cause, retryAfterMilliseconds: null };
};
const TROUBLE = failed("trouble");
const REFUSED = failed("message", "HTTP status 400");
const WRONG = failed("target", "HTTP status 404");
const ARRIVED: DeliveryResult = { delivered: true };

const queueOf = (...ids: string[]): OutboxRecord =>
  enqueue(freshRecord(), publishedOf(Object.fromEntries(ids.map((id) => [id, { at: NOW }]))), targetOf());
const settleAt = (record: OutboxRecord, result: DeliveryResult, now = NOW) =>
  settle(record, result, { now, random: () => 1 });
const waitOf = (record: OutboxRecord, now: number) => Date.parse(record.retryAt!) - now;

function play(record: OutboxRecord, results: DeliveryResult[], now = NOW) {
  const outcomes: Outcome[] = [];
  for (const result of results) {
    const settled = settleAt(record, result, now);
    record = settled.record;
    outcomes.push(settled.outcome);
  }
  return { record, outcomes };
}

const sixTimes = (result: DeliveryResult) => Array.from({ length: 6 }, () => result);

describe("a message that fails", () => {
  it("stays the first, and is tried again after 5 s, doubled each time up to an hour", () => {
    let record = queueOf("a", "b");
    const waits: number[] = [];
    for (let attempt = 0; attempt < 12; attempt += 1) {
      record = settleAt(record, TROUBLE).record;
      waits.push(waitOf(record, NOW) / 1000);
    }
    expect(idsOf(record)).toEqual(["a.changed", "b.changed"]);
    expect(waits).toEqual([5, 10, 20, 40, 80, 160, 320, 640, 1280, 2560, 3600, 3600]);
    const jittered = settle(queueOf("a"), TROUBLE, { now: NOW, random: () => 0 }).record;
    expect(waitOf(jittered, NOW)).toBe(2_500);
    expect(record.failure).toEqual({ reason: "HTTP status 500", since: new Date(NOW).toISOString() });
    expect(settleAt(record, ARRIVED).record).toMatchObject({ failures: 0, retryAt: null, failure: null });
  });

  it("is left alone for as long as the target asks", () => {
    const asked = settleAt(queueOf("a"), { ...TROUBLE, retryAfterMilliseconds: 2 * HOUR }).record;
    expect(waitOf(asked, NOW)).toBe(2 * HOUR);
    const soon = settleAt(queueOf("a"), { ...TROUBLE, retryAfterMilliseconds: 1 }).record;
    expect(waitOf(soon, NOW)).toBe(5_000);
  });

  it.each<[string, DeliveryResult]>([
    ["trouble", TROUBLE],
    ["a wrong target", WRONG],
    ["a refusal", REFUSED],
  ])("is tried for a day, then given up and listed: %s", (_, result) => {
    const before = settleAt(queueOf("a", "b"), result, NOW + DAY - MINUTE);
    expect(before.outcome).toBe("waiting");
    expect(idsOf(before.record)).toEqual(["a.changed", "b.changed"]);
    const { record, outcome } = settleAt(queueOf("a", "b"), result, NOW + DAY);
    expect(outcome).toBe("givenUp");
    expect(idsOf(record)).toEqual(["b.changed"]);
    expect(waitOf(record, NOW + DAY)).toBe(5_000);
    expect(record.undelivered).toMatchObject([{ id: "a.changed" }]);
    // It may have arrived.
    expect(idsOf(enqueue(record, publishedOf({ b: { at: NOW } }), targetOf()))).toContain("a.withdrawn");
  });
});

describe("a message that is refused", () => {
  it("is set aside after six tries, and the next one goes at once", () => {
    const { record, outcomes } = play(queueOf("a", "b"), sixTimes(REFUSED));
    expect(outcomes).toEqual(["waiting", "waiting", "waiting", "waiting", "waiting", "setAside"]);
    expect(record).toMatchObject({ failures: 0, retryAt: null, failure: null });
    expect(idsOf(record)).toEqual(["b.changed"]);
    const { record: after } = play(record, [ARRIVED]);
    expect(after.queue).toEqual([]);
    expect(after.undelivered).toEqual([
      { id: "a.changed", reason: "HTTP status 400", at: new Date(NOW).toISOString() },
    ]);
  });

  it("counts only its own refusals, not the trouble before", () => {
    const { outcomes } = play(queueOf("a"), [...sixTimes(TROUBLE), ...sixTimes(REFUSED)]);
    expect(outcomes.indexOf("setAside")).toBe(11);
  });

  it("waits with all others, in their order, once three in a row are refused: then the target is wrong", () => {
    const { record, outcomes } = play(queueOf("a", "b", "c", "d"), [REFUSED, REFUSED, REFUSED].flatMap(sixTimes));
    expect(outcomes.filter((outcome) => outcome !== "waiting")).toEqual(["setAside", "setAside", "refusesAll"]);
    expect(idsOf(record)).toEqual(["a.changed", "b.changed", "c.changed", "d.changed"]);
    expect(record.undelivered).toEqual([]);
    expect(play(record, [...sixTimes(REFUSED), ...sixTimes(REFUSED)]).outcomes).not.toContain("setAside");
    const { record: mended } = play(record, [ARRIVED]);
    expect(idsOf(mended)).toEqual(["b.changed", "c.changed", "d.changed"]);
    expect(play(mended, sixTimes(REFUSED)).outcomes.at(-1)).toBe("setAside");
  });

  it("does not make the target wrong where others arrive in between", () => {
    const results = ["a", "b", "c", "d"].flatMap(() => [...sixTimes(REFUSED), ARRIVED]);
    const { record, outcomes } = play(queueOf("a", "1", "b", "2", "c", "3", "d", "4"), results);
    expect(outcomes.filter((outcome) => outcome === "setAside")).toHaveLength(4);
    expect(record.undelivered).toHaveLength(4);
  });

  it("is withdrawn, and not tried again, when it is no event any more", () => {
    const { record } = play(queueOf("a", "b", "c", "d"), [...sixTimes(REFUSED), ...sixTimes(REFUSED)]);
    const left = enqueue(record, publishedOf({ b: { at: NOW }, c: { at: NOW }, d: { at: NOW } }), targetOf());
    expect(idsOf(left)).toEqual(["c.changed", "d.changed", "a.withdrawn"]);
    expect(left.setAside.map(({ id }) => id)).toEqual(["b.changed"]);
  });

  it("leaves the list of the undelivered after a week", () => {
    const { record } = play(queueOf("a", "b"), sixTimes(REFUSED));
    expect(play(record, [ARRIVED], NOW + 7 * DAY + 1).record.undelivered).toEqual([]);
  });
});

it("a target that is wrong keeps every message waiting, however often it says so", () => {
  const { record, outcomes } = play(queueOf("a", "b"), [...sixTimes(WRONG), ...sixTimes(WRONG)]);
  expect(new Set(outcomes)).toEqual(new Set(["waiting"]));
  expect(idsOf(record)).toEqual(["a.changed", "b.changed"]);
  expect(record.failure?.reason).toBe("HTTP status 404");
});
