import type { Reading } from "../../agree/agree.ts";
import type { AgreedSchedule } from "../../agree/schedule.ts";
import { isUnreadable } from "../../chain/list-totals.ts";
import {
  createStreaks,
  REFUSAL_KINDS,
  type Observation,
  type Refusal,
  type RefusedObservation,
} from "./acceptance-record.ts";
import { type Ledger, observedSlots } from "../ledger.ts";
import { IGNORED, rulingOn } from "../rulings.ts";
import {
  refuseDistance,
  refuseEpoch,
  refuseLeap,
  refuseSlot,
  toFirstSlot,
} from "./slot-refusals.ts";
import { countCommissions, refuseCommissions, refuseSet } from "./set-refusals.ts";

const STREAK_OBSERVATIONS = 10;
const STREAK_MILLISECONDS = 10 * 60_000;
const REFUSED_KEPT = 20;

type RefusalKind = (typeof REFUSAL_KINDS)[number];

/**
 * Whether an observation counts. `isRestart`: the cluster went back to an earlier slot or
 * epoch.
 */
export type Verdict =
  | { accepted: true; isRestart: boolean }
  /** `isSlotPlausible`: only the set or the rates are doubtful, so agreed rates still count. */
  | { accepted: false; reason: string; isSlotPlausible: boolean };

type Refuse = (ledger: Ledger, entry: Observation, reading: Reading) => Refusal | null;

const REFUSALS: Record<RefusalKind, Refuse> = {
  slot: (ledger, entry, reading) =>
    refuseDistance(entry.slot, reading.clusterSlot) ?? refuseSlot(ledger, slotOf(entry, reading)),
  leap: (ledger, entry, reading) =>
    refuseLeap(ledger, { time: entry.time, slot: slotOf(entry, reading) }),
  epoch: (ledger, entry, reading) => {
    if (reading.schedule !== null) return refuseOtherSchedule(entry, reading.schedule);
    if (reading.epochDispute !== null) return { reason: reading.epochDispute, isLike: null };
    return refuseEpoch(ledger, entry, slotOf(entry, reading));
  },
  set: (ledger, entry, reading) => refuseUnlike(reading) ?? refuseOtherSet(ledger, entry, reading),
  commissions: (ledger, entry, reading) =>
    isDecided(reading)
      ? null
      : withoutStreak(reading, refuseCommissions(ledger, entry, reading.totals)),
};

/**
 * Accepts or refuses an observation and records the outcome in the ledger. A ruling on the
 * entry overrides all checks.
 */
export function judgeObservation(
  ledger: Ledger,
  name: string,
  entry: Observation,
  reading: Reading,
): Verdict {
  const ruling = rulingOn(ledger, name)?.verdict;
  const verdict =
    ruling === undefined
      ? compare(ledger, entry, reading)
      : byRuling(ledger, entry, reading, ruling);
  if (verdict.accepted) accept(ledger, entry, reading);
  else recordRefused(ledger, { name, time: entry.time, reason: verdict.reason });
  return verdict;
}

/** The cluster's slot by the panel, or by the only answer. */
function slotOf({ slot }: Observation, { clusterSlot }: Reading): number {
  return clusterSlot ?? slot;
}

function refuseOtherSchedule(
  entry: Observation,
  { epoch, firstSlot, slotsInEpoch }: AgreedSchedule,
): Refusal | null {
  const isAgreed =
    entry.epoch === epoch &&
    toFirstSlot(entry) === firstSlot &&
    entry.slotsInEpoch === slotsInEpoch;
  if (isAgreed) return null;
  const own = `epoch ${entry.epoch} with ${entry.slotsInEpoch} slots from slot ${toFirstSlot(entry)} on`;
  const agreed = `epoch ${epoch} with ${slotsInEpoch} from slot ${firstSlot} on`;
  return { reason: `${own} is not what most of the panel tell: ${agreed}`, isLike: null };
}

function refuseUnlike({ likeness }: Reading): Refusal | null {
  if (likeness !== "unlike") return null;
  return { reason: "no majority of the panel shows a list like this one", isLike: null };
}

function refuseOtherSet(ledger: Ledger, entry: Observation, reading: Reading): Refusal | null {
  if (isDecided(reading) && entry.votes.length > 0) return null;
  return withoutStreak(reading, refuseSet(ledger, entry, reading.totals));
}

