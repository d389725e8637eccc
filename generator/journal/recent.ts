import { toMoment } from "./names.ts";

/** Names are listed anew from so long before: nobody who journals at the same time is that late. */
const LATE_MILLISECONDS = 60 * 60_000;
/** All of the window is listed anew after so long, for what came later. */
const WHOLE_EVERY_MILLISECONDS = 10 * 60_000;

interface Query {
  fromDay: string;
  /** Milliseconds since 1970. */
  now: number;
  /** The names of all marked entries: what was marked since may lie anywhere. */
  marks: readonly string[];
}

/**
 * Who looks every ten seconds journals some nine thousand entries a day, and would list forty pages before and after
 * each; a page costs as much as a put.
 */
export interface RecentNames {
  /**
   * And the moment from which on they are to be listed; null: all are.
   * @param position time of the last entry folded, in milliseconds since 1970
   */
  before(query: Query & { position: number }): { names: readonly string[]; moment: string } | null;
  /** @param isWhole whether all of them were listed just now */
  keep(query: Query, found: { names: readonly string[]; isWhole: boolean }): void;
  /** Where listing the latest names would not find an added entry, the next listing is whole. */
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
