import { beforeEach, describe, expect, it } from "vitest";
import { createProjection } from "../../generator/service/projection/projection.ts";
import {
  forgetProgress,
  openRebuildCheckpoints,
  type RebuildCheckpointsOptions as FoldOptions,
} from "../../generator/service/rebuild/checkpoints.ts";
import type { Context } from "../../generator/service/context.ts";
import { type Ledger, createLedger, FOLD_VERSION } from "../../generator/ledger/ledger.ts";
import {
  listCheckpoints,
  loadCheckpoint,
  saveCheckpoint,
} from "../../generator/journal/checkpoints.ts";
import { toEntryKey } from "../../generator/journal/names.ts";
import { digestOfPosition } from "../../generator/journal/rulings.ts";
import { openMemoryStore } from "../../generator/store/memory.ts";
import { openCheckpoints } from "../../generator/service/projection/checkpoints.ts";
import { foldEntry } from "../../generator/service/projection/fold-entry.ts";
import { timeAt } from "../story/clock.ts";
import { snapshot } from "../story/observations.ts";
import { rest, withA } from "../story/validators.ts";
import { changeEntry } from "../journal/packed.ts";
import { makeRuling } from "../journal/samples.ts";
import { append, makeStation, makeStores, type Stores } from "./offline.ts";

const MINUTES = 6 * 60;
const NOW = Date.parse(timeAt(MINUTES));

const entries = Array.from({ length: MINUTES / 20 }, (_, index) =>
  snapshot(index * 20, withA({ bps: 500 + Math.floor(index / 3) * 100 })),
);

let stores: Stores;
let context: Context;

beforeEach(async () => {
  stores = makeStores();
  context = makeStation({ ...stores, now: NOW, holder: "rebuild" });
  await append(context, entries);
});

class Killed extends Error {}

/** A rebuild; by default it saves after every entry. */
function begin(
  changes: Partial<FoldOptions> & { killedAfter?: number; stoppedAfter?: number } = {},
) {
  const { killedAfter, stoppedAfter, ...options } = changes;
  const stopping = new AbortController();
  const { signal } = stopping;
  const checkpoints = openRebuildCheckpoints(context, {
    verify: false,
    saveMilliseconds: 0,
    signal,
    ...options,
  });
  const projection = createProjection({
    ...context,
    now: context.clock.now,
    checkpoints,
    signal,
    onProgress({ folded }) {
      if (folded === stoppedAfter) stopping.abort();
      if (folded === killedAfter) throw new Killed();
    },
  });
  return { ...projection, finish: () => checkpoints.finish() };
}

async function killedAfter(count: number, options: Partial<FoldOptions> = {}): Promise<void> {
  // An entry is announced before it is saved.
  await expect(begin({ ...options, killedAfter: count + 1 }).foldThrough(null)).rejects.toThrow(
    Killed,
  );
}

async function finish() {
  const whole = begin();
  const folded = await whole.foldThrough(null);
  return {
    resumedAt: whole.counts().resumedAt,
    folded,
    ledger: whole.ledger(),
    quarantined: whole.quarantined(),
  };
}

async function continued(
  ledger: Ledger,
  names: readonly string[],
  leftOut?: string,
): Promise<Ledger> {
  let after = ledger;
  for await (const entry of context.journal.read(names))
    if ("entry" in entry && entry.name !== leftOut) after = foldEntry(after, entry).ledger;
  return after;
}

const namesOf = async () => (await context.journal.list(null)).names;
const undisturbed = async () => continued(createLedger("mainnet", 1), await namesOf());

/** What a projection without checkpoints makes of the journal and its rulings. */
async function foldedAnew(): Promise<Ledger> {
  const { journal } = context;
  const place = { ...context.place, store: openMemoryStore() };
  const checkpoints = openCheckpoints({ place, journal }, { keeps: false });
  const projection = createProjection({ ...context, now: context.clock.now, checkpoints });
  await projection.refresh();
  return projection.ledger();
}

async function keysOf(prefix: string): Promise<string[]> {
  return (await Array.fromAsync(stores.stateStore.list(prefix))).map(({ key }) => key);
}

