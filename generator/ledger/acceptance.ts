import type { CheckEntry, SnapshotEntry } from "./entry.ts";
import { DOUBTS, type Acceptance, type Ledger, type Objection } from "./ledger.ts";
import { IGNORED } from "./rulings.ts";
import { objectToLeap, objectToSlot } from "./pace.ts";
import { findValidator } from "./step.ts";

/** Below this share of the reference, rows or stake, an answer is not believed at once. */
const SET_LEAST_PERCENT = 80n;
/** More unreadable commissions than this share of those known, and the source has lost the field. */
const UNREADABLE_MOST_PERCENT = 5;
/** So many refused observations that agree, over so long, are the truth. */
const DOUBT_OBSERVATIONS = 10;
const DOUBT_MILLISECONDS = 10 * 60_000;
/** Two smaller sets are the same one while their sizes differ by no more than this share. */
const SAME_SET_PERCENT = 2n;
/** No epoch of any cluster is shorter (MINIMUM_SLOTS_PER_EPOCH of the runtime). */
const EPOCH_LEAST_SLOTS = 32;
const REFUSALS_KEPT = 20;

type Observation = CheckEntry | SnapshotEntry;
type Verdict = { accepted: true } | { accepted: false; reason: string };

const OBJECTIONS: Record<(typeof DOUBTS)[number], (ledger: Ledger, entry: Observation) => Objection | null> = {
  slot: objectToSlot,
  leap: objectToLeap,
  epoch: objectToEpoch,
  set: objectToSet,
  commissions: objectToCommissions,
};

/**
 * Judges an observation by comparison with what was accepted before (design §5), and remembers the judgement. It is a rule
 * of the fold, so that every generator reaches the same verdict from the same journal.
 */
export function judge(ledger: Ledger, name: string, entry: Observation): Verdict {
  const ruling = ledger.rulings.observations.get(name);
  const verdict = ruling === undefined ? compare(ledger, entry) : byRuling(ruling.verdict);
  if (verdict.accepted) accept(ledger.acceptance, entry);
  else refuse(ledger.acceptance, { name, time: entry.time, reason: verdict.reason });
  return verdict;
}

function byRuling(ruling: "accept" | "ignore"): Verdict {
  return ruling === "accept" ? { accepted: true } : IGNORED;
}

function accept(acceptance: Acceptance, entry: Observation): void {
  const { time, slot, epoch, slotIndex, slotsInEpoch, absoluteSlot } = entry;
  const unreadable = entry.votes.filter(isUnreadable).map(({ vote }) => vote);
  acceptance.accepted += 1;
  acceptance.doubts = { slot: null, leap: null, epoch: null, set: null, commissions: null };
  acceptance.reference = { rows: entry.votes.length, stake: sumStake(entry), unreadable: new Set(unreadable) };
  acceptance.newest = { time, slot, epoch, slotIndex, slotsInEpoch, absoluteSlot };
}

function refuse(acceptance: Acceptance, refusal: Acceptance["refusals"][number]): void {
  acceptance.refused += 1;
  acceptance.refusals = [...acceptance.refusals, refusal].slice(-REFUSALS_KEPT);
}

/** Every objection is heard, also after one that stands: each has its own time to be outlasted. */
function compare(ledger: Ledger, entry: Observation): Verdict {
  const standing: string[] = [];
  for (const about of DOUBTS) {
    const objection = OBJECTIONS[about](ledger, entry);
    if (objection === null) ledger.acceptance.doubts[about] = null;
    else if (!isOutlasted(ledger, entry, { about, ...objection })) standing.push(objection.reason);
  }
  const [reason] = standing;
  return reason === undefined ? { accepted: true } : { accepted: false, reason };
}

