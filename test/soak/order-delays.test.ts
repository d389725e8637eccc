import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Context } from "../../generator/service/context.ts";
import type { Entry, RulingEntry } from "../../generator/entries/entry.ts";
import { anyStory } from "../documents/made-up-stories.ts";
import { named, SLOTS_A_MINUTE, SLOTS_IN_EPOCH, tell } from "../ledger/story.ts";
import { history, percents } from "../ledger/told-history.ts";
import { expectSame, nowAfter, publishAtOnce, toSite } from "../service/arriving.ts";
import { readTimeless } from "../service/documents.ts";
import { MINUTE } from "../service/harness.ts";
import { append, makeStation, makeStores, publish, type Stores } from "../service/offline.ts";

/*
 * Entries reach the journal late, by minutes or days, while generators whose own clocks are wrong fold it, keep checkpoints
 * of it and publish it. What is published in the end is decided by the entries alone.
 */

const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** Journals tried, and ways in which the entries of each of them came. */
const JOURNALS = 50;
const ARRIVALS_OF_EACH = 5;

/** The same observation so much later, at the slot that the cluster has reached then. */
function later<E extends Entry>(entry: E, milliseconds: number): E {
  const moved = { ...entry, time: new Date(Date.parse(entry.time) + milliseconds).toISOString() };
  if (!("slot" in moved)) return moved;
  moved.slot += (milliseconds / MINUTE) * SLOTS_A_MINUTE;
  moved.epoch = Math.floor(moved.slot / SLOTS_IN_EPOCH);
  if (moved.kind === "confirm") return moved;
  moved.absoluteSlot = moved.slot;
  moved.slotIndex = moved.slot % SLOTS_IN_EPOCH;
  return moved;
}

/** An operator's word, dated just before its subject. */
function ruling(subject: RulingEntry["subject"], time: string, verdict: RulingEntry["verdict"]): RulingEntry {
  const before = new Date(Date.parse(time) - 1).toISOString();
  const ruledAt = new Date(Date.parse(time) + DAY).toISOString();
  return { kind: "ruling", format: 1, network: "mainnet", time: before, ruledAt, subject, verdict, reason: "known" };
}

const anyRulings = fc.array(
  fc.record({ of: fc.constantFrom("observation" as const, "event" as const), which: fc.nat(), ignored: fc.boolean() }),
  { maxLength: 3 },
);

function ruleOn(entries: Entry[], rulings: typeof anyRulings extends fc.Arbitrary<infer R> ? R : never): RulingEntry[] {
  const { events } = tell(...entries).ledger;
  return rulings.flatMap(({ of, which, ignored }) => {
    const verdict = ignored ? "ignore" : "accept";
    const entry = entries[which % entries.length];
    if (of === "observation")
      return entry === undefined ? [] : [ruling({ of, key: named(entry).name }, entry.time, verdict)];
    const event = events[which % Math.max(1, events.length)];
    return event === undefined || event.createdAt === null
      ? []
      : [ruling({ of, id: event.id }, event.createdAt, verdict)];
  });
}

/** A made-up story with days of silence in it, what a public history tells, and what operators said. */
const anyJournal: fc.Arbitrary<Entry[]> = fc
  .record({
    story: anyStory,
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

/** Most are, or no checkpoint would be kept: it is of a moment just before those that are not settled. */
const IN_TIME = Array.from({ length: 12 }, () => 0);

const TWENTIETHS = Array.from({ length: 20 }, (_, index) => index / 20);

/** How the entries come: each so much late; and who looks at them when, in shares of the arrivals. */
const anyArrival = fc.record({
  delays: fc.infiniteStream(fc.constantFrom(...IN_TIME, MINUTE, 20 * MINUTE, 3 * HOUR, 30 * HOUR, 3 * DAY, 6 * DAY)),
  looks: fc.array(
    fc.record({
      after: fc.constantFrom(...TWENTIETHS),
      by: fc.nat({ max: 2 }),
      does: fc.constantFrom("publishes" as const, "refreshes" as const, "refreshes" as const, "starts anew" as const),
    }),
    { minLength: 3, maxLength: 8 },
  ),
  /** Milliseconds by which the clocks of the three generators are ahead. */
  skews: fc.tuple(...[0, 1, 2].map(() => fc.constantFrom(-HOUR, -2 * MINUTE, 0, 2 * MINUTE, HOUR))),
});

type Arrival = typeof anyArrival extends fc.Arbitrary<infer Value> ? Value : never;

/** What happened on the way, to see that it was what it is meant to be. */
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
  it("publish the same bytes in every order tried", async () => {
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
});