const damage = (key: string, body: Uint8Array) =>
  stores.stateStore.put(key, body, { expect: "any", contentType: "application/zstd" });

describe("a rebuild", () => {
  it.each([1, 5, 17])(
    "that was killed after %d entries goes on from there, to the same ledger",
    async (count) => {
      await killedAfter(count);
      const end = await finish();
      expect(end).toMatchObject({
        resumedAt: count,
        folded: entries.length - count,
        quarantined: [],
      });
      expect(end.ledger).toEqual(await undisturbed());
    },
  );

  it("that is stopped saves how far it has come, though it would not be time yet", async () => {
    const stopped = begin({ stoppedAfter: 7, saveMilliseconds: 1e9 });
    expect(await stopped.foldThrough(null)).toBe(7);
    expect(stopped.counts()).toMatchObject({ done: 7, total: entries.length });
    expect(await finish()).toMatchObject({ resumedAt: 7, folded: entries.length - 7 });
  });

  it("leaves nothing behind once its progress is forgotten, and begins anew", async () => {
    await killedAfter(9);
    expect((await keysOf("rebuild/")).length).toBeGreaterThan(0);
    await forgetProgress(context);
    expect(await keysOf("rebuild/")).toEqual([]);
    expect(await finish()).toMatchObject({ resumedAt: 0, folded: entries.length });
  });

  it("goes on from what a verification has folded", async () => {
    await killedAfter(9, { verify: true });
    expect(await finish()).toMatchObject({ resumedAt: 9 });
  });

  it("saves no progress before it is time, and keeps few states of it, the newest among them", async () => {
    await killedAfter(9, { saveMilliseconds: 1 });
    expect(await keysOf("rebuild/")).toEqual([]);
    await killedAfter(17);
    expect((await keysOf("rebuild/")).length).toBeLessThanOrEqual(6);
    expect((await finish()).resumedAt).toBe(17);
  });
});

describe("the progress of a rebuild", () => {
  const ruled = makeRuling({
    after: "0000000007",
    subject: { of: "observation", first: "0000000008", last: "0000000008" },
  });
  const last = () => toEntryKey(context, "0000000017");

  it.each([
    ["a ruling on the past", 7, () => context.journal.rule(ruled)],
    ["an entry that vanished", 16, () => stores.stateStore.delete(last())],
    [
      "an entry that was changed",
      16,
      () => changeEntry(context.place, "0000000017", (text) => `${text} `),
    ],
  ])("is not used from behind %s", async (_, fits, change) => {
    await killedAfter(17);
    await change();
    const { resumedAt, ledger } = await finish();
    expect(resumedAt).toBeLessThanOrEqual(fits);
    expect(resumedAt).toBeGreaterThan(0);
    expect(ledger).toEqual(await foldedAnew());
  });

  it("that cannot be read is named, and an older one is taken", async () => {
    await killedAfter(17);
    const newest = (await keysOf("rebuild/")).at(-1) ?? "";
    await damage(newest, new Uint8Array(20));
    const { resumedAt, ledger, quarantined } = await finish();
    expect(resumedAt).toBeLessThan(17);
    expect(resumedAt).toBeGreaterThan(0);
    expect(quarantined).toEqual([{ object: newest, reason: expect.any(String) as string }]);
    expect(ledger).toEqual(await undisturbed());
  });

  it("without an entry that could not be read is not used once it can", async () => {
    const name = (await namesOf())[5]!;
    const key = toEntryKey(context, name);
    const whole = (await stores.stateStore.get(key))?.body ?? new Uint8Array();
    await damage(key, whole.subarray(0, 30));
    await killedAfter(17);
    const lacking = await finish();
    expect(lacking).toMatchObject({ resumedAt: 17, quarantined: [{ object: name }] });
    await damage(key, whole);
    const mended = await finish();
    expect(mended.resumedAt).toBeLessThanOrEqual(5);
    expect(mended.quarantined).toEqual([]);
    expect(mended.ledger).toEqual(await undisturbed());
  });
});