/** Three or more witnesses believe nothing that no majority shows, however often it repeats. */
function withoutStreak({ panelSize }: Reading, refusal: Refusal | null): Refusal | null {
  return refusal !== null && panelSize > 2 ? { ...refusal, isLike: null } : refusal;
}

/** Three or more witnesses whose majority answers alike override every earlier observation. */
function isDecided({ panelSize, likeness }: Reading): boolean {
  return panelSize > 2 && likeness === "alike";
}

function byRuling(
  ledger: Ledger,
  entry: Observation,
  reading: Reading,
  ruling: "accept" | "ignore",
): Verdict {
  if (ruling === "ignore") return { ...IGNORED, isSlotPlausible: false };
  const { newest } = ledger.acceptance;
  ledger.acceptance.streaks = createStreaks();
  const isRestart =
    newest !== null && (slotOf(entry, reading) <= newest.slot || entry.epoch < newest.epoch);
  return { accepted: true, isRestart };
}

/** Each kind of refusal has a streak of its own, which this observation ends or prolongs. */
function compare(ledger: Ledger, entry: Observation, reading: Reading): Verdict {
  const { streaks } = ledger.acceptance;
  const refusals: { about: RefusalKind; reason: string }[] = [];
  const outlasted: RefusalKind[] = [];
  for (const about of REFUSAL_KINDS) {
    const refusal = REFUSALS[about](ledger, entry, reading);
    if (refusal === null) streaks[about] = null;
    else if (prolongStreak(ledger, entry, { about, ...refusal, reading })) outlasted.push(about);
    else refusals.push({ about, reason: refusal.reason });
  }
  const [first] = refusals;
  if (first !== undefined) {
    const isSlotPlausible = refusals.every(
      ({ about }) => about === "set" || about === "commissions",
    );
    return { accepted: false, reason: first.reason, isSlotPlausible };
  }
  if (outlasted.length > 0) ledger.acceptance.streaks = createStreaks();
  const isBefore = entry.epoch < (ledger.acceptance.newest?.epoch ?? 0);
  return {
    accepted: true,
    isRestart: isBefore || outlasted.includes("slot") || outlasted.includes("epoch"),
  };
}

function accept({ acceptance, unobserved }: Ledger, entry: Observation, reading: Reading): void {
  const slot = slotOf(entry, reading);
  const { time, epoch, slotIndex, slotsInEpoch, absoluteSlot } = entry;
  const before = acceptance.newest?.slot ?? slot;
  if (slot - before > observedSlots(slotsInEpoch)) unobserved.push([before, slot]);
  acceptance.accepted += 1;
  acceptance.reference = {
    rows: reading.totals.rows,
    stake: reading.totals.stake,
    unreadable: new Set(entry.votes.filter(isUnreadable).map(({ vote }) => vote)),
  };
  acceptance.newest = {
    time,
    slot,
    listSlot: entry.slot,
    epoch,
    slotIndex,
    slotsInEpoch,
    absoluteSlot,
  };
}

function recordRefused({ acceptance }: Ledger, refused: RefusedObservation): void {
  acceptance.refused += 1;
  acceptance.refusedObservations = [...acceptance.refusedObservations, refused].slice(
    -REFUSED_KEPT,
  );
}

/** Returns whether the streak is then long enough for the observation to be accepted. */
function prolongStreak(
  ledger: Ledger,
  entry: Observation,
  { about, isLike, reading }: Refusal & { about: RefusalKind; reading: Reading },
): boolean {
  const slot = slotOf(entry, reading);
  const before = ledger.acceptance.streaks[about];
  // A stuck node repeats its slot: one observation.
  if (isLike === null || before?.slot === slot) return false;
  const continued = before !== null && isLike(before) ? before : null;
  const { time, epoch } = entry;
  const { rows, stake } = reading.totals;
  const since = continued?.since ?? time;
  const count = (continued?.count ?? 0) + 1;
  const { unreadable } = countCommissions(ledger, entry, reading.totals);
  ledger.acceptance.streaks[about] = { since, count, time, slot, epoch, rows, stake, unreadable };
  return (
    count >= STREAK_OBSERVATIONS && Date.parse(time) - Date.parse(since) >= STREAK_MILLISECONDS
  );
}
