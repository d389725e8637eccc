import { createHash } from "node:crypto";
import type { ConfirmedBy } from "../../contract/event.ts";
import { type Effects, toEffects } from "./effects.ts";
import type { Ledger } from "../ledger.ts";
import type { Move } from "../proof/proof-moves.ts";
import type { EventRecord, EventTransaction, MevState, Moment, PendingRate } from "../records.ts";
import { isWithdrawn } from "../rulings.ts";
import { inflationSeverity, mevSeverity } from "./severity.ts";
import type { Step } from "../step.ts";
import { type Touched, touchPointsFrom } from "../touched.ts";

type Change = Omit<EventRecord, "id" | "validatorIndex" | "confirmedAt" | "seenIn" | keyof Unproved | keyof Effects>;

const UNPROVED = { transaction: null, isSwept: false, replacedBy: null } as const;
type Unproved = typeof UNPROVED;

/** Basis points. */
export function recordInflationEvent(
  step: Step,
  validatorIndex: number,
  change: { from: number; to: number; window: Pick<PendingRate, "first" | "previous">; confirmedBy: ConfirmedBy },
) {
  const { first, previous } = change.window;
  const madeIn = toSpan(step.ledger, { first, previous });
  recordEvent(step, validatorIndex, {
    source: "COMMISSION",
    severity: inflationSeverity(change.from, change.to),
    ...bounds(first, previous),
    epoch: first.epoch,
    seenEpoch: first.epoch,
    madeIn,
    from: change.from,
    to: change.to,
    confirmedBy: change.confirmedBy,
  });
  // Either commission may have stood between (views/commissions.ts).
  touchPointsFrom(step, madeIn.earliest);
}

/**
 * The answering bank may be this much further than the slot of a list (its newest vote) or of many accounts (the
 * lowest).
 */
export const READ_SLOTS = 32;

/** Just after a boundary, that slot lies in the previous epoch: so may the old value, and the new one in the next. */
function toSpan(
  { epochs }: Ledger,
  { first, previous }: { first: Moment; previous: Moment },
): { earliest: number; latest: number } {
  const trackedOf = ({ epoch }: Moment) => epochs.find((one) => one.epoch === epoch);
  const [before, after] = [trackedOf(previous), trackedOf(first)];
  const earliest = before !== undefined && previous.slot < before.firstSlot ? previous.epoch - 1 : previous.epoch;
  const isLater = after !== undefined && first.slot + READ_SLOTS >= after.firstSlot + after.slotsInEpoch;
  return { earliest, latest: Math.max(earliest, isLater ? first.epoch + 1 : first.epoch) };
}

/** A change found only by its transaction is then news. */
const NEWS_EPOCHS = 2;

export function recordProvedEvent(
  { ledger, touched, time }: { ledger: Ledger; touched: Touched; time: string },
  validatorIndex: number,
  { from, to, move, transaction }: { from: number; to: number; move: Move; transaction: EventTransaction },
): EventRecord {
  const { slot, epoch, proof } = move;
  const madeIn = { earliest: epoch, latest: epoch };
  const running = ledger.epochs.at(-1)?.epoch ?? epoch;
  const seen = {
    validatorIndex,
    source: "COMMISSION" as const,
    severity: inflationSeverity(from, to),
    createdAt: running - epoch <= NEWS_EPOCHS ? proof.foundAt : null,
    slot,
    previousSlot: null,
    previousSeenAt: null,
    confirmed: true,
    epoch,
    seenEpoch: epoch,
    seenIn: madeIn,
    madeIn,
    from,
    to,
    confirmedBy: "transaction" as const,
    transaction,
    isSwept: true,
    replacedBy: null,
  };
  const event = { id: eventId(ledger, seen), ...seen, ...toEffects(ledger, seen), confirmedAt: time };
  keepEvent(ledger, touched, event);
  touched.commissions.add(validatorIndex);
  touchPointsFrom({ ledger, touched }, epoch);
  return event;
}

