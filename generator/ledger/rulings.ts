import type { RulingEntry } from "../entries/entry.ts";
import type { Ledger, RulingRecord } from "./ledger.ts";
import type { EventRecord } from "./event-record.ts";
import { toReason } from "../contract/strangers-text.ts";

export const IGNORED = { accepted: false, reason: "ignored by a ruling" } as const;

const NO_REASON = "no reason given";

/**
 * Rulings on one subject share one journal time: the latest `ruledAt` wins, then the higher name. A late entry may move
 * the event before its ruling.
 */
export function foldRuling(
  ledger: Ledger,
  { name, entry }: { name: string; entry: RulingEntry },
): { accepted: true } | { accepted: false; reason: string } {
  const { subject, verdict, reason, ruledAt } = entry;
  const isOfEvent = subject.of === "event";
  const rulings: Map<string, RulingRecord> = ledger.rulings[isOfEvent ? "events" : "observations"];
  const key = isOfEvent ? subject.id : subject.key;
  const inForce = rulings.get(key);
  const ruling = { name, verdict, reason: toReason(reason) ?? NO_REASON, ruledAt };
  if (inForce !== undefined && compareRulings(inForce, ruling) > 0)
    return { accepted: false, reason: "a later ruling on the same subject stands" };
  rulings.set(key, ruling);
  return { accepted: true };
}

export function isIgnored({ rulings }: Ledger, name: string): boolean {
  return rulings.observations.get(name)?.verdict === "ignore";
}

export function isWithdrawn({ rulings }: Ledger, { id }: Pick<EventRecord, "id">): boolean {
  return rulings.events.get(id)?.verdict === "ignore";
}

export function isAccepted({ rulings }: Ledger, { id }: Pick<EventRecord, "id">): boolean {
  return rulings.events.get(id)?.verdict === "accept";
}

export function compareRulings(one: RulingRecord, other: RulingRecord): number {
  const distance = Date.parse(one.ruledAt) - Date.parse(other.ruledAt);
  if (distance !== 0) return distance;
  if (one.name === other.name) return 0;
  return one.name < other.name ? -1 : 1;
}
