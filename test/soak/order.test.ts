import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Context } from "../../generator/service/context.ts";
import { publish as publishCommand } from "../../generator/service/publishing.ts";
import type { Entry, RulingEntry } from "../../generator/entries/entry.ts";
import { openJournal } from "../../generator/journal/journal.ts";
import { SLOTS_A_MINUTE, SLOTS_IN_EPOCH, timeAt } from "../story/clock.ts";
import { ruling, foldStory } from "../story/fold.ts";
import { history, percents } from "../story/history.ts";
import { check, snapshot } from "../story/observations.ts";
import { usualStory } from "../story/random/stories.ts";
import { crowd } from "../story/validators.ts";
import { expectSame, nowAfter, publishAtOnce, toSite } from "../service/arriving.ts";
import { readDocument, readTimeless } from "../service/documents.ts";
import { MINUTE, openStage, timeAt as timeOf, type Stage } from "../service/harness.ts";
import { append, makeStation, makeStores, publish, type Stores } from "../service/offline.ts";

const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const WEEK = 7 * DAY;

const JOURNALS = 50;
const ARRIVALS_OF_EACH = 5;

function later<E extends Entry>(entry: E, milliseconds: number): E {
  const slots = (milliseconds / MINUTE) * SLOTS_A_MINUTE;
  const moved = moveSlots(
    { ...entry, time: new Date(Date.parse(entry.time) + milliseconds).toISOString() },
    slots,
  ) as E;
  if (!("slot" in moved)) return moved;
  moved.epoch = Math.floor(moved.slot / SLOTS_IN_EPOCH);
  moved.absoluteSlot = moved.slot;
  moved.slotIndex = moved.slot % SLOTS_IN_EPOCH;
  return moved;
}

/** Of the list and of every answer. */
function moveSlots(told: unknown, slots: number): unknown {
  if (Array.isArray(told)) return told.map((one) => moveSlots(one, slots));
  if (typeof told !== "object" || told === null) return told;
  const parts = Object.entries(told).map(([name, part]): [string, unknown] => {
    return [name, name === "slot" && typeof part === "number" ? part + slots : moveSlots(part, slots)];
  });
  return Object.fromEntries(parts);
}

const anyRulings = fc.array(
  fc.record({ of: fc.constantFrom("observation" as const, "event" as const), which: fc.nat(), ignored: fc.boolean() }),
  { maxLength: 3 },
);

function ruleOn(entries: Entry[], rulings: typeof anyRulings extends fc.Arbitrary<infer R> ? R : never): RulingEntry[] {
  const { events } = foldStory(...entries).ledger;
  return rulings.flatMap(({ of, which, ignored }) => {
    const on = entries[which % entries.length];
    const event = of === "event" ? events[which % Math.max(1, events.length)] : undefined;
    const time = of === "event" ? event?.createdAt : on?.time;
    if (on === undefined || time === undefined || time === null) return [];
    const ruledAt = new Date(Date.parse(time) + DAY).toISOString();
    const said = { ruledAt, verdict: ignored ? "ignore" : "accept" } as const;
    return [ruling({ ...on, time }, { ...said, ...(event && { event: event.id }) })];
  });
}

const anyJournal: fc.Arbitrary<Entry[]> = fc
  .record({
    story: usualStory,
    silentAfter: fc.nat({ max: 40 }),
    silentDays: fc.constantFrom(0, 2, 3, 5),
    rulings: anyRulings,
    toldAfter: fc.option(fc.nat({ max: 400 })),
  })
  .map(({ story, silentAfter, silentDays, rulings, toldAfter }) => {
    const entries = story.map((entry, index) => (index > silentAfter ? later(entry, silentDays * DAY) : entry));
    const told = toldAfter === null ? [] : [history(toldAfter, { "validator 0": percents(5, 100, 7) })];
    return [...entries, ...told, ...ruleOn(entries, rulings)];
  });

/** Mostly in time, or no checkpoint would be kept: it needs settled entries. */
const IN_TIME = Array.from({ length: 12 }, () => 0);

const TWENTIETHS = Array.from({ length: 20 }, (_, index) => index / 20);

/** What one of three generators does; `races`: all publish at once. */
type Deed = "publishes" | "races" | "refreshes" | "starts anew";

/** How late entries are, and who looks when, in shares of the arrivals. */
const anyArrival = fc.record({
  delays: fc.infiniteStream(fc.constantFrom(...IN_TIME, MINUTE, 20 * MINUTE, 3 * HOUR, 30 * HOUR, 3 * DAY, 6 * DAY)),
  looks: fc.array(
    fc.record({
      after: fc.constantFrom(...TWENTIETHS),
      by: fc.nat({ max: 2 }),
      does: fc.constantFrom<Deed>("publishes", "races", "refreshes", "refreshes", "starts anew"),
    }),
    { minLength: 3, maxLength: 8 },
  ),
  /** Milliseconds that the clocks are ahead. */
  skews: fc.tuple(...[0, 1, 2].map(() => fc.constantFrom(-DAY, -HOUR, -2 * MINUTE, 0, 2 * MINUTE, HOUR, WEEK))),
});

type Arrival = typeof anyArrival extends fc.Arbitrary<infer Value> ? Value : never;

const seen = { orders: 0, late: 0, checkpoints: 0 };

