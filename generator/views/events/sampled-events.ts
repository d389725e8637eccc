import { agrees } from "../../chain/commission.ts";
import type { Source } from "../../contract/event.ts";
import { DISABLED, NOT_RECORDED } from "../../ledger/columns.ts";
import type { Ledger } from "../../ledger/ledger.ts";
import { observedRate } from "../../ledger/rates/timeline.ts";
import { isWholePercent } from "../../ledger/rates/whole-percent.ts";
import type { MevState, ValidatorRecord } from "../../ledger/records.ts";
import { observedMev } from "../../ledger/tips/timeline.ts";
import type { BareEvent } from "./effects.ts";
import { toEventId } from "./event-id.ts";
import { inflationSeverity, mevSeverity } from "./severity.ts";

/* Changes between epochs of which one is known from a public history only. */

interface EpochColumns {
  epoch: number;
  firstSlot: number;
  sampled: Uint16Array | undefined;
}

interface Known {
  epoch: number;
  observed: boolean;
  /** If false, a sampled percent is within a point of the real value. */
  isWhole: boolean;
  /** Before the epoch's first observed change, and after its last. */
  begin: MevState;
  end: MevState;
}

interface Difference {
  from: MevState;
  to: MevState;
  epoch: number;
  slot: number;
}

interface Own {
  validatorIndex: number;
  validator: ValidatorRecord;
  /** Of its observed and proved changes. */
  seen: readonly BareEvent[];
  /** Basis points that transactions prove, by epoch. */
  proved: ReadonlyMap<number, number>;
}

/** Prepared once for all validators. */
export function createSampling(ledger: Ledger): (own: Own) => BareEvent[] {
  const { firstSlots, inflation, mev } = ledger.history;
  if (inflation.size === 0 && mev.size === 0) return () => [];
  const observedSlots = new Map(ledger.epochs.map(({ epoch, firstSlot }) => [epoch, firstSlot]));
  const epochs = [...new Map([...firstSlots, ...observedSlots])].sort(([a], [b]) => a - b);
  const toColumns = (samples: Ledger["history"]["mev"]): EpochColumns[] =>
    epochs.map(([epoch, firstSlot]) => ({ epoch, firstSlot, sampled: samples.get(epoch) }));
  const columns: Record<Source, EpochColumns[]> = {
    COMMISSION: toColumns(inflation),
    MEV: toColumns(mev),
  };
  return (own) =>
    (["COMMISSION", "MEV"] as const).flatMap((source) => {
      const seen = own.seen
        .filter((change) => change.source === source && change.replacedBy === null)
        .sort((one, other) => slotOf(one) - slotOf(other));
      return findChanges(columns[source], { ...own, ledger, source, seen }).map((difference) =>
        toSampledEvent(ledger, own.validatorIndex, { source, ...difference }),
      );
    });
}

/** `epoch` is the later of the two. A sample stands for its epoch's end, so the time is unknown. */
function toSampledEvent(
  ledger: Ledger,
  validatorIndex: number,
  change: Pick<BareEvent, "source" | "from" | "to" | "epoch" | "slot">,
): BareEvent {
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
    confirmed: false,
    confirmedAt: null,
    confirmedBy: null,
    transaction: null,
    isSwept: false,
    replacedBy: null,
  };
}

function slotOf({ transaction, slot }: BareEvent): number {
  return transaction?.slot ?? slot;
}

interface Subject extends Own {
  ledger: Ledger;
  source: Source;
}

function findChanges(columns: readonly EpochColumns[], subject: Subject): Difference[] {
  const changes: Difference[] = [];
  let before = null as Known | null;
  for (const column of columns) {
    const known = toKnown(column, subject);
    if (known === null) continue;
    const last = before?.epoch === column.epoch - 1 ? before : null;
    const isOther = last !== null && isChange(last, known, subject.source);
    const isOfHistory = last !== null && !(last.observed && known.observed);
    if (isOther && isOfHistory && !isObserved(column, subject.seen))
      changes.push({
        from: last.end,
        to: known.begin,
        epoch: column.epoch,
        slot: column.firstSlot,
      });
    // Keeps the earlier value while the percents agree; otherwise small steps would never add up to
    // a change.
    before = known.observed || isOther || last === null ? known : { ...known, end: last.end };
  }
  return changes;
}

function toKnown({ epoch, sampled }: EpochColumns, subject: Subject): Known | null {
  const { ledger, validatorIndex, seen } = subject;
  const facts = { epoch, isWhole: isWholePercent(ledger, epoch) };
  const seenValue = findSeen(subject, epoch);
  if (seenValue === null) {
    const value = toState(sampled?.[validatorIndex]);
    return value === null ? null : { ...facts, observed: false, begin: value, end: value };
  }
  const first = seen.find((event) => event.epoch === epoch);
  return {
    ...facts,
    observed: true,
    begin: first === undefined ? seenValue : first.from,
    end: seenValue,
  };
}

function findSeen({ source, validator, proved }: Subject, epoch: number): MevState {
  if (source === "MEV") return observedMev(validator, epoch);
  return proved.get(epoch) ?? observedRate(validator, epoch);
}

function toState(value: number | undefined): MevState {
  if (value === undefined || value === NOT_RECORDED) return null;
  return value === DISABLED ? "disabled" : value;
}

function isObserved({ epoch, firstSlot }: EpochColumns, seen: readonly BareEvent[]): boolean {
  return seen.some(
    (event) => epoch <= event.epoch && firstSlot > (event.previousSlot ?? event.slot),
  );
}

function isChange(
  { end: from, ...before }: Known,
  { begin: to, ...after }: Known,
  source: Source,
): boolean {
  if (from === null || to === null) return false;
  if (source === "MEV" || typeof from !== "number" || typeof to !== "number") return from !== to;
  const toReading = (basisPoints: number, isExact: boolean) => ({
    basisPoints,
    exact: isExact || basisPoints % 100 !== 0,
  });
  return !agrees(toReading(from, before.isWhole), toReading(to, after.isWhole));
}
