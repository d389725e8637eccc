import { compareLists, type Likeness } from "../agree/likeness.ts";
import { type AgreedSchedule, agreeOnSchedule } from "../agree/schedule.ts";
import { readLists, type WitnessLists } from "../agree/witness-lists.ts";
import { createDoubts, DOUBTS, type Objection, type Observation } from "./acceptance-record.ts";
import { findClusterSlot } from "./cluster-slot.ts";
import { type Ledger, observedSlots } from "./ledger.ts";
import { IGNORED } from "./rulings.ts";
import { objectToDistance, objectToEpoch, objectToLeap, objectToSlot, toFirstSlot } from "./slot-objections.ts";
import { countCommissions, objectToCommissions, objectToSet, toVoteSet, type VoteSet } from "./set-objections.ts";

const DOUBT_OBSERVATIONS = 10;
const DOUBT_MILLISECONDS = 10 * 60_000;
const REFUSALS_KEPT = 20;

type DoubtKind = (typeof DOUBTS)[number];

export type Verdict =
  | { accepted: true; isRestart: boolean }
  /** `isInPlace`: at a plausible slot, so a commission in it is worth reading. */
  | { accepted: false; reason: string; isInPlace: boolean };

export interface Circumstances {
  panelSize: number;
  /** Where the panel is; null: too few answers. */
  clusterSlot: number | null;
  /** The same, or of the only answer. */
  slot: number;
  /** By a majority of three or more, which decides; null: the past does. */
  schedule: AgreedSchedule | null;
  set: VoteSet;
  lists: WitnessLists;
  /** Of the list with those of a majority. */
  likeness: Likeness;
}

type Object = (ledger: Ledger, entry: Observation, circumstances: Circumstances) => Objection | null;

const OBJECTIONS: Record<DoubtKind, Object> = {
  slot: (ledger, entry, { slot, clusterSlot }) =>
    objectToDistance(entry.slot, clusterSlot) ?? objectToSlot(ledger, slot),
  leap: (ledger, { time }, { slot }) => objectToLeap(ledger, { time, slot }),
  epoch: (ledger, entry, { slot, schedule }) =>
    schedule === null
      ? (objectToMinority(entry) ?? objectToEpoch(ledger, entry, slot))
      : objectToOtherSchedule(entry, schedule),
  set: (ledger, entry, circumstances) =>
    objectToUnlike(circumstances) ?? objectToOtherSet(ledger, entry, circumstances),
  commissions: (ledger, entry, circumstances) =>
    isDecided(circumstances) ? null : objectToCommissions(ledger, entry, circumstances.set),
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

export function toCircumstances(ledger: Ledger, entry: Observation): Circumstances {
  const slots = entry.panel.flatMap(({ slot }) => (slot === null ? [] : [slot]));
  const clusterSlot = findClusterSlot(ledger, slots, entry.time);
  const lists = readLists(entry, clusterSlot);
  return {
    panelSize: entry.panel.length,
    clusterSlot,
    slot: clusterSlot ?? entry.slot,
    schedule: entry.panel.length > 2 ? agreeOnSchedule(entry) : null,
    set: toVoteSet(entry.votes),
    lists,
    likeness: compareLists(entry, lists),
  };
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

/** Its epoch decides what is read from it. */
function objectToMinority({ panel, epoch }: Observation): Objection | null {
  const epochs = panel.flatMap((row) => row.epoch ?? []);
  const others = epochs.filter((other) => other !== epoch);
  if (others.length * 2 < epochs.length || epochs.length === 1) return null;
  return { reason: `epoch ${epoch} is not what most of the panel tell: ${epochs.join(", ")}`, isLike: null };
}

function objectToUnlike({ likeness }: Circumstances): Objection | null {
  if (likeness !== "unlike") return null;
  return { reason: "no majority of the panel shows a list like this one", isLike: null };
}

function objectToOtherSet(ledger: Ledger, entry: Observation, circumstances: Circumstances): Objection | null {
  if (isDecided(circumstances) && entry.votes.length > 0) return null;
  return objectToSet(ledger, entry, circumstances.set);
}

/** What a majority of three or more shows alike is believed, whatever was before. */
function isDecided({ panelSize, likeness }: Circumstances): boolean {
  return panelSize > 2 && likeness === "alike";
}

function byRuling(
  ledger: Ledger,
  { epoch }: Observation,
  { slot }: Circumstances,
  ruling: "accept" | "ignore",
): Verdict {
  if (ruling === "ignore") return { ...IGNORED, isInPlace: false };
  const { newest } = ledger.acceptance;
  ledger.acceptance.doubts = createDoubts();
  return { accepted: true, isRestart: newest !== null && (slot <= newest.slot || epoch < newest.epoch) };
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

function accept({ acceptance, unobserved }: Ledger, entry: Observation, { slot, set }: Circumstances): void {
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
  { about, isLike, slot, set }: Objection & Circumstances & { about: DoubtKind },
): boolean {
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
