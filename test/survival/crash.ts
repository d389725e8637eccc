import { isDeepStrictEqual } from "node:util";
import { OBJECTS, toObjectKey } from "../../generator/contract/objects.ts";
import { openJournal } from "../../generator/journal/journal.ts";
import { toEntryKey } from "../../generator/journal/names.ts";
import { forkStores, type Stores } from "./forked-store.ts";
import { StoreError } from "../../generator/store/store.ts";
import { DEATH, dieAt, guard, isWrite, type Fate, type Operation } from "./mortal.ts";
import { startTeller, type Story, type Tick } from "./story.ts";

const STATUS_KEY = toObjectKey("mainnet", "status", {});

/** When an operation takes effect whose writer died over it: in the run after, in the one after that, or before the last of all. */
const LANDINGS = ["in the next run", "in the next run but one", "before the last run"] as const;

/** How a process of a story dies. */
export interface Crash {
  /** Place of the tick in the story. */
  tick: number;
  /** Of the operations that its process asks for, from 1. */
  operation: number;
  fate: Fate;
  /** Of an operation whose fate is to be late. */
  landing: (typeof LANDINGS)[number] | null;
  /** Whether the process has gone through the tick before as well, and holds what it then knew. */
  isWarm: boolean;
}

/** How a story ended in which a process died. */
export interface Aftermath {
  /** What is not as in the story without a crash, in the end: keys of objects. */
  differences: string[];
  /** Runs after the death, or after the late operation took effect, until everything was as if nothing had happened. */
  runs: number;
}

/**
 * Every way in which a process of the story can die; the last run is left undisturbed. A read that fails is the same whether it
 * was answered or not.
 */
export function* crashesOf({ operations, warmOperations }: Story): Generator<Crash> {
  for (const tick of operations.keys()) {
    if (tick === operations.length - 1) return;
    yield* deathsIn(operations[tick] ?? [], { tick, isWarm: false });
    yield* deathsIn(warmOperations[tick] ?? [], { tick, isWarm: true });
  }
}

function* deathsIn(operations: Operation[], where: Pick<Crash, "tick" | "isWarm">): Generator<Crash> {
  for (const operation of operations) {
    const death = { ...where, operation: operation.number, landing: null };
    yield { ...death, fate: "lost" };
    if (!isWrite(operation)) continue;
    yield { ...death, fate: "done" };
    // What was asked for lands the same, whatever its writer knew.
    if (where.isWarm) continue;
    for (const landing of landingsOf(operation)) yield { ...death, fate: "late", landing };
  }
}

/** Of the documents, of which there are many, each in one way; of all else in every way. */
function landingsOf({ number, key }: Operation): (typeof LANDINGS)[number][] {
  return LANDINGS.filter((_, index) => !key.startsWith("api/") || number % LANDINGS.length === index);
}

/**
 * Tells the story again, in which a process dies and a new one begins the same tick again and goes on. It ends when everything
 * is as in the story without the crash after the same tick: what follows depends on nothing else. `wholly`: it is told to the
 * end all the same.
 */
export async function tellWithCrash(story: Story, crash: Crash, { wholly }: { wholly: boolean }): Promise<Aftermath> {
  const { stores, late, missing } = await die(story, crash);
  const last = story.ticks.length - 1;
  const landing = toLanding(story, crash);
  let index = crash.tick;
  let operations = 0;
  let isLanded = late === null;
  const seen = guard(stores, async (_, act) => {
    operations += 1;
    if (!isLanded && index === landing.tick && operations === landing.operation) {
      isLanded = true;
      await late?.();
    }
    return act();
  });
  const teller = await startTeller(story.world, seen, tickAt(story, index));

  for (let runs = 1; ; runs += 1) {
    await teller.tick(tickAt(story, index));
    const differences = [...missing, ...(await findDifferences(stores, storesBefore(story, index + 1)))];
    const isOver = differences.length === 0 && !wholly;
    if (index === last || (isOver && isLanded)) return { differences, runs };
    index += 1;
    operations = 0;
    if (isOver && landing.tick === last) {
      index = last;
      takeUp(stores, story, index);
    }
  }
}

