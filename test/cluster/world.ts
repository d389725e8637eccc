import { createCalendar, type Calendar } from "./calendar.ts";
import { createCast, type Member } from "./chain/cast.ts";
import type { ClusterOptions } from "./options.ts";
import { createRandom, type Random } from "./random.ts";

export interface World {
  options: ClusterOptions;
  random: Random;
  calendar: Calendar;
  members: readonly Member[];
}

export function createWorld(options: ClusterOptions): World {
  const random = createRandom(`${options.seed}/${options.network}`);
  return {
    options,
    random,
    calendar: createCalendar(options),
    members: createCast(options, random),
  };
}

export interface ChainAccount {
  owner: string;
  lamports: bigint;
  data: Buffer;
}

/** A fast story passes through thousands of epochs or slots. */
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

/** Keeps every start, so that an earlier epoch costs no replay. */
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
