import { getU16, NOT_RECORDED, setU16 } from "../columns.ts";
import { isCovered } from "./coverage.ts";
import type { Ledger } from "../ledger.ts";
import { type Move, toMoves } from "./proof-moves.ts";
import { findGroup, proveSeen, startOf, type Subject, touchEvent } from "./proved-events.ts";
import { proveRun, toRuns } from "./proved-runs.ts";
import { isAccepted } from "../rulings.ts";
import { holdRate } from "../rates/held-rate.ts";
import type { EventRecord, ValidatorRecord } from "../records.ts";
import { isRefuted } from "./refutations.ts";
import type { Step } from "../step.ts";
import { type Touched, touchGapBefore, touchPointsFrom } from "../touched.ts";
import { epochAt, lastSlotOf } from "../schedule.ts";

/*
 * An observed event takes the transaction in its window from which on each epoch ended with its new commission; the
 * others are its steps. If another commission stood at an epoch's end before, or nothing was observed, the moves are the
 * events. Uncovered slots prove nothing (coverage.ts).
 */

export function foldProofs(ledger: Ledger, touched: Touched, time: string): void {
  const validatorIndexes = touched.proofs.union(touched.events).union(touched.commissions);
  if (validatorIndexes.size === 0) return;
  const isProvable = ({ source, confirmed, validatorIndex }: EventRecord) =>
    source === "COMMISSION" && confirmed && validatorIndexes.has(validatorIndex);
  const events = Map.groupBy(
    [...ledger.events, ...ledger.withdrawn].filter(isProvable),
    ({ validatorIndex }) => validatorIndex,
  );
  for (const validatorIndex of [...validatorIndexes].sort((a, b) => a - b)) {
    const validator = ledger.validators[validatorIndex];
    if (validator === undefined || (validator.rateProofs.length === 0 && !events.has(validatorIndex))) continue;
    redate(ledger, validator);
    const own = events.get(validatorIndex) ?? [];
    const made = own.filter(({ isSwept }) => isSwept);
    const subject: Subject = {
      ledger,
      touched,
      time,
      validatorIndex,
      validator,
      seen: own.filter(({ isSwept }) => !isSwept).sort((a, b) => a.slot - b.slot),
      made: new Map(made.map((event) => [event.transaction?.signature ?? "", event])),
      standing: new Set(),
      moves: toMoves(validator),
    };
    takeBackRefuted(subject);
    proveAll(subject);
    dropFallen(subject);
  }
}

/**
 * An event whose window is searched, and that no transaction made, is disputed and no event; documents show the old
 * rate. Only the newest: others rest on it.
 */
function takeBackRefuted(subject: Subject): void {
  const { ledger, touched, validatorIndex, validator, time } = subject;
  for (let event = subject.seen.at(-1); event !== undefined; event = subject.seen.at(-1)) {
    const { from, to, slot, seenEpoch, createdAt, previousSeenAt } = event;
    const previousSlot = event.previousSlot ?? slot;
    if (typeof from !== "number" || typeof to !== "number" || validator.inflation?.basisPoints !== to) return;
    if (!isRefuted(validator, { after: previousSlot, upTo: slot, to }) || isAccepted(ledger, event)) return;
    const isKept = (one: EventRecord) => one !== event;
    ledger.events = ledger.events.filter(isKept);
    ledger.withdrawn = ledger.withdrawn.filter(isKept);
    subject.seen = subject.seen.filter(isKept);
    touchEvent({ ledger, touched }, event, Math.min(seenEpoch, event.seenIn.earliest));
    const shown = { time: previousSeenAt ?? time, slot: previousSlot, epoch: epochAt(ledger, previousSlot) };
    const first = { time: createdAt ?? time, slot, epoch: seenEpoch };
    const step: Step = { ledger, touched, moment: { ...first, time }, endpoint: "" };
    const commission = { basisPoints: from, exact: true };
    holdRate(step, validatorIndex, { commission, epoch: seenEpoch, floor: previousSlot, shown });
    validator.pendingInflation = {
      to: { basisPoints: to, exact: true },
      first,
      previous: shown,
      agreedAt: first.time,
      massLeft: null,
      says: [],
      isDisputed: false,
    };
  }
}

