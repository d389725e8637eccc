import { dayOf, shiftDay } from "./names.ts";

/** All checkpoints of so many days are kept, the newest included: runs start from these. */
const DAYS_OF_ALL = 3;
/** Before them one of each day, for so many days: a late entry or a ruling on the past makes the younger ones unfit. */
const DAYS_OF_DAILY = 31;

/**
 * The checkpoints that are not needed any more: before the last days only the first of each day, and before the last month
 * only the first of each month, stay. Nothing is lost with the others but the time to fold from an older one.
 *
 * @param heads of one fold version, newest first; `moment` as names of entries begin with it.
 */
export function findSpare<Head extends { moment: string }>(heads: readonly Head[]): Head[] {
  const [newest] = heads;
  if (newest === undefined) return [];
  const allSince = shiftDay(dayOf(newest.moment), 1 - DAYS_OF_ALL);
  const firsts = new Set<string>();
  return heads.toReversed().filter(({ moment }) => {
    const span = spanOf(moment, newest.moment);
    if (dayOf(moment) >= allSince || !firsts.has(span)) {
      firsts.add(span);
      return false;
    }
    return true;
  });
}

/** The day or, longer ago, the month of a moment, of which one checkpoint stays. */
export function spanOf(moment: string, newest: string): string {
  const dailySince = shiftDay(dayOf(newest), 1 - DAYS_OF_DAILY);
  const day = dayOf(moment);
  return day >= dailySince ? day : day.slice(0, "YYYY-MM".length);
}

/**
 * The states of a rebuild that are not needed any more. The newest stays, and older ones ever farther apart, each at least
 * twice as far back from it as the one before: some ten of a year. A late entry makes unfit what was folded after it, and
 * most come soon.
 *
 * @param heads newest first; `moment` as names of entries begin with it.
 */
export function findSpareProgress<Head extends { moment: string }>(heads: readonly Head[]): Head[] {
  const [newest] = heads;
  if (newest === undefined) return [];
  const end = toTime(newest.moment);
  let keptBack = 0;
  return heads.slice(1).filter(({ moment }) => {
    const back = end - toTime(moment);
    if (back < 2 * keptBack) return true;
    keptBack = back;
    return false;
  });
}

/** Milliseconds since 1970 of a moment, `2026-11-20/153000000`. */
function toTime(moment: string): number {
  const [, day = "", hours, minutes, seconds, milliseconds] = /^(.{10})\/(\d\d)(\d\d)(\d\d)(\d{3})/.exec(moment) ?? [];
  return Date.parse(`${day}T${hours}:${minutes}:${seconds}.${milliseconds}Z`);
}
