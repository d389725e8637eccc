import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Context } from "../../generator/service/context.ts";
import { publish as publishCommand } from "../../generator/service/publishing.ts";
import type { Entry } from "../../generator/entries/entry.ts";
import { createLedger } from "../../generator/ledger/ledger.ts";
import { openJournal } from "../../generator/journal/journal.ts";
import { SLOTS_A_MINUTE, SLOTS_IN_EPOCH, timeAt } from "../story/clock.ts";
import { entriesOf, foldOnto, ruling, type StoryRuling } from "../story/fold.ts";
import { history, percents } from "../story/history.ts";
import { check, snapshot } from "../story/observations.ts";
import { usualStory } from "../story/random/stories.ts";
import { crowd } from "../story/validators.ts";
import { expectSame, toSite } from "../service/arriving.ts";
import { readDocument, readTimeless } from "../service/documents.ts";
import { MINUTE, openStage, timeAt as timeOf, type Stage } from "../service/harness.ts";
import { append, makeStation, makeStores, publish, type Stores } from "../service/offline.ts";
import { SOAK } from "./soak.ts";

const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const WEEK = 7 * DAY;

const STORIES = 25 * SOAK;
const JOURNALS_OF_EACH = 5;

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
    return [
      name,
      name === "slot" && typeof part === "number" ? part + slots : moveSlots(part, slots),
    ];
  });
  return Object.fromEntries(parts);
}

const anyRulings = fc.array(
  fc.record({
    of: fc.constantFrom("observation" as const, "event" as const),
    which: fc.nat(),
    ignored: fc.boolean(),
    /** How many entries come before it, after its subject's. */
    later: fc.nat({ max: 30 }),
  }),
  { maxLength: 3 },
);

type Rulings = typeof anyRulings extends fc.Arbitrary<infer Value> ? Value : never;

/** A journal's entries in their order, and the rulings made after each. */
interface Come {
  entry: Entry;
  rulings: StoryRuling[];
}

function ruleOn(entries: readonly Entry[], rulings: Rulings): Come[] {
  const come = entries.map((entry): Come => ({ entry, rulings: [] }));
  const { events } = foldOnto(createLedger("mainnet"), ...entries).ledger;
  for (const { of, which, ignored, later: after } of rulings) {
    const index = which % entries.length;
    const event = of === "event" ? events[which % Math.max(1, events.length)] : undefined;
    const [on, when] = [entries[index], come[Math.min(index + after, come.length - 1)]];
    if (on === undefined || when === undefined || (of === "event" && event === undefined)) continue;
    when.rulings.push(
      ruling(on, { verdict: ignored ? "ignore" : "accept", ...(event && { event: event.id }) }),
    );
  }
  return come;
}

const anyStory: fc.Arbitrary<Entry[]> = fc
  .record({
    story: usualStory,
    silentAfter: fc.nat({ max: 40 }),
    silentDays: fc.constantFrom(0, 2, 3, 5),
    toldAfter: fc.option(fc.nat({ max: 400 })),
  })
  .map(({ story, silentAfter, silentDays, toldAfter }) => {
    const entries = entriesOf(story).map((entry, index) =>
      index > silentAfter ? later(entry, silentDays * DAY) : entry,
    );
    const told =
      toldAfter === null ? [] : [history(toldAfter, { "validator 0": percents(5, 100, 7) })];
    return [...entries, ...told];
  });

const oftenZero = (...others: number[]) =>
  fc.constantFrom(...Array.from({ length: 12 }, () => 0), ...others);

const TWENTIETHS = Array.from({ length: 20 }, (_, index) => index / 20);

/** What one of three generators does; `races`: all publish at once. */
type Deed = "publishes" | "races" | "refreshes" | "starts anew";

/** Who looks when, in shares of the entries. */
const anyReaders = fc.record({
  looks: fc.array(
    fc.record({
      after: fc.constantFrom(...TWENTIETHS),
      by: fc.nat({ max: 2 }),
      does: fc.constantFrom<Deed>("publishes", "races", "refreshes", "refreshes", "starts anew"),
    }),
    { minLength: 3, maxLength: 8 },
  ),
  /** Milliseconds that the clocks are ahead. */
  skews: fc.tuple(
    ...[0, 1, 2].map(() => fc.constantFrom(-DAY, -HOUR, -2 * MINUTE, 0, 2 * MINUTE, HOUR, WEEK)),
  ),
});

type Readers = typeof anyReaders extends fc.Arbitrary<infer Value> ? Value : never;

/** How late entries are, and how far ahead the clocks of those that wrote them. */
const anyWriters = fc.record({
  delays: fc.infiniteStream(oftenZero(MINUTE, 20 * MINUTE, 3 * HOUR, 30 * HOUR, 3 * DAY, 6 * DAY)),
  skews: fc.infiniteStream(
    oftenZero(-3 * DAY, -HOUR, -5 * MINUTE, -MINUTE, MINUTE, 5 * MINUTE, HOUR, 3 * DAY),
  ),
  rulings: anyRulings,
});

type Writers = typeof anyWriters extends fc.Arbitrary<infer Value> ? Value : never;

function write(story: readonly Entry[], { delays, skews, rulings }: Writers): Come[] {
  const arrivals = story.map((entry) => {
    const time = Date.parse(entry.time);
    const dated = { ...entry, time: new Date(time + (skews.next().value as number)).toISOString() };
    return { entry: dated, at: time + (delays.next().value as number) };
  });
  const inOrder = arrivals.sort((one, other) => one.at - other.at).map(({ entry }) => entry);
  return ruleOn(inOrder, rulings);
}

const seen = { journals: 0, backwards: 0, rulings: 0, checkpoints: 0 };

