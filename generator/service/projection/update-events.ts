import { isDeepStrictEqual } from "node:util";
import { getU16, NOT_RECORDED, setU16 } from "../../ledger/columns.ts";
import type { EventRecord } from "../../ledger/event-record.ts";
import type { Ledger } from "../../ledger/ledger.ts";
import { isWithdrawn } from "../../ledger/rulings.ts";
import { type Touched, touchHistory } from "../../ledger/touched.ts";
import { createEvents, toEvents } from "../../views/events/events.ts";

interface Where {
  ledger: Ledger;
  touched: Touched;
}

/**
 * Derives the events of touched validators again, and touches the documents that show an event
 * that changed.
 * @param time of the entry; ISO 8601 in UTC
 */
export function updateEvents(where: Where, time: string): void {
  const { ledger, touched } = where;
  const remade = touched.events.union(findMisplaced(ledger));
  const repriced = touched.histories.union(touched.profiles).difference(remade);
  if (remade.size + repriced.size === 0) return;
  const before = Map.groupBy(
    [...ledger.events, ...ledger.withdrawn],
    ({ validatorIndex }) => validatorIndex,
  );
  const make = createEvents(ledger, time);
  const changed = new Map<number, EventRecord[]>();
  for (const validatorIndex of inOrder(remade)) {
    const own = before.get(validatorIndex) ?? [];
    const { events, proved } = make(validatorIndex, own);
    keepProved(where, validatorIndex, proved);
    if (touchChanges(where, own, events)) changed.set(validatorIndex, events);
  }
  for (const validatorIndex of inOrder(repriced)) {
    const own = before.get(validatorIndex) ?? [];
    const events = toEvents(ledger, own);
    if (touchChanges(where, own, events)) changed.set(validatorIndex, events);
  }
  if (changed.size > 0) storeEvents(ledger, changed);
}

/** Validators of events that a ruling moves. */
function findMisplaced(ledger: Ledger): Set<number> {
  if (ledger.rulings.events.size === 0) return new Set();
  const misplaced = [...ledger.events, ...ledger.withdrawn].filter((event) =>
    isMoved(ledger, event),
  );
  return new Set(misplaced.map(({ validatorIndex }) => validatorIndex));
}

function isMoved(ledger: Ledger, event: EventRecord): boolean {
  return ledger.withdrawn.includes(event) !== isWithdrawn(ledger, event);
}

function inOrder(validatorIndexes: ReadonlySet<number>): number[] {
  return [...validatorIndexes].sort((a, b) => a - b);
}

function keepProved(
  where: Where,
  validatorIndex: number,
  proved: ReadonlyMap<number, number>,
): void {
  const { ledger } = where;
  for (const epoch of new Set([...ledger.proved.keys(), ...proved.keys()])) {
    const value = proved.get(epoch) ?? null;
    if (getU16(ledger.proved, epoch, validatorIndex) === value) continue;
    setU16(ledger.proved, epoch, validatorIndex, value ?? NOT_RECORDED, NOT_RECORDED);
    touchHistory(where, validatorIndex, epoch);
  }
}

/** Returns whether any event of a validator changed. */
function touchChanges(
  where: Where,
  before: readonly EventRecord[],
  after: readonly EventRecord[],
): boolean {
  const left = new Map(before.map((event) => [event.id, event]));
  let isChanged = false;
  for (const event of after) {
    const old = left.get(event.id);
    left.delete(event.id);
    if (old !== undefined && isDeepStrictEqual(old, event) && !isMoved(where.ledger, old)) continue;
    touchChange(where, old, event);
    isChanged = true;
  }
  for (const gone of left.values()) touchChange(where, gone, undefined);
  return isChanged || left.size > 0;
}

function touchChange(
  where: Where,
  old: EventRecord | undefined,
  event: EventRecord | undefined,
): void {
  const both = [old, event].filter((one) => one !== undefined);
  const hasOtherCosts =
    old !== undefined && !isMoved(where.ledger, old) && isSameButForCosts(old, event);
  for (const { validatorIndex, epoch } of both) {
    where.touched[hasOtherCosts ? "costs" : "events"].add(validatorIndex);
    where.touched.epochs.add(epoch);
  }
  const isDated = old?.epoch === event?.epoch && isDeepStrictEqual(old?.madeIn, event?.madeIn);
  if (isDated) return;
  // Either commission may have been in force at the ends between (views/commissions.ts).
  for (const { source, confirmed, validatorIndex, seenIn, madeIn, epoch } of both) {
    if (source !== "COMMISSION" || !confirmed) continue;
    touchHistory(where, validatorIndex, Math.min(seenIn.earliest, madeIn.earliest, epoch));
  }
}

function isSameButForCosts(one: EventRecord, other: EventRecord | undefined): boolean {
  const { cost, mevCost } = one;
  return other !== undefined && isDeepStrictEqual(one, { ...other, cost, mevCost });
}

function storeEvents(ledger: Ledger, changed: ReadonlyMap<number, EventRecord[]>): void {
  const isKept = ({ validatorIndex }: EventRecord) => !changed.has(validatorIndex);
  const kept = [...ledger.events, ...ledger.withdrawn].filter(isKept);
  const all = [...kept, ...[...changed.values()].flat()].sort(compareByArrival);
  ledger.events = all.filter((event) => !isWithdrawn(ledger, event));
  ledger.withdrawn = all.filter((event) => isWithdrawn(ledger, event));
}

/** Those of public histories last. */
function compareByArrival(one: EventRecord, other: EventRecord): number {
  const [a, b] = [one.confirmedAt ?? "~", other.confirmedAt ?? "~"];
  if (a !== b) return a < b ? -1 : 1;
  return one.validatorIndex - other.validatorIndex;
}
