import { StoreError } from "../../generator/store/store.ts";
import { openStores, type Stores } from "./forked-store.ts";
import { DEATH, guard, isWrite, type Seen } from "./mortal.ts";
import { createWorldObserver } from "./observer.ts";
import { startProcess, type Appended, type Process } from "./process.ts";
import { createRandom, type Random } from "./random.ts";
import { createTurns, type Turns } from "./turns.ts";
import { BEGIN, EPOCH_MILLISECONDS, type World } from "./world.ts";

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
/**
 * Epochs with changes. A change comes at least an hour and a half before its observation,
 * and each epoch is observed twice: the next one decides about MEV, by two readings.
 */
export const EPOCHS = 2;
const TICKS_AT = [3, 9, 21, 27, 45, 51, 63].map((hours) => BEGIN + hours * HOUR);
/** Later than everything that takes effect late. */
const CALM_AT = BEGIN + 3.2 * EPOCH_MILLISECONDS;
const CLOCK_OFF_MILLISECONDS = 2_000;
/** One operation in so many kills its process or stalls it. */
const DEATH_ONE_IN = 200;
const STALL_ONE_IN = 150;
const STALL_MILLISECONDS = 7 * HOUR;
const LATE_MILLISECONDS = 20 * HOUR;

interface RivalsOptions {
  world: World;
  generators: number;
  /** null: one after the other, undisturbed. */
  seed: number | null;
}

export interface Traces {
  stores: Stores;
  appended: Appended[];
  /** Why a last run did not publish, or had its observation refused. */
  complaints: string[];
  deaths: number;
  operations: number;
}

/**
 * With every other seed they also die. The first is
 * never stalled for hours: somebody sees everything.
 */
export async function letRivalsRun({ world, generators, seed }: RivalsOptions): Promise<Traces> {
  const random = seed === null ? null : createRandom(seed);
  const turns = createTurns({ startsAt: BEGIN, random });
  const traces: Traces = {
    stores: openStores(),
    appended: [],
    complaints: [],
    deaths: 0,
    operations: 0,
  };
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

function createRival({ world, turns, random, who, traces, isDeadly }: RivalOptions) {
  const clockOff =
    random === null ? 0 : random.below(2 * CLOCK_OFF_MILLISECONDS + 1) - CLOCK_OFF_MILLISECONDS;
  const now = () => turns.now() + clockOff;
  const observer = createWorldObserver({
    world,
    // One endpoint of its own, and one that all share.
    witnesses: [`http://127.0.0.1:${8001 + who}#0`, "http://127.0.0.1:8000#1"],
    read: () => ({ trueTime: turns.now(), ownTime: now() }),
  });
  /** Ticks slept through. */
  const asleep = new Set(
    who === 0 || random === null ? [] : toSpan(random.below(TICKS_AT.length), random.below(3)),
  );
  let lives = 0;
  let current: Process | null = null;
  let isCalm = false;

  function see(): Seen {
    let isDead = false;
    return guard(traces.stores, async (operation, act) => {
      const fail = () => new StoreError("a store", operation.name, operation.key, DEATH);
      if (isDead) throw fail();
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
        if (fate === 2 && isWrite(operation))
          turns.plan(turns.now() + random.below(LATE_MILLISECONDS), act);
        throw fail();
      });
    });
  }

  async function start(): Promise<Process> {
    lives += 1;
    const holder = `generator ${who}, life ${lives}`;
    return startProcess({ ...see(), observer, now, holder, appended: traces.appended });
  }

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
        if (asleep.has(index) || at < turns.now()) continue;
        await turns.sleepUntil(at);
        await survive("snapshot");
        if (index % 2 === 1) continue;
        await turns.sleepUntil(Math.ceil(turns.now() / MINUTE) * MINUTE);
        await survive("check");
      }
    },
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