/** `epoch`: whose tips the change affects. */
export function recordMevEvent(
  step: Step,
  validatorIndex: number,
  change: { from: MevState; to: MevState; epoch: number; first: Moment; previous: Moment; confirmedBy: ConfirmedBy },
) {
  const { epoch, confirmedBy } = change;
  recordEvent(step, validatorIndex, {
    source: "MEV",
    severity: mevSeverity(change.from, change.to),
    ...bounds(change.first, change.previous),
    epoch,
    seenEpoch: epoch,
    madeIn: { earliest: epoch, latest: epoch },
    from: change.from,
    to: change.to,
    confirmedBy,
  });
}

/** `epoch` is the later of the two. A sample stands for its epoch's end, so the time is unknown. */
export function createHistoryEvent(
  ledger: Ledger,
  validatorIndex: number,
  change: Pick<EventRecord, "source" | "from" | "to" | "epoch" | "slot">,
): EventRecord {
  const { source, from, to, epoch } = change;
  const isInflation = source === "COMMISSION" && typeof from === "number" && typeof to === "number";
  const seenIn = { earliest: epoch, latest: epoch };
  const seen = { ...change, validatorIndex, seenEpoch: epoch, seenIn, madeIn: seenIn };
  return {
    // At most one an epoch, and never the id of an observed event.
    id: toEventId(ledger, seen, "history"),
    ...seen,
    severity: isInflation ? inflationSeverity(from, to) : mevSeverity(from, to),
    createdAt: null,
    previousSlot: null,
    previousSeenAt: null,
    ...toEffects(ledger, seen),
    confirmed: false,
    confirmedAt: null,
    confirmedBy: null,
    ...UNPROVED,
  };
}

function bounds(first: Moment, previous: Moment) {
  return {
    createdAt: first.time,
    slot: first.slot,
    previousSlot: previous.slot,
    previousSeenAt: previous.time,
    confirmed: true,
  };
}

function recordEvent(step: Step, validatorIndex: number, change: Change) {
  const { ledger, moment, touched } = step;
  const seen = { validatorIndex, ...change, seenIn: change.madeIn, ...UNPROVED };
  keepEvent(ledger, touched, {
    id: eventId(ledger, seen),
    ...seen,
    ...toEffects(ledger, seen),
    confirmedAt: moment.time,
  });
}

function keepEvent(ledger: Ledger, touched: Touched, event: EventRecord): void {
  touched.events.add(event.validatorIndex);
  if (isWithdrawn(ledger, event)) {
    ledger.withdrawn.push(event);
    return;
  }
  ledger.events.push(event);
  touched.epochs.add(event.epoch);
  touched.severities.add(event.severity);
}

type Named = Pick<EventRecord, "validatorIndex" | "source" | "seenEpoch" | "from" | "to">;

/** Without window and corrected epoch: both may change. */
function eventId(ledger: Ledger, named: Named): string {
  const isEqual = (event: EventRecord) =>
    event.confirmed &&
    event.validatorIndex === named.validatorIndex &&
    event.source === named.source &&
    event.seenEpoch === named.seenEpoch &&
    event.from === named.from &&
    event.to === named.to;
  // With withdrawn events: the next equal event must not inherit the ruling.
  const equals = ledger.events.filter(isEqual).length + ledger.withdrawn.filter(isEqual).length;
  return toEventId(ledger, named, equals);
}

/** A restarted cluster reuses epoch numbers. */
function toEventId(
  { network, series, validators }: Ledger,
  { validatorIndex, source, seenEpoch, from, to }: Named,
  which: number | "history",
): string {
  const vote = validators[validatorIndex]?.vote ?? "";
  const life = series > 1 ? [network, series] : [network];
  const parts = [...life, source, vote, seenEpoch, from, to, which];
  return createHash("sha256").update(parts.join(" ")).digest("hex").slice(0, 24);
}
