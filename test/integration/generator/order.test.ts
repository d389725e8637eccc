import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { publish as publishCommand } from "../../../generator/service/publishing.ts";
import { rebuild } from "../../../generator/service/rebuild.ts";
import type { CommissionEvent } from "../../../generator/contract/event.ts";
import type { DocumentOf } from "../../../generator/contract/objects.ts";
import { openJournal } from "../../../generator/journal/journal.ts";
import type { Entry } from "../../../generator/entries/entry.ts";
import { anyStory } from "../../documents/made-up-stories.ts";
import { expectSame, nowAfter, publishAtOnce, toSite } from "../../service/arriving.ts";
import { readDocument, readTimeless } from "../../service/documents.ts";
import { MINUTE, openStage, timeAt, type Stage } from "../../service/harness.ts";
import { append, makeStation, makeStores, publish, type Stores } from "../../service/offline.ts";

/** What is done with entries that arrived; `races`: both generators publish at the same time. */
type Deed = "publishes" | "refreshes" | "races";

/** How entries arrive: in which order, how many at a time, and who looks at them then. */
interface Arrival {
  order: number[];
  batches: { size: number; by: 0 | 1; does: Deed }[];
}

const anyArrival = (entries: number): fc.Arbitrary<Arrival> =>
  fc.record({
    order: fc.shuffledSubarray(
      Array.from({ length: entries }, (_, index) => index),
      { minLength: entries },
    ),
    batches: fc.array(
      fc.record({
        size: fc.integer({ min: 1, max: Math.max(1, Math.ceil(entries / 2)) }),
        by: fc.constantFrom(0 as const, 1 as const),
        does: fc.constantFrom<Deed>("publishes", "publishes", "refreshes", "races"),
      }),
      { minLength: 1, maxLength: 5 },
    ),
  });

/** Two generators on the same stores; entries arrive as told, and in the end each of them publishes once more. */
async function publishAsTheyCome(entries: readonly Entry[], { order, batches }: Arrival): Promise<Stores> {
  const stores = makeStores();
  const now = nowAfter(entries);
  const contexts = [
    makeStation({ ...stores, now, holder: "one" }),
    makeStation({ ...stores, now, holder: "other" }),
  ] as const;
  const waiting = order.flatMap((index) => entries[index] ?? []);
  for (const { size, by, does } of batches) {
    await append(contexts[by], waiting.splice(0, size));
    if (does === "publishes") await publish(contexts[by], false);
    else if (does === "refreshes") await contexts[by].projection.refresh();
    else await Promise.all(contexts.map((context) => publish(context, false)));
  }
  await append(contexts[0], waiting);
  for (const context of contexts) expect((await publish(context)).skipped).toBeNull();
  return stores;
}

describe("entries that arrive in any order", () => {
  it("publish the same bytes, of any story", async () => {
    const anyCase = anyStory.chain((entries) => fc.tuple(fc.constant(entries), anyArrival(entries.length)));
    await fc.assert(
      fc.asyncProperty(anyCase, async ([entries, arrival]) => {
        const [expected, found] = await Promise.all([publishAtOnce(entries), publishAsTheyCome(entries, arrival)]);
        await expectSame(found, await readTimeless(toSite(expected)));
      }),
      { numRuns: 40 },
    );
  });
});

/** The sum of a number over rows. */
const sumOf = <Row>(rows: readonly Row[], pick: (row: Row) => number) => rows.reduce((sum, row) => sum + pick(row), 0);

describe("what is published of any story", () => {
  it("adds up, fills forward and names each event once", async () => {
    await fc.assert(
      fc.asyncProperty(anyStory, async (entries) => {
        const site = toSite(await publishAtOnce(entries));
        const index = await readDocument(site, "index", {});
        const votes = [...index.validators, ...index.unlisted].map(({ votePubkey }) => votePubkey);
        const events = votes.map((votePubkey) => readDocument(site, "validatorEvents", { votePubkey }));
        expectEventsToAddUp(index, await Promise.all(events));
        for (const votePubkey of votes)
          expectForwardFill(await readDocument(site, "commissionHistory", { votePubkey }));
        expectRugsToAddUp(index, await readDocument(site, "rugsPerEpoch", {}));
        const list = await readDocument(site, "validators", {});
        expect(list.meta.total).toBe(list.data.length);
        const lamports = list.data.reduce((sum, { activeStake }) => sum + BigInt(activeStake.lamports), 0n);
        expect(list.meta.networkStake.lamports).toBe(String(lamports));
      }),
      { numRuns: 40 },
    );
  });
});

