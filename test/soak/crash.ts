import { hash } from "node:crypto";
import { toEntryKey } from "../../generator/journal/names.ts";
import { findDifferences, readOnce, type ReadOnce } from "./differences.ts";
import { forkStores, type Stores } from "./forked-store.ts";
import { dieAt, guard, ignoreDeath, isWrite, type Fate, type Operation } from "./mortal.ts";
import { startTeller, type Story } from "./story.ts";

/** When the operation of a dead writer takes effect. */
const LANDINGS = ["in the next run", "in the next run but one", "before the last run"] as const;

interface Crash {
  tick: number;
  /** Counted from 1. */
  operation: number;
  fate: Fate;
  /** For an operation that lands late. */
  landing: (typeof LANDINGS)[number] | null;
  isWarm: boolean;
}

interface Aftermath {
  /** Keys of objects that differ in the end from the story without a crash. */
  differences: string[];
  /** Runs after the death, or after the late operation, until nothing differed. */
  runs: number;
}

/** A failed read is the same whether it was answered or not; the last run has nothing after it. */
export function* crashesOf({ operations, warmOperations }: Story): Generator<Crash> {
  for (const tick of operations.keys()) {
    if (tick === operations.length - 1) return;
    yield* deathsIn(operations[tick] ?? [], { tick, isWarm: false });
    yield* deathsIn(warmOperations[tick] ?? [], { tick, isWarm: true });
  }
}

function* deathsIn(
  operations: Operation[],
  where: Pick<Crash, "tick" | "isWarm">,
): Generator<Crash> {
  for (const operation of operations) {
    const death = { ...where, operation: operation.number, landing: null };
    yield { ...death, fate: "lost" };
    if (!isWrite(operation)) continue;
    yield { ...death, fate: "done" };
    // It lands the same, whatever its writer knew.
    if (where.isWarm) continue;
    for (const landing of landingsOf(operation)) yield { ...death, fate: "late", landing };
  }
}

function landingsOf({ number, key }: Operation): (typeof LANDINGS)[number][] {
  return LANDINGS.filter(
    (_, index) => !key.startsWith("api/") || number % LANDINGS.length === index,
  );
}

/**
 * Compares with the story without the crash after each tick, until nothing differs;
 * `wholly`: to the end. Deaths that leave the same bytes share one aftermath.
 */
export function createCrashTeller(
  story: Story,
): (crash: Crash, how: { wholly: boolean }) => Promise<Aftermath> {
  const told = new Map<string, Aftermath>();
  const expected = story.before.map(readOnce);
  return async (crash, { wholly }) => {
    const wreck = await die(story, crash);
    const key = wreck.late === null && !wholly ? toFingerprint(wreck, crash) : null;
    const known = key === null ? undefined : told.get(key);
    if (known !== undefined) return known;
    const aftermath = await goOn(story, { crash, wreck, wholly, expected });
    if (key !== null) told.set(key, aftermath);
    return aftermath;
  };
}

interface Wreck {
  stores: Stores;
  /** Its operation still to take effect; null: none. */
  late: (() => Promise<unknown>) | null;
  /** Entries that the journal acknowledged and lacks. */
  missing: string[];
}

interface Death {
  crash: Crash;
  wreck: Wreck;
  wholly: boolean;
  /** The stores before each tick, and at the end, in the story without the crash. */
  expected: readonly ReadOnce[];
}

function toFingerprint(
  { stores: { publicStore, stateStore }, missing }: Wreck,
  { tick }: Crash,
): string {
  const objects = [publicStore, stateStore].map((store) =>
    [...store.etags()].sort(([one], [other]) => (one < other ? -1 : 1)),
  );
  return hash("sha256", JSON.stringify({ tick, missing, objects }));
}

async function goOn(story: Story, { crash, wreck, wholly, expected }: Death): Promise<Aftermath> {
  const { stores, late, missing } = wreck;
  const last = story.ticks.length - 1;
  const landing = toLanding(story, crash);
  let index = crash.tick;
  let operations = 0;
  let isLanded = late === null;
  const land = async () => {
    isLanded = true;
    await late?.();
  };
  const seen = guard(stores, async (_, act) => {
    operations += 1;
    if (!isLanded && index === landing.tick && operations === landing.operation) await land();
    return act();
  });
  let teller = await startTeller(story.world, seen, story.ticks[index]!);

  for (let runs = 1; ; runs += 1) {
    await teller.tick(story.ticks[index]!);
    // A process that goes on needs fewer operations
    // than one that begins, of which the story counts.
    if (!isLanded && index === landing.tick) await land();
    const found = await findDifferences(readOnce(stores), expected[index + 1]!);
    const differences = [...missing, ...found];
    const isOver = differences.length === 0 && !wholly;
    if (index === last || (isOver && isLanded)) return { differences, runs };
    index += 1;
    operations = 0;
    if (isOver && landing.tick === last) {
      index = last;
      stores.publicStore.become(story.before[index]!.publicStore);
      stores.stateStore.become(story.before[index]!.stateStore);
      // One that goes on would continue the chain of the stores that are gone.
      teller = await startTeller(story.world, seen, story.ticks[index]!);
    }
  }
}

async function die(story: Story, { tick, operation, fate, isWarm }: Crash): Promise<Wreck> {
  const first = isWarm ? tick - 1 : tick;
  const stores = forkStores(story.before[first]!);
  const until = isWarm ? (story.operations[first]?.length ?? 0) : 0;
  let late: (() => Promise<unknown>) | null = null;
  const dying = dieAt(stores, { number: until + operation, fate, onLate: (act) => (late = act) });
  const teller = await startTeller(story.world, dying, story.ticks[first]!, "who dies").catch(
    ignoreDeath,
  );
  try {
    for (let index = first; index <= tick; index += 1) await teller?.tick(story.ticks[index]!);
  } catch (error) {
    ignoreDeath(error);
  }
  const kept = stores.stateStore.etags();
  const keys = (teller?.appended ?? []).map(({ name }) =>
    toEntryKey({ network: "mainnet", series: 1 }, name),
  );
  return {
    stores,
    late: late as (() => Promise<unknown>) | null,
    missing: keys.filter((key) => !kept.has(key)),
  };
}

/**
 * The run and the operation before which a late one
 * lands: in the middle of a publish, the second time.
 */
function toLanding(
  { ticks, operations }: Story,
  { tick, landing }: Crash,
): { tick: number; operation: number } {
  const last = ticks.length - 1;
  if (landing === "in the next run") return { tick, operation: 4 };
  const next = landing === "in the next run but one" ? tick + 1 : last;
  if (next >= last) return { tick: last, operation: 1 };
  return { tick: next, operation: Math.ceil((operations[next]?.length ?? 0) / 2) };
}