/** Lets a process of the story die: its stores then, what it asked for that is yet to take effect, and what it lost. */
async function die(story: Story, { tick, operation, fate, isWarm }: Crash) {
  const first = isWarm ? tick - 1 : tick;
  const stores = forkStores(storesBefore(story, first));
  const until = isWarm ? (story.operations[first]?.length ?? 0) : 0;
  let late: (() => Promise<unknown>) | null = null;
  const dying = dieAt(stores, { number: until + operation, fate, onLate: (act) => (late = act) });
  const teller = await startTeller(story.world, dying, tickAt(story, first)).catch(ignoreDeath);
  try {
    for (let index = first; index <= tick; index += 1) await teller?.tick(tickAt(story, index));
  } catch (error) {
    ignoreDeath(error);
  }
  const kept = stores.stateStore.etags();
  const keys = (teller?.appended ?? []).map((name) => toEntryKey({ network: "mainnet", series: 1 }, name));
  return { stores, late: late as (() => Promise<unknown>) | null, missing: keys.filter((key) => !kept.has(key)) };
}

/** @throws what is no death. */
function ignoreDeath(error: unknown): null {
  if (error instanceof StoreError && error.message.includes(DEATH)) return null;
  throw error;
}

/** In which run, and before which of its operations, something late takes effect: in the middle of a publish, the second time. */
function toLanding({ ticks, operations }: Story, { tick, landing }: Crash): { tick: number; operation: number } {
  const last = ticks.length - 1;
  if (landing === "in the next run") return { tick, operation: 4 };
  const next = landing === "in the next run but one" ? tick + 1 : last;
  if (next >= last) return { tick: last, operation: 1 };
  return { tick: next, operation: Math.ceil((operations[next]?.length ?? 0) / 2) };
}

/** Makes the stores those of the story without a crash, which they are equal to but for what need not be. */
function takeUp(stores: Stores, story: Story, index: number): void {
  const { publicStore, stateStore } = storesBefore(story, index);
  stores.publicStore.become(publicStore);
  stores.stateStore.become(stateStore);
}

/**
 * Keys of the objects that are not the same in both. Checkpoints may differ: they are but a cache. So may how far entries are
 * packed, which is done piece by piece. And the status may tell of what was found damaged and mended.
 */
export async function findDifferences(one: Stores, other: Stores): Promise<string[]> {
  const differences = (["publicStore", "stateStore"] as const).flatMap((which) => {
    const [found, expected] = [one[which].etags(), other[which].etags()];
    const keys = [...new Set([...found.keys(), ...expected.keys()])];
    return keys.filter((key) => !key.startsWith("checkpoints/") && found.get(key) !== expected.get(key));
  });
  const isOfJournal = (key: string) => key.startsWith("journal/");
  if (differences.some(isOfJournal) && isDeepStrictEqual(await readJournal(one), await readJournal(other)))
    return (await withoutStatus(one, other, differences)).filter((key) => !isOfJournal(key));
  return withoutStatus(one, other, differences);
}

/** Every entry of the journal, or why it cannot be read, from wherever it lies: apart or in a pack. */
function readJournal({ stateStore }: Stores) {
  const journal = openJournal({ store: stateStore, network: "mainnet", series: 1 });
  return journal.names().then(({ names }) => Array.fromAsync(journal.read(names)));
}

/** Leaves out the status where both say the same. */
async function withoutStatus(one: Stores, other: Stores, differences: string[]): Promise<string[]> {
  if (!differences.includes(STATUS_KEY)) return differences;
  const [found, expected] = await Promise.all([readStatus(one), readStatus(other)]);
  return differences.filter((key) => key !== STATUS_KEY || !isDeepStrictEqual(found, expected));
}

/** The status but for what was found damaged; null: there is none. */
async function readStatus({ publicStore }: Stores) {
  const object = await publicStore.get(STATUS_KEY);
  if (object === null) return null;
  const { data } = OBJECTS.status.schema.parse(JSON.parse(new TextDecoder().decode(object.body)));
  return { ...data, quarantined: [] };
}

function storesBefore({ before }: Story, index: number): Stores {
  const stores = before[index];
  if (stores === undefined) throw new RangeError(`the story has no tick ${index}`);
  return stores;
}

function tickAt({ ticks }: Story, index: number): Tick {
  const tick = ticks[index];
  if (tick === undefined) throw new RangeError(`the story has no tick ${index}`);
  return tick;
}
