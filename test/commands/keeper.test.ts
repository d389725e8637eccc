import { describe, expect, it } from "vitest";
import { createKeeper, type JournalPosition, type Keeper } from "../../generator/commands/keeper.ts";
import { toObjectKey } from "../../generator/contract/objects.ts";
import { openJournal, type Journal } from "../../generator/journal/journal.ts";
import { toEntryKey } from "../../generator/journal/names.ts";
import type { Entry } from "../../generator/ledger/entry.ts";
import { countOperations, type OperationCounts } from "../../generator/store/counting.ts";
import { openMemoryStore } from "../../generator/store/memory.ts";
import type { ObjectStore } from "../../generator/store/store.ts";
import { check, confirm, crowd, keyOf, snapshot, timeAt } from "../ledger/story.ts";

interface Generator {
  store: ObjectStore;
  counts: OperationCounts;
  journal: Journal;
  /** A minute of the story: what the clock reads. */
  minute: number;
  append(...entries: Entry[]): Promise<string[]>;
  /** Another process on the same store. */
  makeKeeper(): Keeper;
}

function makeGenerator(): Generator {
  const { store, counts } = countOperations(openMemoryStore());
  const journal = openJournal({ store, network: "mainnet", series: 1 });
  const generator: Generator = {
    store,
    counts,
    journal,
    minute: 0,
    append: (...entries) => Promise.all(entries.map((entry) => journal.append(entry))),
    makeKeeper: () => createKeeper({ network: "mainnet", journal, now: () => Date.parse(timeAt(generator.minute)) }),
  };
  return generator;
}

const CROWD = crowd(12);
const others = (minute: number, bps: number) => check(minute, [{ name: "rugger", bps }, ...CROWD]);
const first = (minute: number) => snapshot(minute, [{ name: "rugger", bps: 500 }, ...CROWD]);

/** A snapshot, and then a check each minute. */
const calm = (from: number, to: number) => [
  first(from),
  ...Array.from({ length: to - from }, (_, index) => others(from + 1 + index, 500)),
];

const keysOf = (keeper: Keeper) => {
  const { references, since } = keeper.changed();
  return { since, keys: references.map(({ kind, names }) => toObjectKey("mainnet", kind, names)).sort() };
};

/** The position that a keeper which has folded all of it says it is at. */
function positionOf(keeper: Keeper): JournalPosition {
  const position = keeper.position();
  if (position === null) throw new Error("the keeper has folded nothing");
  return position;
}

describe("a keeper", () => {
  it("stands nowhere before anything is folded", async () => {
    const keeper = makeGenerator().makeKeeper();
    expect(await keeper.refresh()).toEqual(new Map());
    expect(keeper.position()).toBeNull();
    expect(keeper.changed().references).toEqual([]);
  });

  it("folds on: what it has folded is not read again", async () => {
    const generator = makeGenerator();
    const keeper = generator.makeKeeper();
    generator.minute = 5;
    const names = await generator.append(...calm(0, 4));
    expect([...(await keeper.refresh()).keys()]).toEqual(names);
    const before = generator.counts.gets;
    const [name = ""] = await generator.append(others(5, 500));
    expect(await keeper.refresh()).toEqual(new Map([[name, { accepted: true }]]));
    expect(generator.counts.gets - before).toBe(1);
    expect(await keeper.refresh()).toEqual(new Map());
    expect(positionOf(keeper).through).toBe(name);
  });

  it("says what the fold said of each entry", async () => {
    const generator = makeGenerator();
    const keeper = generator.makeKeeper();
    await generator.append(first(0));
    const [name = ""] = await generator.append(check(1, CROWD, { slot: 1 }));
    const outcome = (await keeper.refresh()).get(name);
    expect(outcome).toMatchObject({
      accepted: false,
      reason: expect.stringContaining("slot 1 is not above") as string,
    });
  });

  it("knows what an entry changed since it was published, and nothing else", async () => {
    const generator = makeGenerator();
    const keeper = generator.makeKeeper();
    await generator.append(...calm(0, 4));
    await keeper.refresh();
    keeper.setPublished(keeper.position());
    await generator.append(others(5, 10_000), confirm(5.1, [{ name: "rugger", bps: 10_000 }]));
    await keeper.refresh();
    const { keys, since } = keysOf(keeper);
    expect(since).toEqual(expect.objectContaining({ through: expect.stringMatching(/-check-/) as string }));
    const vote = keyOf("rugger");
    const ofValidator = keys.filter((key) => key.includes("/validators/"));
    expect(ofValidator).toEqual([
      `api/v1/mainnet/validators/${vote}.json`,
      `api/v1/mainnet/validators/${vote}/commission-history.json`,
      `api/v1/mainnet/validators/${vote}/events.json`,
    ]);
    expect(keys).toContain("api/v1/mainnet/epochs/1100/events.json");
  });

  it("takes every document for changed as long as nothing is published that it knows of", async () => {
    const generator = makeGenerator();
    const keeper = generator.makeKeeper();
    await generator.append(...calm(0, 3));
    await keeper.refresh();
    expect(keysOf(keeper).since).toBeNull();
    expect(keysOf(keeper).keys.filter((key) => key.endsWith("/uptime.json"))).toHaveLength(CROWD.length + 1);
    const never = { through: "2026-11-20/100000000-check-0000000000000000", digest: "of another journal" };
    keeper.setPublished(never);
    await keeper.refresh();
    expect(keysOf(keeper).since).toBeNull();
    expect(keysOf(keeper).keys.filter((key) => key.endsWith("/uptime.json"))).toHaveLength(CROWD.length + 1);
  });
});

