import type { Ledger } from "./ledger.ts";
import { toMoves, type Move } from "./proof-moves.ts";
import { startOf, touchEvent, type Subject } from "./proof-steps.ts";
import { keepColumn } from "./proved-column.ts";
import { proveRun, toRuns } from "./proved-runs.ts";
import { findGroup, proveSeen } from "./proved-windows.ts";
import type { EventRecord, ValidatorRecord } from "./records.ts";
import type { Touched } from "./touched.ts";
import { epochAt } from "./witnesses.ts";

/*
 * What proved transactions make of events (design §7, «several in one window»). An event that was observed takes the last
 * transaction in its window that reached its new rate. Where another rate stood at the end of an epoch meanwhile, or where no
 * observation saw anything, the moves themselves are the events. Nothing is concluded from slots in which more may have
 * happened than is known (coverage.ts).
 */

/** Works out anew what is proved of every validator of which more became known. @param time of the entry that was folded */
export function foldProofs(ledger: Ledger, touched: Touched, time: string): void {
  const ordinals = [...touched.proofs.union(touched.events).union(touched.commissions)].filter(
    (ordinal) => (ledger.validators[ordinal]?.rateProofs.length ?? 0) > 0,
  );
  if (ordinals.length === 0) return;
  const isProvable = ({ source, confirmed }: EventRecord) => source === "COMMISSION" && confirmed;
  const events = Map.groupBy([...ledger.events, ...ledger.withdrawn].filter(isProvable), ({ ordinal }) => ordinal);
  for (const ordinal of ordinals.sort((a, b) => a - b)) {
    const validator = ledger.validators[ordinal];
    if (validator === undefined) continue;
    redate(ledger, validator);
    const own = events.get(ordinal) ?? [];
    const made = own.filter(({ isSwept }) => isSwept);
    const subject: Subject = {
      ledger,
      touched,
      time,
      ordinal,
      validator,
      seen: own.filter(({ isSwept }) => !isSwept).sort((a, b) => a.slot - b.slot),
      made: new Map(made.map((event) => [event.transaction?.signature ?? "", event])),
      moves: toMoves(validator),
    };
    dropDisputed(subject);
    proveAll(subject);
  }
}

/** Where epochs begin may have been told wrongly when a transaction was read. */
function redate(ledger: Ledger, { rateProofs }: ValidatorRecord): void {
  const since = ledger.epochs[0]?.firstSlot ?? Infinity;
  for (const proof of rateProofs) if (proof.slot >= since) proof.epoch = epochAt(ledger, proof.slot);
}

function proveAll(subject: Subject): void {
  const { seen, moves } = subject;
  const used = new Map<number, Move>();
  for (const [index, event] of seen.entries()) {
    const group = findGroup(subject, event, seen[index + 1]);
    for (const move of proveSeen(subject, event, group)) used.set(move.slot, move);
  }
  const isFree = ({ slot }: Move) => !seen.some((event) => slot > startOf(event) && slot <= event.slot);
  const free = moves.filter((move) => !used.has(move.slot) && isFree(move));
  for (const run of toRuns(free, seen)) for (const move of proveRun(subject, run)) used.set(move.slot, move);
  keepColumn(
    subject,
    moves.flatMap(({ slot }) => used.get(slot) ?? []),
  );
}

/** What was told under two slots proves nothing, and the events that it alone told of are none. */
function dropDisputed({ ledger, touched, validator, made }: Subject): void {
  const disputed = new Set(
    validator.rateProofs.flatMap(({ isDisputed, signature }) => (isDisputed ? [signature] : [])),
  );
  const dropped = [...made].flatMap(([signature, event]) => (disputed.has(signature) ? [event] : []));
  if (dropped.length === 0) return;
  for (const event of dropped) touchEvent({ ledger, touched }, event, event.epoch);
  ledger.events = ledger.events.filter((event) => !dropped.includes(event));
  ledger.withdrawn = ledger.withdrawn.filter((event) => !dropped.includes(event));
}
