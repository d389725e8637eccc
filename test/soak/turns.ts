import type { Random } from "./random.ts";

/** Mostly the most an operation takes. */
const OPERATION_MILLISECONDS = 2_000;
/** One operation in so many outlasts a lease. */
const JUMP_ONE_IN = 60;
const JUMP_MILLISECONDS = 8 * 60_000;

interface Waiting {
  who: number;
  act: () => Promise<unknown>;
  settle: (result: Promise<unknown>) => void;
}

interface Event {
  at: number;
  happen: () => unknown;
}

/** The time of a world in which several act, step by step, in an order by a seed. */
export interface Turns {
  /** Milliseconds since 1970. */
  now: () => number;
  take<Result>(who: number, act: () => Promise<Result>): Promise<Result>;
  sleepUntil(time: number): Promise<void>;
  plan(at: number, happen: () => unknown): void;
  /** Holds one back until a time, while the others go on. */
  stall(who: number, until: number): void;
  runAll(tasks: Promise<void>[]): Promise<void>;
}

/** @param random null: no time is lost, and turns follow the order of asking */
export function createTurns({
  startsAt,
  random,
}: {
  startsAt: number;
  random: Random | null;
}): Turns {
  let now = startsAt;
  let waiting: Waiting[] = [];
  let events: Event[] = [];
  const stalledUntil = new Map<number, number>();
  const isReady = ({ who }: Waiting) => (stalledUntil.get(who) ?? 0) <= now;

  async function happenUntil(time: number): Promise<void> {
    now = Math.max(now, time);
    const due = events.filter(({ at }) => at <= now).sort((one, other) => one.at - other.at);
    events = events.filter(({ at }) => at > now);
    for (const { happen } of due) await happen();
  }

  async function step(): Promise<boolean> {
    const ready = waiting.filter(isReady);
    const next = ready[random?.below(ready.length) ?? 0];
    if (next === undefined) return false;
    waiting = waiting.filter((one) => one !== next);
    await happenUntil(now + lastsFor(random));
    const result = next.act();
    await Promise.allSettled([result]);
    next.settle(result);
    return true;
  }

  return {
    now: () => now,
    take: (who, act) =>
      new Promise((resolve) => {
        waiting.push({ who, act, settle: (result) => resolve(result as ReturnType<typeof act>) });
      }),
    sleepUntil: (time) => new Promise((resolve) => events.push({ at: time, happen: resolve })),
    plan: (at, happen) => void events.push({ at, happen }),
    stall: (who, until) => void stalledUntil.set(who, until),
    async runAll(tasks) {
      let running = tasks.length;
      const all = Promise.all(tasks.map((task) => task.finally(() => (running -= 1))));
      all.catch(() => undefined);
      while (running > 0 || events.length > 0) {
        await settled();
        if (await step()) continue;
        const times = [
          ...events.map(({ at }) => at),
          ...waiting.map(({ who }) => stalledUntil.get(who) ?? now),
        ];
        if (times.length > 0) await happenUntil(Math.min(...times));
      }
      await all;
    },
  };
}

/**
 * After a round of the event loop everybody has asked
 * for a turn: nobody uses other threads (at-once.ts).
 */
function settled(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}

function lastsFor(random: Random | null): number {
  if (random === null) return 100;
  return (
    1 + random.below(random.below(JUMP_ONE_IN) === 0 ? JUMP_MILLISECONDS : OPERATION_MILLISECONDS)
  );
}
