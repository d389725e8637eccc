import { StoreError } from "../../generator/store/store.ts";
import { openStores, type Stores } from "./forked-store.ts";
import { DEATH, guard, isWrite, type Seen } from "./mortal.ts";
import { createWorldObserver } from "./observer.ts";
import { startProcess, type Process } from "./process.ts";
import { createRandom, type Random } from "./random.ts";
import { createTurns, type Turns } from "./turns.ts";
import { BEGIN, EPOCH_MILLISECONDS, type World } from "./world.ts";

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
/**
 * Epochs in which commissions change, and when generators observe: what changes does so an hour and a half later at the
 * earliest, and each epoch is observed, so that MEV is decided about in the one after it.
 */
export const EPOCHS = 2;
const TICKS_AT = [3, 9, 21, 27, 45, 51].map((hours) => BEGIN + hours * HOUR);
/** When all is calm again: late enough for the first days to be packed, and the entries of the first to be deleted. */
const CALM_AT = BEGIN + 3.2 * EPOCH_MILLISECONDS;
const CLOCK_OFF_MILLISECONDS = 2_000;
/** One operation in so many is the last of its process, or holds its process up. */
const DEATH_ONE_IN = 200;
const STALL_ONE_IN = 150;
const STALL_MILLISECONDS = 7 * HOUR;
const LATE_MILLISECONDS = 20 * HOUR;

export interface RivalsOptions {
  world: World;
  generators: number;
  /** null: one after the other, and nothing goes wrong. */
  seed: number | null;
}

/** What several generators at once have left behind, after a last undisturbed run of each. */
export interface Traces {
  stores: Stores;
  /** Names of the entries that the journal told any of them it has. */
  appended: string[];
  /** Why a last run did not publish, or its observation was refused. */
  complaints: string[];
  /** Processes that died. */
  deaths: number;
  /** Operations on the stores. */
  operations: number;
}

/**
 * Lets generators observe and publish the same world at the same time, into the same stores. In an order made up from the seed;
 * every other seed lets them die as well. The first is never held up for hours, so that all that happens is seen by somebody.
 */
export async function letRivalsRun({ world, generators, seed }: RivalsOptions): Promise<Traces> {
  const random = seed === null ? null : createRandom(seed);
  const turns = createTurns({ startsAt: BEGIN, random });
  const traces: Traces = { stores: openStores(), appended: [], complaints: [], deaths: 0, operations: 0 };
  const isDeadly = seed !== null && seed % 2 === 0;
  const rivals = Array.from({ length: generators }, (_, who) =>
    createRival({ world, turns, random, who, traces, isDeadly }),
  );
  await turns.runAll(rivals.map((rival) => rival.live()));
  for (const [index, rival] of rivals.entries()) {
    const calm = turns.sleepUntil(CALM_AT + index * 3 * MINUTE).then(() => rival.end());
    await turns.runAll([calm]);
  }
  return traces;
}

interface RivalOptions {
  world: World;
  turns: Turns;
  random: Random | null;
  who: number;
  traces: Traces;
  isDeadly: boolean;
}

/** A generator on a machine of its own: after a death it is started anew. */
function createRival({ world, turns, random, who, traces, isDeadly }: RivalOptions) {
  const clockOff = random === null ? 0 : random.below(2 * CLOCK_OFF_MILLISECONDS + 1) - CLOCK_OFF_MILLISECONDS;
  const now = () => turns.now() + clockOff;
  const observer = createWorldObserver({
    world,
    // One of its own, and one that all of them ask.
    witnesses: [`http://127.0.0.1:${8001 + who}#0`, "http://127.0.0.1:8000#1"],
    read: () => ({ trueTime: turns.now(), ownTime: now() }),
  });
  /** Ticks that it sleeps through. */
  const asleep = new Set(who === 0 || random === null ? [] : toSpan(random.below(TICKS_AT.length), random.below(3)));
  let lives = 0;
  let current: Process | null = null;
  let isCalm = false;
  let isCompacting = false;

  /** The stores as one life sees them. */
  function see(): Seen {
    let isDead = false;
    return guard(traces.stores, async (operation, act) => {
      const fail = () => new StoreError("a store", operation.name, operation.key, DEATH);
      if (isDead) throw fail();
      if (isCompacting) return act();
      if (random !== null && !isCalm && who > 0 && random.below(STALL_ONE_IN) === 0)
        turns.stall(who, turns.now() + random.below(STALL_MILLISECONDS));
      return turns.take(who, async () => {
        traces.operations += 1;
        if (isDead) throw fail();
        if (random === null || isCalm || !isDeadly || random.below(DEATH_ONE_IN) > 0) return act();
        isDead = true;
        traces.deaths += 1;
        const fate = random.below(3);
        if (fate === 1) await act();
        if (fate === 2 && isWrite(operation)) turns.plan(turns.now() + random.below(LATE_MILLISECONDS), act);
        throw fail();
      });
    });
  }

  async function start(): Promise<Process> {
    lives += 1;
    const holder = `generator ${who}, life ${lives}`;
    return startProcess({ ...see(), observer, now, holder, appended: traces.appended, letCompact });
  }

  /** In one turn: packs are compressed on another thread, and when that ends no seed can tell. */
  async function letCompact(compact: () => Promise<void>): Promise<void> {
    await turns.take(who, async () => {
      isCompacting = true;
      await compact();
      isCompacting = false;
    });
  }

  /** Goes through a tick, by a new process where the one that began it dies. */
  async function survive(kind: "check" | "snapshot") {
    for (;;) {
      try {
        current ??= await start();
        return await current.tick(kind);
      } catch (error) {
        if (!(error instanceof StoreError) || !error.message.includes(DEATH)) throw error;
        current = null;
        await turns.sleepUntil(turns.now() + MINUTE);
      }
    }
  }

  return {
    async live(): Promise<void> {
      for (const [index, at] of TICKS_AT.entries()) {
        // Whoever comes late leaves out what is over.
        if (asleep.has(index) || at < turns.now()) continue;
        await turns.sleepUntil(at);
        await survive("snapshot");
        if (index % 2 === 1) continue;
        await turns.sleepUntil(Math.ceil(turns.now() / MINUTE) * MINUTE);
        await survive("check");
      }
    },
    /** The last undisturbed run. */
    async end(): Promise<void> {
      isCalm = true;
      const { skipped, rejected, upkeep } = await survive("snapshot");
      const reasons = [
        skipped,
        ...rejected.map(({ reason }) => reason),
        ...upkeep.filter((line) => line.includes("failed")),
      ];
      traces.complaints.push(...reasons.filter((reason) => reason !== null));
    },
  };
}

function toSpan(first: number, length: number): number[] {
  return Array.from({ length }, (_, index) => first + index);
}
