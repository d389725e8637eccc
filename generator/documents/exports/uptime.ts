import type { UptimeDay } from "../../contract/history.ts";
import { compareText } from "../../contract/lists.ts";
import { toUptimeDay } from "../histories.ts";
import { toMonth } from "../../ledger/uptime/uptime.ts";
import type { View } from "../view.ts";
import { tableOf, type Table } from "./table.ts";

interface Row extends UptimeDay {
  votePubkey: string;
}

const toTable = tableOf<"uptime", Row>("uptime", {});

/**
 * Checks of the UTC days of a month, oldest first; of today, those of the hours that have ended.
 * @param month `YYYY-MM`
 */
export function toUptimeTable(view: View, month: string): Table | null {
  const byVote = [...view.ledger.validators.entries()].sort(([, one], [, other]) =>
    compareText(one.vote, other.vote),
  );
  const rows = view
    .uptimeDays()
    .filter(({ date }) => toMonth(date) === month)
    .flatMap((day) =>
      byVote.flatMap(([validatorIndex, { vote }]) => {
        const uptime = toUptimeDay(day, validatorIndex);
        return uptime === null ? [] : [{ ...uptime, votePubkey: vote }];
      }),
    );
  return rows.length === 0 ? null : toTable(rows);
}

/** Months with a check, newest first, as `YYYY-MM`. */
export function monthsOfUptime(view: View): string[] {
  return [...new Set(view.uptimeDays().map(({ date }) => toMonth(date)))].reverse();
}
