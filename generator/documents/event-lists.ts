import { VERIFIED_BY, type CommissionEvent } from "../contract/event.ts";
import type { Incident } from "../contract/incident.ts";
import type { Pattern } from "../contract/pattern.ts";
import type { Ledger } from "../ledger/ledger.ts";
import type { EventRecord, EventTransaction } from "../ledger/event-record.ts";
import { compareText } from "../contract/lists.ts";
import { toPublishedCost, toPublishedMevCost } from "./cost.ts";
import { toCappedPercent, toPercent, toPercentOrNull } from "../contract/numbers.ts";
import { findIncidents } from "../views/incidents.ts";
import { findPatterns } from "../views/patterns.ts";

/** All events of a ledger as documents show them, newest first. */
export function toEventsInOrder(ledger: Ledger): CommissionEvent[] {
  return toPublishedEvents(ledger, ledger.events).sort(compareEvents);
}

/** Events of these validators, oldest first. */
export function toEventsOf(
  ledger: Ledger,
  validatorIndexes: ReadonlySet<number>,
): CommissionEvent[] {
  const own = ledger.events.filter(({ validatorIndex }) => validatorIndexes.has(validatorIndex));
  return own.length === 0 ? [] : toPublishedEvents(ledger, own).sort((a, b) => compareEvents(b, a));
}

function toPublishedEvents(ledger: Ledger, events: readonly EventRecord[]): CommissionEvent[] {
  const patterns = findPatterns(ledger.events);
  const incidents = findIncidents(ledger.events, patterns);
  const groupsOf = ({ id }: EventRecord) => ({
    pattern: patterns.get(id) ?? null,
    incident: incidents.get(id) ?? null,
  });
  return events.flatMap((event) => toPublished(ledger, event, groupsOf(event)));
}

function toPublished(
  ledger: Ledger,
  event: EventRecord,
  { pattern, incident }: { pattern: Pattern | null; incident: Incident | null },
): CommissionEvent[] {
  const validator = ledger.validators[event.validatorIndex];
  if (validator === undefined) return [];
  const { from, to } = event;
  return [
    {
      id: event.id,
      votePubkey: validator.vote,
      validatorName: validator.name,
      severity: event.severity,
      source: event.source,
      fromCommission: toPercentOrNull(from),
      toCommission: toPercentOrNull(to),
      fromDisabled: from === "disabled",
      toDisabled: to === "disabled",
      delta: typeof from === "number" && typeof to === "number" ? toPercent(to - from) : null,
      epoch: event.epoch,
      createdAt: event.createdAt,
      slot: event.slot,
      previousSlot: event.previousSlot,
      previousSeenAt: event.previousSeenAt,
      effectiveEpoch: event.effectiveEpoch,
      confirmed: event.confirmed,
      effectiveEpochLatest: event.effectiveEpochLatest,
      effectiveEpochFinal: event.effectiveEpochFinal,
      confirmedBy: event.transaction === null ? event.confirmedBy : "transaction",
      transaction: toTransaction(event),
      supersededBy: event.supersededBy,
      replacedBy: event.replacedBy,
      pattern,
      incident,
      cost: toPublishedCost(event.cost),
      mevCost: toPublishedMevCost(event.mevCost),
    },
  ];
}

function toTransaction({ transaction }: EventRecord): CommissionEvent["transaction"] {
  if (transaction === null) return null;
  const { signature, slot, blockTime, signer, verified, steps } = transaction;
  const proof = { signature, slot, blockTime, signer, verified };
  return { ...proof, verifiedBy: VERIFIED_BY[verified], steps: steps.map(toStep) };
}

function toStep({ signature, slot, basisPoints }: EventTransaction["steps"][number]) {
  return { signature, slot, commission: toCappedPercent(basisPoints) };
}

/**
 * Orders events newest first. One observation can show MEV disabled in the epoch before and
 * enabled again.
 */
export function compareEvents(a: CommissionEvent, b: CommissionEvent): number {
  return (
    b.slot - a.slot ||
    compareText(b.createdAt ?? "", a.createdAt ?? "") ||
    b.epoch - a.epoch ||
    compareText(a.votePubkey, b.votePubkey) ||
    compareText(a.source, b.source)
  );
}