async function publishAsTheyCome(
  come: readonly Come[],
  { looks, skews }: Readers,
): Promise<Stores> {
  const stores = makeStores();
  let now = 0;
  const open = (skew: number, index: number) =>
    makeStation({ ...stores, now: () => now + skew, holder: `generator ${index}` });
  const contexts: Context[] = skews.map(open);
  const writer = makeStation({ ...stores, now: () => now, holder: "writer" });
  for (const [index, { entry, rulings }] of come.entries()) {
    now = Math.max(now, Date.parse(entry.time));
    await append(writer, [entry]);
    for (const { by, does } of looks.filter(
      ({ after }) => Math.floor(after * come.length) === index,
    )) {
      if (does === "starts anew") contexts[by] = open(skews[by] ?? 0, by);
      const context = contexts[by] ?? writer;
      if (does === "publishes") await publish(context, false);
      else if (does === "races") await Promise.all(contexts.map((one) => publish(one, false)));
      else await context.projection.refresh();
    }
    await append(writer, rulings);
  }
  now += MINUTE;
  for (const context of contexts) expect((await publish(context)).skipped).toBeNull();
  await count(stores, come);
  return stores;
}

async function count({ stateStore }: Stores, come: readonly Come[]): Promise<void> {
  seen.journals += 1;
  for (const [index, { entry, rulings }] of come.entries()) {
    seen.rulings += rulings.length;
    if (entry.time < (come[index - 1]?.entry.time ?? "")) seen.backwards += 1;
  }
  for await (const { key } of stateStore.list("checkpoints/"))
    seen.checkpoints += Number(key !== "");
}

/** By one that folds the journal at once, and knows nothing else. */
async function publishAfresh({ stateStore }: Stores): Promise<Map<string, string>> {
  const stores = makeStores();
  for await (const { key } of stateStore.list("journal/")) {
    const { body } = (await stateStore.get(key))!;
    await stores.stateStore.put(key, body, { expect: "absent", contentType: "" });
  }
  const context = makeStation({
    ...stores,
    now: Date.parse(timeAt(0)) + 100 * DAY,
    holder: "only",
  });
  expect((await publish(context)).skipped).toBeNull();
  return readTimeless(toSite(stores));
}

describe("a journal whose entries come minutes to days late, by clocks that are wrong", () => {
  it("publishes the same bytes by generators that race, refresh and start anew as by one that folds it at once", async () => {
    const anyCase = fc.tuple(
      anyStory,
      fc.array(fc.tuple(anyWriters, anyReaders), {
        minLength: JOURNALS_OF_EACH,
        maxLength: JOURNALS_OF_EACH,
      }),
    );
    await fc.assert(
      fc.asyncProperty(anyCase, async ([story, journals]) => {
        for (const [writers, readers] of journals) {
          const found = await publishAsTheyCome(write(story, writers), readers);
          await expectSame(found, await publishAfresh(found));
        }
      }),
      { numRuns: STORIES, endOnFailure: true },
    );
    expect(seen.journals).toBe(STORIES * JOURNALS_OF_EACH);
    expect(seen.backwards).toBeGreaterThan(seen.journals);
    expect(seen.rulings).toBeGreaterThan(seen.journals / 2);
    expect(seen.checkpoints).toBeGreaterThan(seen.journals / 4);
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
      const read = await Array.fromAsync(journal.read((await journal.list(null)).names));
      entries = read.flatMap((one) => ("entry" in one ? [one.entry] : []));
    });
    afterAll(() => stage.close());

    it("publishes the bytes that were published as it was played", async () => {
      const expected = await readTimeless(stage);
      expect(expected.size).toBeGreaterThan(100);
      const property = fc.asyncProperty(anyReaders, async (readers) =>
        expectSame(await publishAsTheyCome(ruleOn(entries, []), readers), expected),
      );
      await fc.assert(property, { numRuns: 8 * SOAK });
    });

    it("publishes the same bytes in other orders, whoever folds it", async () => {
      const property = fc.asyncProperty(anyWriters, anyReaders, async (writers, readers) => {
        const found = await publishAsTheyCome(write(entries, writers), readers);
        await expectSame(found, await publishAfresh(found));
      });
      await fc.assert(property, { numRuns: 8 * SOAK });
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
    const checks = Array.from({ length: 130 }, (_, index) =>
      check(index + 1, facts(index + 1 < 100 ? 500 : 10_000)),
    );
    const entries = [snapshot(0, facts(500)), ...checks];
    const strange = { ...check(20.5, facts(500)), time: timeAt(20.5 + ahead) };
    const stores = makeStores();
    let minute = 0;
    const context = makeStation({
      ...stores,
      now: () => Date.parse(timeAt(minute + 0.1)),
      holder: "right",
    });
    for (const entry of entries) {
      await append(context, minute === 21 ? [strange, entry] : [entry]);
      expect((await publish(context, false)).skipped).toBeNull();
      const { events } = await readDocument(toSite(stores), "index", {});
      expect(events, `in minute ${minute}`).toHaveLength(minute < 101 ? 0 : 1);
      minute += 1;
    }
    const { acceptance, uptime } = context.projection.ledger();
    expect(acceptance.accepted + acceptance.refused).toBe(132);
    const counted = [...uptime.checks.values(), ...uptime.hourChecks.values()];
    expect(counted.reduce((sum, column) => sum + (column[0] ?? 0), 0)).toBeGreaterThanOrEqual(131);
    const { data } = await readDocument(toSite(stores), "status", {});
    expect(data).toMatchObject({ network: "mainnet", epoch: 1101, quarantined: [] });
    await expectSame(stores, await publishAfresh(stores));
  });
});