function expectEventsToAddUp(index: DocumentOf<"index">, documents: DocumentOf<"validatorEvents">[]): void {
  for (const { data, meta } of documents) expect(meta.total).toBe(data.length);
  const all = documents.flatMap(({ data }) => data);
  expect(new Set(all.map(({ id }) => id)).size).toBe(all.length);
  const byId = (events: readonly CommissionEvent[]) => new Map(events.map((event) => [event.id, event]));
  // A made-up story is shorter than the fifty epochs of the index.
  expect(byId(index.events)).toEqual(byId(all));
}

function expectRugsToAddUp(index: DocumentOf<"index">, rugs: DocumentOf<"rugsPerEpoch">): void {
  const rugged = index.events.filter(({ severity }) => severity === "RUG");
  const { global } = rugs.meta;
  expect(rugs.meta.total).toBe(index.rugsPerEpoch.length);
  expect(sumOf(index.rugsPerEpoch, ({ totalEvents }) => totalEvents)).toBe(rugged.length);
  expect(global.commissionEvents + global.mevEvents).toBe(rugged.length);
  expect(global.totalRuggedValidators).toBe(new Set(rugged.map(({ votePubkey }) => votePubkey)).size);
  for (const row of index.rugsPerEpoch) {
    expect(row.totalEvents).toBe(row.commissionEvents + row.mevEvents);
    expect(row.uniqueValidators).toBe(row.commissionValidators + row.mevValidators - row.bothTypes);
  }
}

/** Every epoch from the first to the last, and a commission once known is never unknown again. */
function expectForwardFill({ data, meta }: DocumentOf<"commissionHistory">): void {
  expect(meta.total).toBe(data.length);
  expect(data.map(({ epoch }) => epoch)).toEqual(data.map((_, offset) => (data[0]?.epoch ?? 0) + offset));
  const known = data.findIndex(({ commission }) => commission !== null);
  if (known !== -1) expect(data.slice(known).filter(({ commission }) => commission === null)).toEqual([]);
}

describe("a played story", () => {
  let stage: Stage;
  let entries: Entry[];

  beforeAll(async () => {
    stage = await openStage({ validators: 20, seed: 5 });
    const cadence = { checkMilliseconds: 5 * MINUTE, snapshotMilliseconds: 20 * MINUTE };
    await stage.play({ until: timeAt(1.3), cadence, publishes: false });
    await publishCommand(stage.command);
    const journal = openJournal({ store: stage.stateStore, network: "mainnet", series: 1 });
    const { names } = await journal.names();
    entries = (await Array.fromAsync(journal.read(names))).flatMap((read) => ("entry" in read ? [read.entry] : []));
  });

  afterAll(() => stage.close());

  it("publishes the same bytes however its entries arrive", async () => {
    const expected = await readTimeless(stage);
    expect(expected.size).toBeGreaterThan(100);
    await fc.assert(
      fc.asyncProperty(anyArrival(entries.length), async (arrival) => {
        await expectSame(await publishAsTheyCome(entries, arrival), expected);
      }),
      { numRuns: 12 },
    );
  });

  it("has the same events, by the same ids, after a rebuild from nothing", async () => {
    const before = await readTimeless(stage);
    const { events } = await readDocument(stage, "index", {});
    expect(events.length).toBeGreaterThan(5);
    for (const store of [stage.publicStore, stage.stateStore]) {
      for await (const { key } of store.list("")) {
        if (!key.startsWith("journal/") && !key.startsWith("series/")) await store.delete(key);
      }
    }
    const options = { verify: false, prune: false, onDifference: () => undefined, onProgress: () => undefined };
    await rebuild({ ...stage.command, ...options });
    expect((await readDocument(stage, "index", {})).events.map(({ id }) => id)).toEqual(events.map(({ id }) => id));
    expect(await readTimeless(stage)).toEqual(before);
  });
});
