import type { Reading } from "../../agree/agree.ts";
import type { AgreedSchedule } from "../../agree/schedule.ts";
import { createDoubts, DOUBTS, type Objection, type Observation } from "./acceptance-record.ts";
import { type Ledger, observedSlots } from "../ledger.ts";
import { IGNORED } from "../rulings.ts";
import { objectToDistance, objectToEpoch, objectToLeap, objectToSlot, toFirstSlot } from "./slot-objections.ts";
import { countCommissions, objectToCommissions, objectToSet, type VoteSet } from "./set-objections.ts";

const DOUBT_OBSERVATIONS = 10;
const DOUBT_MILLISECONDS = 10 * 60_000;
const REFUSALS_KEPT = 20;

type DoubtKind = (typeof DOUBTS)[number];

export type Verdict =
  | { accepted: true; isRestart: boolean }
  /** `isInPlace`: at a plausible slot, so a commission in it is worth reading. */
  | { accepted: false; reason: string; isInPlace: boolean };

export interface Circumstances {
  reading: Reading;
  set: VoteSet;
}

type Object = (ledger: Ledger, entry: Observation, circumstances: Circumstances) => Objection | null;

const OBJECTIONS: Record<DoubtKind, Object> = {
  slot: (ledger, entry, { reading }) =>
    objectToDistance(entry.slot, reading.clusterSlot) ?? objectToSlot(ledger, slotOf(entry, reading)),
  leap: (ledger, entry, { reading }) => objectToLeap(ledger, { time: entry.time, slot: slotOf(entry, reading) }),
  epoch: (ledger, entry, { reading }) => {
    if (reading.schedule !== null) return objectToOtherSchedule(entry, reading.schedule);
    if (reading.epochDenial !== null) return { reason: reading.epochDenial, isLike: null };
    return objectToEpoch(ledger, entry, slotOf(entry, reading));
  },
  set: (ledger, entry, { reading, set }) =>
    objectToUnlike(reading) ?? objectToOtherSet(ledger, entry, { reading, set }),
  commissions: (ledger, entry, { reading, set }) =>
    isDecided(reading) ? null : objectToCommissions(ledger, entry, set),
};

export function judgeObservation(
  ledger: Ledger,
  name: string,
  entry: Observation,
  circumstances: Circumstances,
): Verdict {
  const ruling = ledger.rulings.observations.get(name)?.verdict;
  const verdict =
    ruling === undefined ? compare(ledger, entry, circumstances) : byRuling(ledger, entry, circumstances, ruling);
  if (verdict.accepted) accept(ledger, entry, circumstances);
  else refuse(ledger, { name, time: entry.time, reason: verdict.reason });
  return verdict;
}

/** Where the cluster is: where the panel is, or the only answer. */
function slotOf({ slot }: Observation, { clusterSlot }: Reading): number {
  return clusterSlot ?? slot;
}

function objectToOtherSchedule(
  entry: Observation,
  { epoch, firstSlot, slotsInEpoch }: AgreedSchedule,
): Objection | null {
  const isSame = entry.epoch === epoch && toFirstSlot(entry) === firstSlot && entry.slotsInEpoch === slotsInEpoch;
  if (isSame) return null;
  const own = `epoch ${entry.epoch} with ${entry.slotsInEpoch} slots from slot ${toFirstSlot(entry)} on`;
  const told = `epoch ${epoch} with ${slotsInEpoch} from slot ${firstSlot} on`;
  return { reason: `${own} is not what most of the panel tell: ${told}`, isLike: null };
}

function objectToUnlike({ likeness }: Reading): Objection | null {
  if (likeness !== "unlike") return null;
  return { reason: "no majority of the panel shows a list like this one", isLike: null };
}

function objectToOtherSet(ledger: Ledger, entry: Observation, { reading, set }: Circumstances): Objection | null {
  if (isDecided(reading) && entry.votes.length > 0) return null;
  return objectToSet(ledger, entry, set);
}

/** What a majority of three or more shows alike is believed, whatever was before. */
function isDecided({ panelSize, likeness }: Reading): boolean {
  return panelSize > 2 && likeness === "alike";
}

function byRuling(
  ledger: Ledger,
  entry: Observation,
  { reading }: Circumstances,
  ruling: "accept" | "ignore",
): Verdict {
  if (ruling === "ignore") return { ...IGNORED, isInPlace: false };
  const { newest } = ledger.acceptance;
  ledger.acceptance.doubts = createDoubts();
  const isRestart = newest !== null && (slotOf(entry, reading) <= newest.slot || entry.epoch < newest.epoch);
  return { accepted: true, isRestart };
}

/** Each objection has its own clock to outlast. */
function compare(ledger: Ledger, entry: Observation, circumstances: Circumstances): Verdict {
  const { doubts } = ledger.acceptance;
  const standing: { about: DoubtKind; reason: string }[] = [];
  const outlasted: DoubtKind[] = [];
  for (const about of DOUBTS) {
    const objection = OBJECTIONS[about](ledger, entry, circumstances);
    if (objection === null) doubts[about] = null;
    else if (isOutlasted(ledger, entry, { about, ...objection, ...circumstances })) outlasted.push(about);
    else standing.push({ about, reason: objection.reason });
  }
  const [first] = standing;
  if (first !== undefined) {
    const isInPlace = standing.every(({ about }) => about === "set" || about === "commissions");
    return { accepted: false, reason: first.reason, isInPlace };
  }
  if (outlasted.length > 0) ledger.acceptance.doubts = createDoubts();
  const isBefore = entry.epoch < (ledger.acceptance.newest?.epoch ?? 0);
  return { accepted: true, isRestart: isBefore || outlasted.includes("slot") || outlasted.includes("epoch") };
}

function accept({ acceptance, unobserved }: Ledger, entry: Observation, { reading, set }: Circumstances): void {
  const slot = slotOf(entry, reading);
  const { time, epoch, slotIndex, slotsInEpoch, absoluteSlot } = entry;
  const before = acceptance.newest?.slot ?? slot;
  if (slot - before > observedSlots(slotsInEpoch)) unobserved.push([before, slot]);
  acceptance.accepted += 1;
  acceptance.reference = { rows: set.rows, stake: set.stake, unreadable: set.unreadable };
  acceptance.newest = { time, slot, listSlot: entry.slot, epoch, slotIndex, slotsInEpoch, absoluteSlot };
}

function refuse({ acceptance }: Ledger, refusal: Ledger["acceptance"]["refusals"][number]): void {
  acceptance.refused += 1;
  acceptance.refusals = [...acceptance.refusals, refusal].slice(-REFUSALS_KEPT);
}

function isOutlasted(
  ledger: Ledger,
  entry: Observation,
  { about, isLike, reading, set }: Objection & Circumstances & { about: DoubtKind },
): boolean {
  const slot = slotOf(entry, reading);
  const before = ledger.acceptance.doubts[about];
  // A stuck node repeats its slot: one observation.
  if (isLike === null || before?.slot === slot) return false;
  const continued = before !== null && isLike(before) ? before : null;
  const { time, epoch } = entry;
  const { rows, stake } = set;
  const since = continued?.since ?? time;
  const count = (continued?.count ?? 0) + 1;
  const { unreadable } = countCommissions(ledger, entry, set);
  ledger.acceptance.doubts[about] = { since, count, time, slot, epoch, rows, stake, unreadable };
  return count >= DOUBT_OBSERVATIONS && Date.parse(time) - Date.parse(since) >= DOUBT_MILLISECONDS;
}
