import type { Ledger } from "./ledger.ts";
import { firstPayingEpoch } from "./paying-state.ts";
import type { EventRecord } from "./records.ts";
import type { Touched } from "./touched.ts";

/** An epoch's rewards are worked out when it has ended, by the validator sets of it and of the next one. */
const DECIDED_AFTER_EPOCHS = 2;

/** What follows from an event, and from what became known after it. */
export type Effects = Pick<
  EventRecord,
  "effectiveEpoch" | "effectiveEpochLatest" | "effectiveEpochFinal" | "supersededBy"
>;

type Cause = Pick<EventRecord, "ordinal" | "source" | "epoch" | "madeIn">;

/** From which epoch a change is paid, as far as it is known now. */
export function toEffects(ledger: Ledger, { ordinal, source, epoch, madeIn }: Cause): Effects {
  // Tips are shared by the account of their own epoch.
  if (source === "MEV")
    return { effectiveEpoch: epoch, effectiveEpochLatest: epoch, effectiveEpochFinal: true, supersededBy: null };
  const earliest = firstPayingEpoch(ledger, { epoch: madeIn.earliest, ordinal });
  const latest = firstPayingEpoch(ledger, { epoch: madeIn.latest, ordinal });
  const running = ledger.epochs.at(-1)?.epoch ?? -1;
  return {
    effectiveEpoch: earliest.epoch,
    effectiveEpochLatest: latest.epoch,
    effectiveEpochFinal: earliest.isSettled && latest.isSettled && running >= madeIn.latest + DECIDED_AFTER_EPOCHS,
    supersededBy: null,
  };
}

/**
 * Works out anew what follows from the events of every validator that was touched. Validator sets, stakes, and that an epoch
 * is final are learnt after the event, and touch its validator.
 */
export function foldEffects(ledger: Ledger, touched: Touched): void {
  const ordinals = touched.commissions.union(touched.stakes).union(touched.events);
  if (ordinals.size === 0) return;
  const standing = ledger.events.filter(({ ordinal }) => ordinals.has(ordinal));
  const successors = findSuccessors(standing);
  for (const event of standing)
    assign(touched, event, {
      ...toEffects(ledger, event),
      supersededBy: event.replacedBy ?? successors.get(event) ?? null,
    });
  for (const event of ledger.withdrawn) if (ordinals.has(event.ordinal)) Object.assign(event, toEffects(ledger, event));
}

/**
 * By event the id of the one that took its rate away before the epoch ended in which it was set: no reward was ever paid by
 * it. Where their windows leave it open that the rate stood at the end of an epoch, there is none.
 */
function findSuccessors(events: readonly EventRecord[]): Map<EventRecord, string> {
  // Of a change whose steps are events themselves, those say what stood.
  const seen = events.filter(
    ({ source, confirmed, replacedBy }) => source === "COMMISSION" && confirmed && replacedBy === null,
  );
  const slotOf = ({ transaction, slot }: EventRecord) => transaction?.slot ?? slot;
  const successors = new Map<EventRecord, string>();
  for (const own of Map.groupBy(seen, ({ ordinal }) => ordinal).values()) {
    const inOrder = own.sort((a, b) => slotOf(a) - slotOf(b));
    for (const [index, event] of inOrder.entries()) {
      const next = inOrder[index + 1];
      if (next !== undefined && event.madeIn.earliest === next.madeIn.latest) successors.set(event, next.id);
    }
  }
  return successors;
}

function assign(touched: Touched, event: EventRecord, effects: Effects): void {
  const names = Object.keys(effects) as (keyof Effects)[];
  if (names.every((name) => event[name] === effects[name])) return;
  Object.assign(event, effects);
  touched.events.add(event.ordinal);
  touched.epochs.add(event.epoch);
  if (event.confirmed) touched.severities.add(event.severity);
}
