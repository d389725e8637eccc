import type { Source } from "../../contract/event.ts";
import { DISABLED, NOT_RECORDED } from "../columns.ts";
import { agrees } from "../../chain/commission.ts";
import { isWholePercent } from "../rates/whole-percent.ts";
import { createHistoryEvent } from "./events.ts";
import type { Ledger } from "../ledger.ts";
import type { EventRecord, MevState } from "../records.ts";
import { isWithdrawn } from "../rulings.ts";
import type { Touched } from "../touched.ts";

interface EpochColumns {
  epoch: number;
  firstSlot: number;
  /** Proved overrides observed, which overrides told. */
  proved: Uint16Array | undefined;
  observed: Uint16Array | undefined;
  told: Uint16Array | undefined;
}

interface Known {
  epoch: number;
  observed: boolean;
  /** If false, a told percent is within a point of the real value. */
  isWhole: boolean;
  /** Before the epoch's first observed change, and after its last. */
  begin: MevState;
  end: MevState;
}

interface Change {
  from: MevState;
  to: MevState;
  epoch: number;
  slot: number;
}

/** From all that is known: the order of arrival must not matter. */
export function foldHistoryEvents(ledger: Ledger, touched: Touched): void {
  const validatorIndexes = [...touched.commissions.union(touched.events)].sort((a, b) => a - b);
  if (validatorIndexes.length === 0) return;
  const isHistory = ({ confirmed }: EventRecord) => !confirmed;
  const known = [...ledger.events, ...ledger.withdrawn].filter(isHistory);
  if (ledger.history.firstSlots.size === 0 && known.length === 0) return;
  const held = Map.groupBy(known, ({ validatorIndex }) => validatorIndex);
  const find = createFinder(ledger);
  const changed = new Map(
    validatorIndexes.flatMap((validatorIndex) => {
      const before = held.get(validatorIndex) ?? [];
      const after = find(validatorIndex);
      if (isSame(before, after)) return [];
      touched.events.add(validatorIndex);
      for (const { epoch } of [...before, ...after]) touched.epochs.add(epoch);
      return [[validatorIndex, after]];
    }),
  );
  if (changed.size === 0) return;
  const isKept = ({ confirmed, validatorIndex }: EventRecord) => confirmed || !changed.has(validatorIndex);
  const found = [...changed.values()].flat();
  ledger.events = [...ledger.events.filter(isKept), ...found.filter((event) => !isWithdrawn(ledger, event))];
  ledger.withdrawn = [...ledger.withdrawn.filter(isKept), ...found.filter((event) => isWithdrawn(ledger, event))];
}

function isSame(one: readonly EventRecord[], other: readonly EventRecord[]): boolean {
  const toKey = ({ id, slot }: EventRecord) => `${id} ${slot}`;
  return one.map(toKey).sort().join() === other.map(toKey).sort().join();
}

function createFinder(ledger: Ledger): (validatorIndex: number) => EventRecord[] {
  // A ruling withdraws the event, not the values around it.
  const seen = Map.groupBy(
    [...ledger.events, ...ledger.withdrawn]
      .filter(({ confirmed, replacedBy }) => confirmed && replacedBy === null)
      .sort(compareConfirmed),
    ({ validatorIndex }) => validatorIndex,
  );
  const columns: Record<Source, EpochColumns[]> = {
    COMMISSION: toEpochColumns(ledger, "inflation"),
    MEV: toEpochColumns(ledger, "mev"),
  };
  return (validatorIndex) =>
    (["COMMISSION", "MEV"] as const).flatMap((source) => {
      const own = (seen.get(validatorIndex) ?? []).filter((event) => event.source === source);
      return findChanges(columns[source], { ledger, validatorIndex, source, seen: own }).map((change) =>
        createHistoryEvent(ledger, validatorIndex, { source, ...change }),
      );
    });
}

/** Ties stay in order of confirmation. */
function compareConfirmed(one: EventRecord, other: EventRecord): number {
  const slotOf = ({ transaction, slot }: EventRecord) => transaction?.slot ?? slot;
  return slotOf(one) - slotOf(other);
}

function toEpochColumns(ledger: Ledger, kind: "inflation" | "mev"): EpochColumns[] {
  const observedSlots = new Map(ledger.epochs.map(({ epoch, firstSlot }) => [epoch, firstSlot]));
  const slots = new Map([...ledger.history.firstSlots, ...observedSlots]);
  return [...slots]
    .sort(([a], [b]) => a - b)
    .map(([epoch, firstSlot]) => ({
      epoch,
      firstSlot,
      proved: kind === "inflation" ? ledger.proved.get(epoch) : undefined,
      observed: ledger[kind].get(epoch),
      told: ledger.history[kind].get(epoch),
    }));
}

interface Subject {
  ledger: Ledger;
  validatorIndex: number;
  source: Source;
  seen: readonly EventRecord[];
}

function findChanges(columns: readonly EpochColumns[], subject: Subject): Change[] {
  const changes: Change[] = [];
  let before = null as Known | null;
  for (const column of columns) {
    const known = toKnown(column, subject);
    if (known === null) continue;
    const last = before?.epoch === column.epoch - 1 ? before : null;
    const isOther = last !== null && isChange(last, known, subject.source);
    const isOfHistory = last !== null && !(last.observed && known.observed);
    if (isOther && isOfHistory && !isCovered(column, subject.seen))
      changes.push({ from: last.end, to: known.begin, epoch: column.epoch, slot: column.firstSlot });
    // Keeps the earlier value while percents agree, or small steps would never add up to a change.
    before = known.observed || isOther || last === null ? known : { ...known, end: last.end };
  }
  return changes;
}

function toKnown(
  { epoch, proved, observed, told }: EpochColumns,
  { ledger, validatorIndex, seen }: Subject,
): Known | null {
  const facts = { epoch, isWhole: isWholePercent(ledger, epoch) };
  const seenValue = toState(proved?.[validatorIndex]) ?? toState(observed?.[validatorIndex]);
  if (seenValue === null) {
    const value = toState(told?.[validatorIndex]);
    return value === null ? null : { ...facts, observed: false, begin: value, end: value };
  }
  const first = seen.find((event) => event.epoch === epoch);
  return { ...facts, observed: true, begin: first === undefined ? seenValue : first.from, end: seenValue };
}

function toState(value: number | undefined): MevState {
  if (value === undefined || value === NOT_RECORDED) return null;
  return value === DISABLED ? "disabled" : value;
}

function isCovered({ epoch, firstSlot }: EpochColumns, seen: readonly EventRecord[]): boolean {
  return seen.some((event) => epoch <= event.epoch && firstSlot > (event.previousSlot ?? event.slot));
}

function isChange({ end: from, ...before }: Known, { begin: to, ...after }: Known, source: Source): boolean {
  if (from === null || to === null) return false;
  if (source === "MEV" || typeof from !== "number" || typeof to !== "number") return from !== to;
  const toReading = (basisPoints: number, isExact: boolean) => ({
    basisPoints,
    exact: isExact || basisPoints % 100 !== 0,
  });
  return !agrees(toReading(from, before.isWhole), toReading(to, after.isWhole));
}
