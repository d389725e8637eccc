import type { NamedRuling, Ruling } from "../entries/ruling.ts";
import type { Ledger, RulingRecord } from "./ledger.ts";
import type { EventRecord } from "./event-record.ts";
import { toReason } from "../contract/strangers-text.ts";

/** Outcome of an entry that a ruling ignores. */
export const IGNORED = { accepted: false, reason: "ignored by a ruling" } as const;

const NO_REASON = "no reason given";

/** Records a ruling; the newest on a subject counts. It consumes `ledger`. */
export function foldRuling({ rulings }: Ledger, { name, ruling }: NamedRuling): void {
  const { subject, verdict, reason, ruledAt } = ruling;
  const record = { name, verdict, reason: toReason(reason) ?? NO_REASON, ruledAt };
  if (subject.of === "event") rulings.events.set(subject.id, record);
  else
    rulings.observations.set(toSubjectText(subject), {
      ...record,
      first: subject.first,
      last: subject.last,
    });
}

/** An event's id, `0000000123`, or `0000000123-0000000456`. */
export function toSubjectText(subject: Ruling["subject"]): string {
  if (subject.of === "event") return subject.id;
  return subject.first === subject.last ? subject.first : `${subject.first}-${subject.last}`;
}

/** The newest ruling on an observation; null: there is none. */
export function rulingOn({ rulings }: Ledger, name: string): RulingRecord | null {
  let newest: RulingRecord | null = null;
  for (const ruling of rulings.observations.values())
    if (
      ruling.first <= name &&
      name <= ruling.last &&
      (newest === null || newest.name < ruling.name)
    )
      newest = ruling;
  return newest;
}

/**
 * Whether the newest ruling on an entry ignores it.
 * @param name the entry's number in ten digits
 */
export function isIgnored(ledger: Ledger, name: string): boolean {
  return rulingOn(ledger, name)?.verdict === "ignore";
}

/** Whether the newest ruling on an event ignores it, so that no document shows it. */
export function isWithdrawn({ rulings }: Ledger, { id }: Pick<EventRecord, "id">): boolean {
  return rulings.events.get(id)?.verdict === "ignore";
}

/** Whether the newest ruling on an event accepts it, so that no search can take it back. */
export function isAccepted({ rulings }: Ledger, { id }: Pick<EventRecord, "id">): boolean {
  return rulings.events.get(id)?.verdict === "accept";
}
