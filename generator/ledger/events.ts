import { createHash } from "node:crypto";
import type { Network } from "../contract/networks.ts";
import type { Ledger } from "./ledger.ts";
import type { EventRecord, MevState, Moment, Pending, ValidatorRecord } from "./records.ts";
import { isWithdrawn } from "./rulings.ts";
import { inflationSeverity, mevSeverity } from "./severity.ts";
import type { Step } from "./step.ts";

/** First epoch of SIMD-0249 (delayed commission updates) in a cluster's first life; before it a change paid out at once. */
const DELAYED_UPDATES_SINCE: Record<Network, number> = { mainnet: 991, testnet: 954, alpenglow: 0 };

/** A cluster, and which of its lives. */
export type ClusterLife = Pick<Ledger, "network" | "series">;

/** Epochs between a change and the first rewards that pay it (SIMD-0249: the rate at the start of the epoch before). */
const DELAY_EPOCHS = 2;

/** Whether commissions set in this epoch apply late, by SIMD-0249: in a later life of the cluster from its first epoch on. */
export function isDelayed({ network, series }: ClusterLife, epoch: number): boolean {
  return series > 1 || epoch >= DELAYED_UPDATES_SINCE[network];
}

/**
 * First epoch whose rewards pay a rate that was set in `epoch` at the earliest. A vote account without a past pays by its
 * first rate, so a change in its own first epoch counts at once.
 */
function inflationEffectiveEpoch(cluster: ClusterLife, validator: ValidatorRecord, epoch: number): number {
  if (!isDelayed(cluster, epoch)) return epoch;
  if (validator.isNew && validator.firstEpoch === epoch) return epoch;
  return epoch + DELAY_EPOCHS;
}

/** Records a confirmed change of the inflation commission. */
export function recordInflationEvent(
  step: Step,
  ordinal: number,
  change: { from: number; to: number; pending: Pending<unknown> },
) {
  const validator = step.ledger.validators[ordinal];
  if (validator === undefined) return;
  const { first, previous } = change.pending;
  recordEvent(step, ordinal, {
    source: "COMMISSION",
    severity: inflationSeverity(change.from, change.to),
    ...bounds(first, previous),
    from: change.from,
    to: change.to,
    effectiveEpoch: inflationEffectiveEpoch(step.ledger, validator, epochOfSlot(step.ledger, previous)),
  });
}

/** In the first moments of an epoch the newest vote, which is an observation's slot, may still lie in the one before. */
function epochOfSlot({ epochs }: Ledger, { slot, epoch }: Moment): number {
  const tracked = epochs.find((one) => one.epoch === epoch);
  return tracked !== undefined && slot < tracked.firstSlot ? epoch - 1 : epoch;
}

/** Records a confirmed change of the MEV commission; `epoch` is the epoch whose tips it concerns. */
export function recordMevEvent(
  step: Step,
  ordinal: number,
  change: { from: MevState; to: MevState; epoch: number; first: Moment; previous: Moment },
) {
  recordEvent(step, ordinal, {
    source: "MEV",
    severity: mevSeverity(change.from, change.to),
    ...bounds(change.first, change.previous),
    epoch: change.epoch,
    from: change.from,
    to: change.to,
    effectiveEpoch: change.epoch,
  });
}

/**
 * A change that a public history shows between the samples of two epochs, of which `epoch` is the later one. When in them it
 * was made is not known: the sample of an epoch stands for its end, as it does in the commission history.
 */
export function createHistoryEvent(
  ledger: Ledger,
  ordinal: number,
  change: Pick<EventRecord, "source" | "from" | "to" | "epoch" | "slot">,
): EventRecord {
  const { source, from, to, epoch } = change;
  const isInflation = source === "COMMISSION" && typeof from === "number" && typeof to === "number";
  const validator = ledger.validators[ordinal];
  return {
    // One at most in an epoch, and never the same id as one that was observed in it.
    id: toEventId(ledger, ordinal, change, "history"),
    ordinal,
    ...change,
    severity: isInflation ? inflationSeverity(from, to) : mevSeverity(from, to),
    createdAt: null,
    previousSlot: null,
    previousSeenAt: null,
    effectiveEpoch: isInflation && validator ? inflationEffectiveEpoch(ledger, validator, epoch) : epoch,
    confirmed: false,
    confirmedAt: null,
  };
}

function bounds(first: Moment, previous: Moment) {
  return {
    epoch: first.epoch,
    createdAt: first.time,
    slot: first.slot,
    previousSlot: previous.slot,
    previousSeenAt: previous.time,
    confirmed: true,
  };
}

function recordEvent(step: Step, ordinal: number, change: Omit<EventRecord, "id" | "ordinal" | "confirmedAt">) {
  const id = eventId(step.ledger, ordinal, change);
  const event = { id, ordinal, ...change, confirmedAt: step.moment.time };
  if (isWithdrawn(step.ledger, event)) {
    step.ledger.withdrawn.push(event);
    return;
  }
  step.ledger.events.push(event);
  step.touched.events.add(ordinal);
  step.touched.epochs.add(change.epoch);
  step.touched.severities.add(change.severity);
}

/** Survives a rebuild and a better time window: it holds no time and no slot (design §4). */
function eventId(ledger: Ledger, ordinal: number, change: Omit<EventRecord, "id" | "ordinal" | "confirmedAt">): string {
  const isEqual = (event: EventRecord) =>
    event.confirmed &&
    event.ordinal === ordinal &&
    event.source === change.source &&
    event.epoch === change.epoch &&
    event.from === change.from &&
    event.to === change.to;
  // A withdrawn one keeps its number: the next of its equals must not inherit the verdict.
  const equals = ledger.events.filter(isEqual).length + ledger.withdrawn.filter(isEqual).length;
  return toEventId(ledger, ordinal, change, equals);
}

function toEventId(
  ledger: Ledger,
  ordinal: number,
  { source, epoch, from, to }: Pick<EventRecord, "source" | "epoch" | "from" | "to">,
  which: number | "history",
): string {
  const vote = ledger.validators[ordinal]?.vote ?? "";
  const parts = [ledger.network, source, vote, epoch, from, to, which];
  return createHash("sha256").update(parts.join(" ")).digest("hex").slice(0, 24);
}
