import { describe, expect, it } from "vitest";
import { settle, type DeliveryResult } from "../../../generator/service/alerts/attempts.ts";
import { enqueue } from "../../../generator/service/alerts/queue.ts";
import type { OutboxRecord } from "../../../generator/service/alerts/record.ts";
import { DAY, freshRecord, HOUR, idsOf, MINUTE, NOW, publishedOf, targetOf } from "./events.ts";

const TROUBLE = {
  delivered: false as const,
  reason: "HTTP status 500",
  retryAfterMilliseconds: null,
};
const ARRIVED: DeliveryResult = { delivered: true };

const queueOf = (...ids: string[]): OutboxRecord =>
  enqueue(
    freshRecord(),
    publishedOf(Object.fromEntries(ids.map((id) => [id, { at: NOW }]))),
    targetOf(),
  );
const settleAt = (record: OutboxRecord, result: DeliveryResult, now = NOW) =>
  settle(record, result, { now, random: () => 1 });
const waitOf = (record: OutboxRecord, now: number) => Date.parse(record.retryAt!) - now;

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
    expect(record.failure).toEqual({
      reason: "HTTP status 500",
      since: new Date(NOW).toISOString(),
    });
    expect(settleAt(record, ARRIVED).record).toMatchObject({
      failures: 0,
      retryAt: null,
      failure: null,
    });
  });

  it("is left alone for as long as the target asks", () => {
    const asked = settleAt(queueOf("a"), { ...TROUBLE, retryAfterMilliseconds: 2 * HOUR }).record;
    expect(waitOf(asked, NOW)).toBe(2 * HOUR);
    const soon = settleAt(queueOf("a"), { ...TROUBLE, retryAfterMilliseconds: 1 }).record;
    expect(waitOf(soon, NOW)).toBe(5_000);
  });

  it("is tried for a day, then given up and listed for a week", () => {
    const before = settleAt(queueOf("a", "b"), TROUBLE, NOW + DAY - MINUTE);
    expect(before.outcome).toBe("waiting");
    expect(idsOf(before.record)).toEqual(["a.changed", "b.changed"]);
    const { record, outcome } = settleAt(queueOf("a", "b"), TROUBLE, NOW + DAY);
    expect(outcome).toBe("givenUp");
    expect(idsOf(record)).toEqual(["b.changed"]);
    expect(waitOf(record, NOW + DAY)).toBe(5_000);
    expect(record.undelivered).toMatchObject([{ id: "a.changed" }]);
    expect(settleAt(record, ARRIVED, NOW + 8 * DAY).record.undelivered).toHaveLength(1);
    expect(settleAt(record, ARRIVED, NOW + 8 * DAY + 1).record.undelivered).toEqual([]);
    // It may have arrived.
    expect(idsOf(enqueue(record, publishedOf({ b: { at: NOW } }), targetOf()))).toContain(
      "a.withdrawn",
    );
  });
});

it("the newest hundred that were given up are listed", () => {
  const ids = Array.from({ length: 101 }, (_, place) => `event ${place}`);
  const record = ids.reduce(
    (before) => settleAt(before, TROUBLE, NOW + DAY).record,
    queueOf(...ids),
  );
  expect(record.undelivered.map(({ id }) => id)).toEqual(ids.slice(1).map((id) => `${id}.changed`));
});