describe("a late entry", () => {
  /** A rug seen at minute 5, and a late observation of minute 3 that saw it before all others. */
  async function makeLate() {
    const generator = makeGenerator();
    const keeper = generator.makeKeeper();
    generator.minute = 8;
    await generator.append(...calm(0, 2), others(4, 500));
    await keeper.refresh();
    const published = keeper.position();
    keeper.setPublished(published);
    await generator.append(others(5, 9500), others(6, 9500));
    await keeper.refresh();
    const [late = ""] = await generator.append(others(3, 9500));
    return { generator, keeper, published, late };
  }

  it("is folded in its place: the ledger is that of a keeper which saw it in time", async () => {
    const { generator, keeper, late } = await makeLate();
    expect(keeper.ledger().events).toHaveLength(1);
    const outcomes = await keeper.refresh();
    expect(outcomes.get(late)).toEqual({ accepted: true });
    const fresh = generator.makeKeeper();
    await fresh.refresh();
    expect(keeper.ledger()).toEqual(fresh.ledger());
    expect(keeper.position()).toEqual(fresh.position());
    // Seen at minute 3, denied at minute 4, seen at minute 5 again: one change dropped, one confirmed.
    expect(keeper.ledger()).toMatchObject({ dropped: 1, events: [{ createdAt: timeAt(5) }] });
  });

  it("lets the same be published by the keeper that went on and by a new one", async () => {
    const { generator, keeper, published } = await makeLate();
    await keeper.refresh();
    const fresh = generator.makeKeeper();
    fresh.setPublished(published);
    await fresh.refresh();
    expect(keysOf(keeper)).toEqual(keysOf(fresh));
  });

  it("before the published position makes all documents suspect", async () => {
    const { keeper } = await makeLate();
    await keeper.refresh();
    expect(keysOf(keeper).since).toBeNull();
  });

  it("behind the published position leaves the count from there", async () => {
    const generator = makeGenerator();
    const keeper = generator.makeKeeper();
    await generator.append(...calm(0, 4));
    await keeper.refresh();
    keeper.setPublished(keeper.position());
    await generator.append(others(7, 500));
    await keeper.refresh();
    const published = keysOf(keeper).since;
    await generator.append(others(6, 500));
    await keeper.refresh();
    expect(published).not.toBeNull();
    expect(keysOf(keeper).since).toEqual(published);
  });
});

describe("checkpoints", () => {
  const prefix = "checkpoints/mainnet/0001/";
  const countCheckpoints = async ({ store }: Generator) => (await Array.fromAsync(store.list(prefix))).length;

  it("are taken of a settled past, and a new process folds only what came after", async () => {
    const generator = makeGenerator();
    await generator.append(...calm(0, 100));
    generator.minute = 100.5;
    await generator.makeKeeper().refresh();
    expect(await countCheckpoints(generator)).toBe(1);
    const fresh = generator.makeKeeper();
    const outcomes = await fresh.refresh();
    // The last ten minutes are not settled, nor the entry they begin after.
    expect(outcomes.size).toBe(10);
    expect(fresh.ledger().acceptance.accepted).toBe(101);
  });

  it("give the same ledger as folding everything", async () => {
    const generator = makeGenerator();
    await generator.append(...calm(0, 70), others(71, 9900), others(72, 9900));
    generator.minute = 72.5;
    const whole = generator.makeKeeper();
    await whole.refresh();
    const fromCheckpoint = generator.makeKeeper();
    const { size } = await fromCheckpoint.refresh();
    expect(size).toBeLessThan(20);
    expect(fromCheckpoint.ledger()).toEqual(whole.ledger());
  });

  it("are not taken of the last ten minutes, nor again before fifty have passed", async () => {
    const generator = makeGenerator();
    await generator.append(...calm(0, 9));
    generator.minute = 9.5;
    await generator.makeKeeper().refresh();
    expect(await countCheckpoints(generator)).toBe(0);
    await generator.append(...calm(10, 70).slice(1));
    generator.minute = 70.5;
    await generator.makeKeeper().refresh();
    expect(await countCheckpoints(generator)).toBe(1);
    await generator.append(...calm(71, 90).slice(1));
    generator.minute = 90.5;
    await generator.makeKeeper().refresh();
    expect(await countCheckpoints(generator)).toBe(1);
  });

  it("that have not seen a late entry are not used", async () => {
    const generator = makeGenerator();
    await generator.append(...calm(0, 80));
    generator.minute = 80.5;
    await generator.makeKeeper().refresh();
    await generator.append(others(20.5, 500));
    const fresh = generator.makeKeeper();
    expect((await fresh.refresh()).size).toBe(82);
  });

  it("are left behind by a process that goes on for hours", async () => {
    const generator = makeGenerator();
    const keeper = generator.makeKeeper();
    for (let minute = 0; minute <= 180; minute += 10) {
      await generator.append(first(minute));
      generator.minute = minute + 0.5;
      await keeper.refresh();
    }
    expect(await countCheckpoints(generator)).toBe(2);
  });
});

