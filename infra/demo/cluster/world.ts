import { createCalendar, type Calendar } from "./calendar.ts";
import { createCast, type Member } from "./cast.ts";
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