describe("a rebuild beside a generator that goes on", () => {
  it("folds what was journaled meanwhile", async () => {
    const going = begin();
    await going.foldThrough(null);
    await context.journal.append(snapshot(MINUTES, rest));
    expect(await going.foldThrough(null)).toBe(1);
    expect(await going.foldThrough(null)).toBe(0);
    expect(going.ledger()).toEqual(await undisturbed());
  });

  it("begins again, from what still fits, when a ruling changed the past", async () => {
    await killedAfter(5);
    const going = begin();
    await going.foldThrough(null);
    const subject = { of: "observation", first: "0000000016", last: "0000000016" } as const;
    await context.journal.rule(makeRuling({ after: "0000000015", subject }));
    const folded = await going.foldThrough(null);
    expect(folded).toBeGreaterThanOrEqual(3);
    expect(folded).toBeLessThan(entries.length);
    expect(going.ledger()).toEqual(await foldedAnew());
  });
});

describe("the checkpoints that runs begin from", () => {
  const place = () => ({ store: stores.stateStore, network: "mainnet" as const, series: 1 });
  const heads = () => listCheckpoints(place(), { foldVersion: FOLD_VERSION });

  /** A ledger that lacks one entry, as damaged memory or other code leaves it. */
  async function keepWrong(count: number): Promise<string> {
    const names = await namesOf();
    const digest = digestOfPosition((await context.journal.hashOf(names[count - 1]!)) ?? "", []);
    const ledger = await continued(createLedger("mainnet", 1), names.slice(0, count), names[2]);
    return saveCheckpoint(place(), { ledger, foldVersion: FOLD_VERSION, digest });
  }

  it("have one of the newest entry among them after a rebuild, so that a run has nothing to fold", async () => {
    await finish();
    const run = makeStation({ ...stores, now: NOW, holder: "run" }).projection;
    expect(await run.refresh()).toEqual(new Map());
    expect(run.ledger()).toEqual(await undisturbed());
  });

  it("are put right where they are wrong, with a warning", async () => {
    const key = await keepWrong(12);
    const { quarantined, ledger } = await finish();
    const reason = expect.stringContaining("contradicts the journal") as string;
    expect(quarantined).toEqual([{ object: key, reason }]);
    expect(ledger).toEqual(await undisturbed());
    for (const head of await heads()) {
      const loaded = await loadCheckpoint<Ledger>(place(), { head, foldVersion: FOLD_VERSION });
      expect("ledger" in loaded && loaded.ledger.acceptance.accepted).not.toBe(11);
    }
    expect((await finish()).quarantined).toEqual([]);
    expect((await keysOf("quarantine/")).map((one) => one.includes(key))).toEqual([true]);
  });

  it("that cannot be read are set aside, and made anew", async () => {
    const key = await keepWrong(12);
    await damage(key, new Uint8Array([1, 2, 3]));
    expect((await finish()).quarantined).toEqual([
      { object: key, reason: expect.any(String) as string },
    ]);
    const head = (await heads()).find((one) => one.key === key);
    const loaded =
      head && (await loadCheckpoint<Ledger>(place(), { head, foldVersion: FOLD_VERSION }));
    expect(loaded && "ledger" in loaded && loaded.ledger.acceptance.accepted).toBe(12);
  });

  it("are only reported by a verification, which leaves no progress behind a wrong one", async () => {
    const key = await keepWrong(12);
    const before = await keysOf("checkpoints/");
    await killedAfter(17, { verify: true });
    expect(await keysOf("checkpoints/")).toEqual(before);
    const { resumedAt, quarantined } = await finish();
    expect(resumedAt).toBe(11);
    expect(quarantined).toEqual([{ object: key, reason: expect.any(String) as string }]);
  });

  it("that a generator made of a wrong one meanwhile are deleted", async () => {
    await keepWrong(12);
    const going = begin();
    await going.foldThrough(null);
    const key = await keepWrong(16);
    await going.finish();
    const names = await keysOf("checkpoints/");
    expect(names).not.toContain(key);
    expect(names.length).toBeGreaterThan(0);
  });
});
