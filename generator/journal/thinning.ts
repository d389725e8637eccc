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
  const dailySince = shiftDay(dayOf(newest.moment), 1 - DAYS_OF_DAILY);
  const firsts = new Set<string>();
  const spanOf = (day: string) => (day >= dailySince ? day : day.slice(0, "YYYY-MM".length));
  return heads.toReversed().filter(({ moment }) => {
    const day = dayOf(moment);
    if (day >= allSince || !firsts.has(spanOf(day))) {
      firsts.add(spanOf(day));
      return false;
    }
    return true;
  });
}
