import type { UptimeDay } from "../../contract/history.ts";
import { compareText } from "../../contract/lists.ts";
import { toUptimeDay } from "../histories.ts";
import type { View } from "../view.ts";
import { tableOf, type Table } from "./table.ts";

interface Row extends UptimeDay {
  votePubkey: string;
}

const toTable = tableOf<"uptime", Row>("uptime", {});

/**
 * Checks of the UTC days of a month that have ended, oldest first.
 * @param month `YYYY-MM`
 */
export function toUptimeTable(view: View, month: string): Table | null {
  const byVote = [...view.ledger.validators.entries()].sort(([, one], [, other]) =>
    compareText(one.vote, other.vote),
  );
  const rows = endedDays(view)
    .filter(({ date }) => toMonth(date) === month)
    .flatMap((day) =>
      byVote.flatMap(([validatorIndex, { vote }]) => {
        const uptime = toUptimeDay(day, validatorIndex);
        return uptime === null ? [] : [{ ...uptime, votePubkey: vote }];
      }),
    );
  return rows.length === 0 ? null : toTable(rows);
}

/** Months with a day that has ended, newest first, as `YYYY-MM`. */
export function monthsOfUptime(view: View): string[] {
  return [...new Set(endedDays(view).map(({ date }) => toMonth(date)))].reverse();
}

/** The month of a UTC day. */
export function toMonth(date: string): string {
  return date.slice(0, "YYYY-MM".length);
}

/** Days before the one whose hours are still counted. */
function endedDays(view: View) {
  const { hour } = view.ledger.uptime;
  return view.uptimeDays().filter(({ date }) => hour !== null && date < hour.slice(0, date.length));
}