describe("what another process publishes", () => {
  it("makes everything between seen: what it showed is looked at again", async () => {
    const generator = makeGenerator();
    const [mine, theirs] = [generator.makeKeeper(), generator.makeKeeper()];
    await generator.append(...calm(0, 2));
    await Promise.all([mine.refresh(), theirs.refresh()]);
    const older = positionOf(theirs);
    mine.setPublished(mine.position());
    await generator.append(others(3, 9100), others(4, 9100));
    await mine.refresh();
    mine.setPublished(mine.position());
    expect(keysOf(mine).keys.filter((key) => key.includes("/validators/"))).toEqual([]);
    // A slower process puts the older state back: from there on everything has changed that came since.
    mine.setPublished(older);
    await mine.refresh();
    expect(keysOf(mine).since).toEqual(older);
    expect(keysOf(mine).keys).toContain(toObjectKey("mainnet", "validatorEvents", { votePubkey: keyOf("rugger") }));
  });

  it("at a position not folded yet is followed", async () => {
    const generator = makeGenerator();
    const [mine, theirs] = [generator.makeKeeper(), generator.makeKeeper()];
    await generator.append(...calm(0, 2));
    await mine.refresh();
    mine.setPublished(mine.position());
    await generator.append(others(3, 9100), others(4, 9100));
    await theirs.refresh();
    mine.setPublished(theirs.position());
    await mine.refresh();
    expect(keysOf(mine).since).toEqual(theirs.position());
    expect(mine.ledger()).toEqual(theirs.ledger());
    await generator.append(check(5, [{ name: "rugger", bps: 9100 }, { name: "crowd 0", bps: 0 }, ...CROWD.slice(1)]));
    await generator.append(confirm(5.1, [{ name: "crowd 0", bps: 0 }]));
    await mine.refresh();
    expect(keysOf(mine).since).toEqual(theirs.position());
    expect(keysOf(mine).keys).toContain(toObjectKey("mainnet", "validatorEvents", { votePubkey: keyOf("crowd 0") }));
  });
});

describe("what cannot be read in the journal", () => {
  it("is named, and the rest is folded", async () => {
    const generator = makeGenerator();
    const keeper = generator.makeKeeper();
    const [, cut = ""] = await generator.append(...calm(0, 3));
    const key = toEntryKey({ network: "mainnet", series: 1 }, cut);
    const whole = await generator.store.get(key);
    const body = whole?.body.slice(0, 40) ?? new Uint8Array();
    await generator.store.put(key, body, { expect: "any", contentType: "application/zstd" });
    const foreign = "journal/mainnet/0001/2026-11-20/notes.txt";
    await generator.store.put(foreign, body, { expect: "any", contentType: "text/plain" });
    expect((await keeper.refresh()).size).toBe(3);
    expect(keeper.ledger().acceptance.accepted).toBe(3);
    expect(keeper.quarantined()).toEqual([
      { object: foreign, reason: "not named as an entry is" },
      { object: cut, reason: expect.stringMatching(/./) as string },
    ]);
  });

  it("stays named while the keeper folds on", async () => {
    const generator = makeGenerator();
    const keeper = generator.makeKeeper();
    await generator.append(...calm(0, 1));
    const foreign = "journal/mainnet/0001/2026-11-20/notes.txt";
    await generator.store.put(foreign, new Uint8Array(3), { expect: "any", contentType: "text/plain" });
    await keeper.refresh();
    await generator.append(others(2, 500));
    await keeper.refresh();
    expect(keeper.quarantined()).toEqual([{ object: foreign, reason: "not named as an entry is" }]);
  });
});
