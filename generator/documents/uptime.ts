import type { UptimeDay } from "../contract/history.ts";
import { listUptime } from "../contract/lists.ts";
import { toShare } from "../contract/numbers.ts";
import type { DocumentOf } from "../contract/objects.ts";
import { findRecord, type View } from "./view.ts";

/** The days of a validator with checks, oldest first (endpoint 6); null: no such vote account was ever seen. */
export function renderUptime(view: View, votePubkey: string): DocumentOf<"uptime"> | null {
  const found = findRecord(view, votePubkey);
  if (found === null) return null;
  const recorded = view.uptimeDays().flatMap((date) => toDay(view, found.ordinal, date) ?? []);
  return listUptime({ network: view.ledger.network, votePubkey }, recorded);
}

function toDay(view: View, ordinal: number, date: string): UptimeDay | null {
  const { uptime } = view.ledger;
  const uptimeChecks = uptime.checks.get(date)?.[ordinal] ?? 0;
  if (uptimeChecks === 0) return null;
  const delinquentChecks = uptime.delinquentChecks.get(date)?.[ordinal] ?? 0;
  const uptimePercent = toShare(uptimeChecks - delinquentChecks, uptimeChecks);
  return { date, uptimeChecks, delinquentChecks, uptimePercent };
}