function isOutlasted(
  ledger: Ledger,
  entry: Observation,
  { about, isLike }: Objection & { about: (typeof DOUBTS)[number] },
): boolean {
  const { doubts } = ledger.acceptance;
  const before = doubts[about];
  // A stuck node repeats its slot: that is one observation, however often it is heard.
  if (isLike === null || before?.slot === entry.slot) return false;
  const continued = before !== null && isLike(before) ? before : null;
  const { time, slot, epoch } = entry;
  const since = continued?.since ?? time;
  const count = (continued?.count ?? 0) + 1;
  const { unreadable } = countCommissions(ledger, entry);
  doubts[about] = { since, count, time, slot, epoch, rows: entry.votes.length, stake: sumStake(entry), unreadable };
  return count >= DOUBT_OBSERVATIONS && Date.parse(time) - Date.parse(since) >= DOUBT_MILLISECONDS;
}

/** Epochs rise with the slots, and not faster: one false epoch would stand above all true ones that follow. */
function objectToEpoch({ acceptance: { newest } }: Ledger, { slot, epoch }: Observation): Objection | null {
  if (newest === null || slot <= newest.slot) return null;
  const epochsMost = 1 + Math.floor((slot - newest.slot) / EPOCH_LEAST_SLOTS);
  if (epoch - newest.epoch > epochsMost)
    return { reason: `epoch ${epoch} cannot be ${slot - newest.slot} slots after epoch ${newest.epoch}`, isLike: null };
  if (epoch >= newest.epoch) return null;
  return {
    reason: `epoch ${epoch} is before ${newest.epoch}, the last accepted one`,
    isLike: (doubt) => epoch === doubt.epoch || epoch === doubt.epoch + 1,
  };
}

function objectToSet({ acceptance: { reference } }: Ledger, entry: Observation): Objection | null {
  const rows = entry.votes.length;
  if (rows === 0) return { reason: "no vote account at all", isLike: null };
  if (reference === null) return null;
  const stake = sumStake(entry);
  const enoughRows = BigInt(rows) * 100n >= BigInt(reference.rows) * SET_LEAST_PERCENT;
  const enoughStake = stake * 100n >= reference.stake * SET_LEAST_PERCENT;
  if (enoughRows && enoughStake) return null;
  return {
    reason: enoughRows
      ? `${stake} lamports of stake are under ${SET_LEAST_PERCENT} % of the ${reference.stake} before`
      : `${rows} vote accounts are under ${SET_LEAST_PERCENT} % of the ${reference.rows} before`,
    isLike: (doubt) => isNear(BigInt(rows), BigInt(doubt.rows)) && isNear(stake, doubt.stake),
  };
}

/** A field that vanishes from the source is not a change of everybody's commission. */
function objectToCommissions(ledger: Ledger, entry: Observation): Objection | null {
  const { known, unreadable } = countCommissions(ledger, entry);
  if (unreadable * 100 <= known * UNREADABLE_MOST_PERCENT) return null;
  return {
    reason: `the commission of ${unreadable} of ${known} vote accounts that had one is unreadable`,
    isLike: (doubt) => isNear(BigInt(unreadable), BigInt(doubt.unreadable)),
  };
}

/** Of the rows that had a commission so far, how many have none now. */
function countCommissions(ledger: Ledger, { votes }: Observation): { known: number; unreadable: number } {
  const before = ledger.acceptance.reference?.unreadable;
  const known = votes.filter(
    ({ vote }) => findValidator(ledger, vote)?.validator.inflation != null && before?.has(vote) !== true,
  );
  return { known: known.length, unreadable: known.filter(isUnreadable).length };
}

function isUnreadable({ basisPoints, percent }: Observation["votes"][number]): boolean {
  return basisPoints === null && percent === null;
}

function isNear(one: bigint, other: bigint): boolean {
  const distance = one > other ? one - other : other - one;
  return distance * 100n <= other * SAME_SET_PERCENT;
}

function sumStake({ votes }: Observation): bigint {
  return votes.reduce((sum, { activeStake }) => sum + activeStake, 0n);
}
