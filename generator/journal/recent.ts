import { toMoment } from "./names.ts";

/** Names are listed anew from so long before: who journals at the same time is hardly that late. */
const LATE_MILLISECONDS = 60 * 60_000;
/** All of the window is listed anew after so long: what came later than that is noticed then. */
const WHOLE_EVERY_MILLISECONDS = 10 * 60_000;

/** What a ledger at hand needs to know: the names from a UTC day on. */
interface Query {
  fromDay: string;
  /** Milliseconds since 1970. */
  now: number;
  /** The names of all marked entries: what was marked since may lie anywhere. */
  marks: readonly string[];
}

/**
 * The names that were listed a moment ago. Who looks every ten seconds journals some nine thousand entries a day, and would
 * list three days of them before and after each: forty pages, each of which costs as much as a put.
 */
export interface RecentNames {
  /**
   * The names of a window before a moment, and that moment, from which on they are to be listed; null: all are.
   * @param position time of the last entry folded, in milliseconds since 1970
   */
  before(query: Query & { position: number }): { names: readonly string[]; moment: string } | null;
  /** Keeps the names of a window. @param isWhole whether all of them were listed just now */
  keep(query: Query, found: { names: readonly string[]; isWhole: boolean }): void;
  /** Says that an entry of this time was added: where listing the latest names would not find it, the next one is whole. */
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
