import type { ConfirmedBy } from "../../contract/event.ts";
import type { EventRecord } from "../../ledger/event-record.ts";
import type { Ledger } from "../../ledger/ledger.ts";
import type { Moment, ValidatorRecord } from "../../ledger/records.ts";
import { changesOfTips } from "../../ledger/tips/timeline.ts";
import { READ_SLOTS } from "../../chain/slots.ts";
import type { BareEvent } from "./effects.ts";
import type { Ids } from "./event-id.ts";
import { inflationSeverity, mevSeverity } from "./severity.ts";

/* Neighbouring runs that differ, with the window between them. */

interface Subject {
  ledger: Ledger;
  validatorIndex: number;
  validator: ValidatorRecord;
  ids: Ids;
}

/** By slot; none has a transaction yet. */
export function observedInflationEvents(subject: Subject): BareEvent[] {
  const { ledger, validator } = subject;
  const { runs } = validator.rates;
  const events = runs.flatMap((run, index) => {
    const before = runs[index - 1];
    if (run.believed === null || before === undefined) return [];
    const madeIn = toSpan(ledger, { first: run.from, previous: before.until });
    return toEvent(subject, {
      ...{ source: "COMMISSION", severity: inflationSeverity(before.basisPoints, run.basisPoints) },
      ...{ from: before.basisPoints, to: run.basisPoints, epoch: run.from.epoch, madeIn },
      ...{ first: run.from, previous: before.until, believed: run.believed },
    });
  });
  return events.sort((a, b) => a.slot - b.slot);
}

/**
 * MEV changes. Each epoch has its own tip account, so a change belongs to the first epoch with
 * another rate.
 */
export function mevEvents(subject: Subject): BareEvent[] {
  return changesOfTips(subject.validator).flatMap(({ from, run }) => {
    const { from: epoch, first, believed } = run;
    if (believed === null) return [];
    const madeIn = { earliest: epoch, latest: epoch };
    return toEvent(subject, {
      ...{ source: "MEV", severity: mevSeverity(from, run.rate) },
      ...{ from, to: run.rate, epoch, madeIn, first, previous: believed.previous, believed },
    });
  });
}

/**
 * Epochs in which the change may lie. Just after a boundary the slot lies in the previous epoch,
 * so the old value may be of that epoch and the new one of the next.
 */
function toSpan(
  { epochs }: Ledger,
  { first, previous }: { first: Moment; previous: Moment },
): { earliest: number; latest: number } {
  const trackedOf = ({ epoch }: Moment) => epochs.find((one) => one.epoch === epoch);
  const [before, after] = [trackedOf(previous), trackedOf(first)];
  const earliest =
    before !== undefined && previous.slot < before.firstSlot ? previous.epoch - 1 : previous.epoch;
  const isLater =
    after !== undefined && first.slot + READ_SLOTS >= after.firstSlot + after.slotsInEpoch;
  return { earliest, latest: Math.max(earliest, isLater ? first.epoch + 1 : first.epoch) };
}

type Difference = Pick<BareEvent, "source" | "severity" | "from" | "to" | "epoch" | "madeIn"> & {
  first: Moment;
  previous: Moment;
  believed: { at: string; by: ConfirmedBy };
};

function toEvent(
  { validatorIndex, ids }: Subject,
  { first, previous, believed, ...change }: Difference,
): BareEvent {
  const named = { validatorIndex, seenEpoch: change.epoch, slot: first.slot, ...change };
  const known = ids.claim((event) => isOfSameFacts(event, named));
  return {
    id: known?.id ?? ids.create(named),
    ...named,
    createdAt: first.time,
    previousSlot: previous.slot,
    previousSeenAt: previous.time,
    seenIn: change.madeIn,
    confirmed: true,
    confirmedAt: believed.at,
    confirmedBy: believed.by,
    transaction: null,
    isSwept: false,
    replacedBy: null,
  };
}

function isOfSameFacts(
  event: EventRecord,
  {
    source,
    seenEpoch,
    slot,
    from,
    to,
  }: Pick<BareEvent, "source" | "seenEpoch" | "slot" | "from" | "to">,
): boolean {
  const isObserved = event.confirmed && !event.isSwept;
  const isSameChange = event.source === source && event.from === from && event.to === to;
  return isObserved && isSameChange && event.seenEpoch === seenEpoch && event.slot === slot;
}