async function publishAsTheyCome(entries: readonly Entry[], { delays, looks, skews }: Arrival): Promise<Stores> {
  const stores = makeStores();
  let now = 0;
  const open = (skew: number, index: number) =>
    makeStation({ ...stores, now: () => now + skew, holder: `generator ${index}` });
  const contexts: Context[] = skews.map(open);
  const writer = makeStation({ ...stores, now: () => now, holder: "writer" });
  const arrivals = entries
    .map((entry) => ({ entry, at: Date.parse(entry.time) + (delays.next().value as number) }))
    .sort((one, other) => one.at - other.at);
  for (const [index, { entry, at }] of arrivals.entries()) {
    now = at;
    await append(writer, [entry]);
    for (const { by, does } of looks.filter(({ after }) => Math.floor(after * arrivals.length) === index)) {
      if (does === "starts anew") contexts[by] = open(skews[by] ?? 0, by);
      const context = contexts[by] ?? writer;
      if (does === "publishes") await publish(context, false);
      else if (does === "races") await Promise.all(contexts.map((one) => publish(one, false)));
      else await context.projection.refresh();
    }
  }
  now = Math.max(now, nowAfter(entries));
  for (const context of contexts) expect((await publish(context)).skipped).toBeNull();
  await count(stores);
  return stores;
}

async function count({ stateStore }: Stores): Promise<void> {
  seen.orders += 1;
  for await (const { key } of stateStore.list("")) {
    if (key.startsWith("checkpoints/")) seen.checkpoints += 1;
    if (key.startsWith("backdated/")) seen.late += 1;
  }
}

describe("entries that come minutes to days late, to generators with wrong clocks", () => {
  it("publish the same bytes in every order tried, of any story", async () => {
    const anyCase = fc.tuple(
      anyJournal,
      fc.array(anyArrival, { minLength: ARRIVALS_OF_EACH, maxLength: ARRIVALS_OF_EACH }),
    );
    await fc.assert(
      fc.asyncProperty(anyCase, async ([entries, arrivals]) => {
        const expected = await readTimeless(toSite(await publishAtOnce(entries)));
        for (const arrival of arrivals) await expectSame(await publishAsTheyCome(entries, arrival), expected);
      }),
      { numRuns: JOURNALS, endOnFailure: true },
    );
    expect(seen.orders).toBe(JOURNALS * ARRIVALS_OF_EACH);
    expect(seen.late).toBeGreaterThan(seen.orders);
    expect(seen.checkpoints).toBeGreaterThan(seen.orders / 4);
  });

  describe("of a played story", () => {
    let stage: Stage;
    let entries: Entry[];
    beforeAll(async () => {
      stage = await openStage({ validators: 20, seed: 5 });
      const cadence = { checkMilliseconds: 5 * MINUTE, snapshotMilliseconds: 20 * MINUTE };
      await stage.play({ until: timeOf(1.3), cadence, publishes: false });
      await publishCommand(stage.command);
      const journal = openJournal({ store: stage.stateStore, network: "mainnet", series: 1 });
      const read = await Array.fromAsync(journal.read((await journal.names()).names));
      entries = read.flatMap((one) => ("entry" in one ? [one.entry] : []));
    });
    afterAll(() => stage.close());

    it("publish the bytes that were published as it was played", async () => {
      const expected = await readTimeless(stage);
      expect(expected.size).toBeGreaterThan(100);
      const property = fc.asyncProperty(anyArrival, async (arrival) =>
        expectSame(await publishAsTheyCome(entries, arrival), expected),
      );
      await fc.assert(property, { numRuns: 12 });
    });
  });
});

/** In minutes of the story; a UTC day ends with minute 840. */
describe.each([
  ["an hour", 60],
  ["a day and a half", 36 * 60],
  ["a month", 30 * 24 * 60],
])("an entry dated %s ahead, by a clock that is wrong", (_, ahead) => {
  it("keeps nothing of what comes after it from being folded, counted and published", async () => {
    const facts = (bps: number) => [...crowd(9), { name: "rugger", bps }];
    const checks = Array.from({ length: 130 }, (_, index) => check(index + 1, facts(index + 1 < 100 ? 500 : 10_000)));
    const entries = [snapshot(0, facts(500)), ...checks];
    const strange = { ...check(20.5, facts(500)), time: timeAt(20.5 + ahead) };
    const stores = makeStores();
    let minute = 0;
    const context = makeStation({ ...stores, now: () => Date.parse(timeAt(minute + 0.1)), holder: "right" });
    for (const entry of entries) {
      await append(context, minute === 21 ? [strange, entry] : [entry]);
      expect((await publish(context, false)).skipped).toBeNull();
      const { events } = await readDocument(toSite(stores), "index", {});
      expect(events).toHaveLength(minute < 101 ? 0 : 1);
      minute += 1;
    }
    const { acceptance, uptime } = context.projection.ledger();
    expect(acceptance.accepted + acceptance.refused).toBe(132);
    const counted = [...uptime.checks.values(), ...uptime.hourChecks.values()];
    expect(counted.reduce((sum, column) => sum + (column[0] ?? 0), 0)).toBeGreaterThanOrEqual(131);
    const { data } = await readDocument(toSite(stores), "status", {});
    expect(data).toMatchObject({ network: "mainnet", epoch: 1101, quarantined: [] });
    await expectSame(stores, await readTimeless(toSite(await publishAtOnce([...entries, strange]))));
  });
});