/** The schedule may have been wrong when the transaction was read. */
function redate(ledger: Ledger, { rateProofs }: ValidatorRecord): void {
  const since = ledger.epochs[0]?.firstSlot ?? Infinity;
  for (const proof of rateProofs) if (proof.slot >= since) proof.epoch = epochAt(ledger, proof.slot);
}

function proveAll(subject: Subject): void {
  const { seen, moves } = subject;
  const used = new Map<number, Move>();
  for (const event of seen) {
    const group = findGroup(subject, event, used);
    for (const move of proveSeen(subject, event, group)) used.set(move.slot, move);
  }
  const isFree = ({ slot }: Move) => !seen.some((event) => slot > startOf(subject, event) && slot <= event.slot);
  const free = moves.filter((move) => !used.has(move.slot) && isFree(move));
  for (const run of toRuns(free, seen)) for (const move of proveRun(subject, run)) used.set(move.slot, move);
  keepColumn(
    subject,
    moves.flatMap(({ slot }) => used.get(slot) ?? []),
  );
}

/** A transaction told under two slots proves nothing, and one that explains an observed change is no event of its own. */
function dropFallen({ ledger, touched, made, standing }: Subject): void {
  const fallen = new Set([...made.values()].filter((event) => !standing.has(event)));
  if (fallen.size === 0) return;
  for (const event of fallen) touchEvent({ ledger, touched }, event, event.epoch);
  ledger.events = ledger.events.filter((event) => !fallen.has(event));
  ledger.withdrawn = ledger.withdrawn.filter((event) => !fallen.has(event));
}

/** A proved commission may stand so long while observations show another. */
const UNSEEN_EPOCHS_MAX = 1_000;

function keepColumn(
  { ledger, touched, validatorIndex, validator, seen, moves }: Subject,
  certain: readonly Move[],
): void {
  const wanted = new Map<number, number>();
  for (const move of certain) {
    for (const epoch of epochsOf(move, { seen, next: moves.find(({ slot }) => slot > move.slot) })) {
      const isChangedAfter = seen.some(
        (event) => event.transaction === null && event.seenIn.earliest <= epoch && event.slot > move.slot,
      );
      const isAll = isCovered(validator, { after: move.slot - 1, upTo: lastSlotOf(ledger, epoch) });
      const isTold = epoch === move.epoch || getU16(ledger.inflation, epoch, validatorIndex) !== null;
      if (move.to !== null && isTold && isAll && !isChangedAfter) wanted.set(epoch, move.to);
    }
  }
  for (const epoch of new Set([...ledger.proved.keys(), ...wanted.keys()])) {
    const value = wanted.get(epoch) ?? null;
    if (getU16(ledger.proved, epoch, validatorIndex) === value) continue;
    setU16(ledger.proved, epoch, validatorIndex, value ?? NOT_RECORDED, NOT_RECORDED);
    touched.commissions.add(validatorIndex);
    touched.profiles.add(validatorIndex);
    touchPointsFrom({ ledger, touched }, epoch);
    touchGapBefore({ ledger, touched }, validatorIndex, epoch);
  }
}

/** Whose ends the move reached while observations still showed the old commission. */
function epochsOf(
  { epoch, proof }: Move,
  { seen, next }: { seen: readonly EventRecord[]; next: Move | undefined },
): number[] {
  const isStep = ({ signature }: { signature: string }) => signature === proof.signature;
  const event = seen.find(({ transaction }) => transaction?.steps.some(isStep) === true);
  const shownIn = event?.seenEpoch ?? next?.epoch ?? epoch;
  const last = Math.min(Math.max(epoch, shownIn - 1), next === undefined ? Infinity : next.epoch - 1);
  return Array.from(
    { length: Math.min(Math.max(0, last - epoch + 1), UNSEEN_EPOCHS_MAX) },
    (_, index) => epoch + index,
  );
}
