import { createDoubts, DOUBTS, type Objection, type Observation } from "./acceptance-record.ts";
import { type Ledger, observedSlots } from "./ledger.ts";
import { IGNORED } from "./rulings.ts";
import { toFirstSlot, objectToEpoch, objectToLeap, objectToSlot, type Witnessing } from "./slot-objections.ts";
import {
  countCommissions,
  objectToCommissions,
  objectToSet,
  objectToStake,
  toVoteSet,
  type VoteSet,
} from "./set-objections.ts";
import { findClusterSlot, toPanel, witnessOf, type Panel } from "./witnesses.ts";

const DOUBT_OBSERVATIONS = 10;
const DOUBT_MILLISECONDS = 10 * 60_000;
const REFUSALS_KEPT = 20;

type DoubtKind = (typeof DOUBTS)[number];

export type Verdict =
  | { accepted: true; isRestart: boolean }
  /** `isInPlace`: at a plausible slot, so a commission in it is worth checking. */
  | { accepted: false; reason: string; isInPlace: boolean };

export type Circumstances = Witnessing & { panel: Panel; set: VoteSet };

type Object = (ledger: Ledger, entry: Observation, circumstances: Circumstances) => Objection | null;

const OBJECTIONS: Record<DoubtKind, Object> = {
  slot: objectToSlot,
  leap: objectToLeap,
  epoch: objectToEpoch,
  set: (ledger, entry, { panel, set }) => objectToSet(ledger, entry, set) ?? objectToStake(ledger, set, panel),
  commissions: (ledger, entry, { set }) => objectToCommissions(ledger, entry, set),
};

export function judgeObservation(
  ledger: Ledger,
  name: string,
  entry: Observation,
  circumstances: Circumstances,
): Verdict {
  const ruling = ledger.rulings.observations.get(name)?.verdict;
  const verdict = ruling === undefined ? compare(ledger, entry, circumstances) : byRuling(ledger, entry, ruling);
  if (verdict.accepted) accept(ledger, entry, circumstances);
  else refuse(ledger, { name, time: entry.time, reason: verdict.reason });
  return verdict;
}

export function toCircumstances(ledger: Ledger, entry: Observation): Circumstances {
  const set = toVoteSet(entry.votes);
  const panel = toPanel(ledger, entry.panel);
  const slots = entry.panel.flatMap(({ slot }) => (slot === null ? [] : [slot]));
  const clusterSlot = findClusterSlot(ledger, slots, entry.time);
  return { witness: witnessOf(ledger, entry.endpoint), clusterSlot, panel, set };
}

function byRuling(ledger: Ledger, entry: Observation, ruling: "accept" | "ignore"): Verdict {
  if (ruling === "ignore") return { ...IGNORED, isInPlace: false };
  const { newest } = ledger.acceptance;
  ledger.acceptance.doubts = createDoubts();
  return { accepted: true, isRestart: newest !== null && (entry.slot <= newest.slot || entry.epoch < newest.epoch) };
}

/** Each objection has its own clock to outlast. */
function compare(ledger: Ledger, entry: Observation, circumstances: Circumstances): Verdict {
  const { doubts } = ledger.acceptance;
  const standing: { about: DoubtKind; reason: string }[] = [];
  const outlasted: DoubtKind[] = [];
  for (const about of DOUBTS) {
    const objection = OBJECTIONS[about](ledger, entry, circumstances);
    if (objection === null) doubts[about].delete(circumstances.witness);
    else if (isOutlasted(ledger, entry, { about, ...objection, ...circumstances })) outlasted.push(about);
    else standing.push({ about, reason: objection.reason });
  }
  const isInPlace = standing.every(({ about }) => about !== "slot" && about !== "leap");
  noteWitness(ledger, entry, { ...circumstances, isInPlace });
  const [first] = standing;
  if (first !== undefined) return { accepted: false, reason: first.reason, isInPlace };
  const isRestart = outlasted.includes("slot") || outlasted.includes("epoch");
  // Another witness's epoch still contradicts this one's.
  if (outlasted.length > 0)
    ledger.acceptance.doubts = { ...createDoubts(), ...(!isRestart && { epoch: doubts.epoch }) };
  return { accepted: true, isRestart };
}

/** A plausible list is compared with other witnesses' even if refused. */
function noteWitness(
  { witnesses }: Ledger,
  entry: Observation,
  { witness, set, isInPlace }: Circumstances & { isInPlace: boolean },
): void {
  const record = witnesses[witness];
  if (record === undefined) return;
  record.askedAt = entry.time;
  if (!isInPlace) return;
  record.slot = entry.slot;
  record.stake = set.stake;
}

function accept(
  { acceptance, unobserved }: Ledger,
  entry: Observation,
  { witness, clusterSlot, set }: Circumstances,
): void {
  const { time, epoch, slotIndex, slotsInEpoch, absoluteSlot } = entry;
  const slot = clusterSlot ?? entry.slot;
  const before = acceptance.newest?.slot ?? slot;
  if (slot - before > observedSlots(slotsInEpoch)) unobserved.push([before, slot]);
  acceptance.accepted += 1;
  acceptance.believed.add(witness);
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
  { about, isLike, witness, panel, set }: Objection & Circumstances & { about: DoubtKind },
): boolean {
  const doubts = ledger.acceptance.doubts[about];
  const before = doubts.get(witness);
  // A stuck node repeats its slot: one observation.
  if (isLike === null || before?.slot === entry.slot) return false;
  const continued = before !== undefined && isLike(before, "same") ? before : null;
  const { time, slot, epoch } = entry;
  doubts.set(witness, {
    since: continued?.since ?? time,
    count: (continued?.count ?? 0) + 1,
    time,
    slot,
    epoch,
    firstSlot: toFirstSlot(entry),
    rows: set.rows,
    stake: set.stake,
    unreadable: countCommissions(ledger, entry, set).unreadable,
  });
  const alike = [...doubts].flatMap(([of, doubt]) =>
    of === witness || (panel.witnesses.includes(of) && isLike(doubt, "another")) ? [doubt] : [],
  );
  if (alike.length < panel.majority) return false;
  // Only one witness ever showed what was believed: a majority overrules it at once.
  if (panel.witnesses.length > 2 && ledger.acceptance.believed.size < 2) return true;
  const count = alike.reduce((sum, doubt) => sum + doubt.count, 0);
  const since = Math.min(...alike.map((doubt) => Date.parse(doubt.since)));
  return count >= countNeeded(panel) && Date.parse(time) - since >= DOUBT_MILLISECONDS;
}

/** Without the liars' share: they are read in turn too. */
function countNeeded({ witnesses, liarsMost }: Panel): number {
  const lying = witnesses.length > 2 ? liarsMost / witnesses.length : 0;
  return DOUBT_OBSERVATIONS - Math.ceil(DOUBT_OBSERVATIONS * lying);
}
