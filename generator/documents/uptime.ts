import type { UptimeDay } from "../contract/history.ts";
import type { DocumentOf } from "../contract/objects.ts";
import { toShare } from "./numbers.ts";
import { findRecord, type View } from "./view.ts";

/** The days of a validator with checks, oldest first (endpoint 6); null: no such vote account was ever seen. */
export function renderUptime(view: View, votePubkey: string): DocumentOf<"uptime"> | null {
  const found = findRecord(view, votePubkey);
  if (found === null) return null;
  const data = view.uptimeDays().flatMap((date) => toDay(view, found.ordinal, date) ?? []);
  const uptimeChecks = data.reduce((sum, day) => sum + day.uptimeChecks, 0);
  const delinquentChecks = data.reduce((sum, day) => sum + day.delinquentChecks, 0);
  return {
    data,
    meta: {
      network: view.ledger.network,
      votePubkey,
      daysTracked: data.length,
      overallUptimePercent: toShare(uptimeChecks - delinquentChecks, uptimeChecks),
      uptimeChecks,
      delinquentChecks,
    },
  };
}

function toDay(view: View, ordinal: number, date: string): UptimeDay | null {
  const { uptime } = view.ledger;
  const uptimeChecks = uptime.checks.get(date)?.[ordinal] ?? 0;
  if (uptimeChecks === 0) return null;
  const delinquentChecks = uptime.delinquentChecks.get(date)?.[ordinal] ?? 0;
  const uptimePercent = toShare(uptimeChecks - delinquentChecks, uptimeChecks);
  return { date, uptimeChecks, delinquentChecks, uptimePercent };
}
