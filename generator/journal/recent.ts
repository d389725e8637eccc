import { toMoment } from "./names.ts";

/** Nobody who journals at the same time is that late. */
const LATE_MILLISECONDS = 60 * 60_000;
/** For entries that are later still. */
const WHOLE_EVERY_MILLISECONDS = 10 * 60_000;

interface Query {
  fromDay: string;
  now: number;
  /** They may lie anywhere. */
  marks: readonly string[];
}

/**
 * A generator that checks every ten seconds journals 9,000 entries a day: it would list forty pages with each, and a
 * page costs as much as a put.
 */
export interface RecentNames {
  /**
   * `moment`: from which to list; null: list all.
   * @param position time of the last entry folded, in milliseconds since 1970
   */
  before(query: Query & { position: number }): { names: readonly string[]; moment: string } | null;
  keep(query: Query, found: { names: readonly string[]; isWhole: boolean }): void;
  /** The next listing is whole if one of the latest names would miss this entry. */
  added(time: string): void;
}

export function createRecentNames(): RecentNames {
  let known: { fromDay: string; listedAt: number; wholeAt: number; marks: string; names: readonly string[] } | null =
    null;
  return {
    before({ fromDay, now, marks, position }) {
      if (known === null || fromDay < known.fromDay || known.marks !== marks.join()) return null;
      if (now < known.wholeAt || now - known.wholeAt >= WHOLE_EVERY_MILLISECONDS) return null;
      const moment = toMoment(new Date(Math.min(now, position) - LATE_MILLISECONDS).toISOString());
      if (moment < fromDay) return null;
      return { names: known.names.filter((name) => name >= fromDay && name < moment), moment };
    },
    keep({ fromDay, now, marks }, { names, isWhole }) {
      const wholeAt = isWhole || known === null ? now : known.wholeAt;
      known = { fromDay, listedAt: now, wholeAt, marks: marks.join(), names };
    },
    added(time) {
      if (known !== null && known.listedAt - Date.parse(time) >= LATE_MILLISECONDS) known = null;
    },
  };
}
