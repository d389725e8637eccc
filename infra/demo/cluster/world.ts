import { createCalendar, type Calendar } from "./calendar.ts";
import { createCast, type Member } from "./chain/cast.ts";
import type { ClusterOptions } from "./options.ts";
import { createRandom, type Random } from "./random.ts";

/** What every part of the story is told from. */
export interface World {
  options: ClusterOptions;
  random: Random;
  calendar: Calendar;
  members: readonly Member[];
}

/** The stage and the cast of one cluster. */
export function createWorld(options: ClusterOptions): World {
  const random = createRandom(`${options.seed}/${options.network}`);
  return { options, random, calendar: createCalendar(options), members: createCast(options, random) };
}

/** An account as a node holds it. */
export interface ChainAccount {
  owner: string;
  lamports: bigint;
  data: Buffer;
}

/**
 * Remembers what is dear to compute, for an epoch or a slot. It changes no answer: `compute` is a pure function of the
 * number. Only the newest few are kept, because a fast-forwarded story passes through thousands.
 */
export function remember<Value>(compute: (at: number) => Value, keep = 8): (at: number) => Value {
  const known = new Map<number, Value>();
  return (at) => {
    const value = known.get(at) ?? compute(at);
    known.set(at, value);
    for (const oldest of known.keys()) {
      if (known.size <= keep) break;
      known.delete(oldest);
    }
    return value;
  };
}

/**
 * What adds up from epoch to epoch: the state at the start of each, made from the one before. All are kept, so that asking
 * for an earlier epoch does not begin at the story's start again.
 */
export function accumulate<Value>(
  first: Value,
  next: (before: Value, ordinal: number) => Value,
): (ordinal: number) => Value {
  const starts = [first];
  return (ordinal) => {
    let newest = starts.at(-1) ?? first;
    for (let before = starts.length - 1; before < ordinal; before++) {
      newest = next(newest, before);
      starts.push(newest);
    }
    return starts[ordinal] ?? newest;
  };
}
