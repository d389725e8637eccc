import type { CheckEntry, SnapshotEntry } from "./entry.ts";
import type { Acceptance, Ledger } from "./ledger.ts";
import { findValidator } from "./step.ts";

/** Below this share of the reference, rows or stake, an answer is not believed at once. */
const SET_LEAST_PERCENT = 80n;
/** More unreadable commissions than this share of those known, and the source has lost the field. */
const UNREADABLE_MOST_PERCENT = 5;
/** So many refused observations that agree, over so long, are the truth. */
const DOUBT_OBSERVATIONS = 10;
const DOUBT_MILLISECONDS = 10 * 60_000;
/** Two smaller sets are the same one while their sizes differ by no more than this share. */
const SAME_SET_PERCENT = 2;
const REFUSALS_KEPT = 20;

type Verdict = { accepted: true } | { accepted: false; reason: string };

/**
 * Judges an observation by comparison with what was accepted before (design §5), and remembers the judgement. It is a rule
 * of the fold, so that every generator reaches the same verdict from the same journal.
 */
export function judge(ledger: Ledger, name: string, entry: CheckEntry | SnapshotEntry): Verdict {
  const ruling = ledger.rulings.observations.get(name);
  const verdict = ruling === undefined ? compare(ledger, entry) : byRuling(ruling);
  const { acceptance } = ledger;
  if (!verdict.accepted) {
    acceptance.refused += 1;
    acceptance.refusals = [...acceptance.refusals, { name, time: entry.time, reason: verdict.reason }].slice(
      -REFUSALS_KEPT,
    );
    return verdict;
  }
  acceptance.accepted += 1;
  acceptance.doubt = null;
  acceptance.reference = sizeOf(entry);
  acceptance.newest = {
    time: entry.time,
    slot: entry.slot,
    epoch: entry.epoch,
    slotIndex: entry.slotIndex,
    slotsInEpoch: entry.slotsInEpoch,
    absoluteSlot: entry.absoluteSlot,
  };
  return verdict;
}

function byRuling(ruling: "accept" | "ignore"): Verdict {
  return ruling === "accept" ? { accepted: true } : { accepted: false, reason: "ignored by a ruling" };
}

function compare(ledger: Ledger, entry: CheckEntry | SnapshotEntry): Verdict {
  return (
    judgeSlot(ledger.acceptance, entry) ??
    judgeSet(ledger.acceptance, entry) ??
    judgeFields(ledger, entry) ?? { accepted: true }
  );
}

/** A slot that does not rise is a node behind; one that rises anew from below for long enough is a restarted cluster. */
function judgeSlot(acceptance: Acceptance, entry: CheckEntry | SnapshotEntry): Verdict | null {
  const { newest, doubt } = acceptance;
  if (newest === null || entry.slot > newest.slot) return null;
  // A stuck node repeats its slot: it never becomes the truth, however often it is heard.
  const isContinued = doubt?.about === "slot" && entry.slot > doubt.slot;
  if (doubt?.about === "slot" && entry.slot === doubt.slot) return refuseSlot(entry.slot, newest.slot);
  const count = continueDoubt(acceptance, entry, "slot", isContinued);
  return isLongEnough(acceptance, entry) && count >= DOUBT_OBSERVATIONS ? null : refuseSlot(entry.slot, newest.slot);
}

function refuseSlot(slot: number, last: number): Verdict {
  return { accepted: false, reason: `slot ${slot} is not above ${last}, the last accepted one` };
}

function judgeSet(acceptance: Acceptance, entry: CheckEntry | SnapshotEntry): Verdict | null {
  const { reference, doubt } = acceptance;
  const size = sizeOf(entry);
  if (reference === null)
    return entry.votes.length === 0 ? { accepted: false, reason: "no vote account at all" } : null;
  const enoughRows = BigInt(size.rows) * 100n >= BigInt(reference.rows) * SET_LEAST_PERCENT;
  const enoughStake = size.stake * 100n >= reference.stake * SET_LEAST_PERCENT;
  if (enoughRows && enoughStake) return null;
  const isContinued = doubt?.about === "set" && Math.abs(doubt.rows - size.rows) * 100 <= doubt.rows * SAME_SET_PERCENT;
  const count = continueDoubt(acceptance, entry, "set", isContinued);
  if (size.rows > 0 && isLongEnough(acceptance, entry) && count >= DOUBT_OBSERVATIONS) return null;
  const reason = enoughRows
    ? `${size.stake} lamports of stake are under ${SET_LEAST_PERCENT} % of the ${reference.stake} before`
    : `${size.rows} vote accounts are under ${SET_LEAST_PERCENT} % of the ${reference.rows} before`;
  return { accepted: false, reason };
}

/** A field that vanishes from the source is not a change of everybody's commission. */
function judgeFields(ledger: Ledger, entry: CheckEntry | SnapshotEntry): Verdict | null {
  let known = 0;
  let unreadable = 0;
  for (const row of entry.votes) {
    if (findValidator(ledger, row.vote)?.validator.inflation == null) continue;
    known += 1;
    if (row.basisPoints === null && row.percent === null) unreadable += 1;
  }
  if (unreadable * 100 <= known * UNREADABLE_MOST_PERCENT) return null;
  return {
    accepted: false,
    reason: `the commission of ${unreadable} of ${known} vote accounts that had one is unreadable`,
  };
}

function continueDoubt(
  acceptance: Acceptance,
  entry: CheckEntry | SnapshotEntry,
  about: "slot" | "set",
  isContinued: boolean,
): number {
  const before = isContinued ? acceptance.doubt : null;
  const count = (before?.count ?? 0) + 1;
  acceptance.doubt = { about, since: before?.since ?? entry.time, count, slot: entry.slot, rows: entry.votes.length };
  return count;
}

function isLongEnough(acceptance: Acceptance, entry: CheckEntry | SnapshotEntry): boolean {
  return Date.parse(entry.time) - Date.parse(acceptance.doubt?.since ?? entry.time) >= DOUBT_MILLISECONDS;
}

function sizeOf(entry: CheckEntry | SnapshotEntry) {
  return { rows: entry.votes.length, stake: entry.votes.reduce((sum, row) => sum + row.activeStake, 0n) };
}
