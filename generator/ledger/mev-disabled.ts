import { getStake, getU16 } from "./columns.ts";
import { recordMevEvent } from "./events.ts";
import type { Ledger } from "./ledger.ts";
import { toClosedEvidence, type ClosedSections } from "./mev-evidence.ts";
import { isKnownEnabled, recordMev } from "./mev.ts";
import { dropPending } from "./pending.ts";
import type { MevState, ValidatorRecord } from "./records.ts";
import type { Step } from "./step.ts";

/** More than both of these missing at once are believed only when so many answers in a row agree. */
const MASS_MISSING = 20;
const MASS_PERCENT = 5;
const MASS_ANSWERS = 3;

/**
 * Decides, once for each closed epoch, who had MEV disabled in it: led it, and had no tip account in it (design
 * §4). An answer that failed, is empty or too short says nothing.
 */
export function foldClosedMev(step: Step, sections: ClosedSections): void {
  const evidence = toClosedEvidence(step, sections);
  if (evidence === null) return;
  // Whose account of that very epoch was read while it ran had one, whatever is said now.
  const missing = candidates(step.ledger, evidence.epoch).filter(
    ({ validator }) => validator.mevSettledEpoch !== evidence.epoch && evidence.isMissing(validator.vote),
  );
  if (!isBelieved(step, evidence.epoch, missing.filter(({ validator }) => isKnownEnabled(validator)).length)) return;
  const { mevLists } = step.ledger;
  mevLists.decidedEpoch = evidence.epoch;
  mevLists.listLength = evidence.listLength ?? mevLists.listLength;
  mevLists.doubt = null;
  for (const { ordinal, validator } of missing) disable(step, ordinal, validator, evidence.epoch);
}

/**
 * The epoch that closed before this one, if it is to be decided about, and whose tip accounts of it to read; null: decided
 * already, or there was none. Earlier ones are not asked for: accounts expire and are closed.
 */
export function closedMevToDecide(ledger: Ledger, epoch: number): { epoch: number; votes: string[] } | null {
  const closed = epoch - 1;
  if (closed < 0 || ledger.mevLists.decidedEpoch >= closed) return null;
  return { epoch: closed, votes: candidates(ledger, closed).map(({ validator }) => validator.vote) };
}

/** Who may have had MEV disabled in the epoch, as far as the chain's leaders tell. */
function candidates({ validators, stakes }: Ledger, epoch: number): { ordinal: number; validator: ValidatorRecord }[] {
  const sharers = Map.groupBy(
    validators.filter(({ listed }) => listed),
    ({ identity }) => identity,
  );
  return (
    [...validators.entries()]
      .map(([ordinal, validator]) => ({ ordinal, validator }))
      .filter(({ validator }) => blocksIn(validator, epoch) > 0 && validator.mev !== "disabled")
      // Without active stake nobody leads: the blocks are of another vote account that had this identity before.
      .filter(({ ordinal }) => (getStake(stakes, epoch, ordinal) ?? 0n) > 0n)
      // Slots are led by an identity: of several vote accounts with the same one, nobody can say which led them.
      .filter(({ validator }) => (sharers.get(validator.identity)?.length ?? 0) <= 1)
  );
}

/**
 * A validator makes its tip account in the first block it produces in an epoch: without a block the absence of an account
 * says nothing, whatever slots there were to lead.
 */
function blocksIn({ performance, previousBlocks }: ValidatorRecord, epoch: number): number {
  if (performance?.epoch === epoch) return performance.blocksProduced;
  return previousBlocks?.epoch === epoch ? previousBlocks.produced : 0;
}

/** @param missing of those known to be enabled: who was never seen with a share is not missed */
function isBelieved({ ledger }: Step, epoch: number, missing: number): boolean {
  const { mevLists } = ledger;
  const enabled = ledger.validators.filter(isKnownEnabled).length;
  if (missing <= MASS_MISSING || missing * 100 <= enabled * MASS_PERCENT) return true;
  const count = mevLists.doubt?.epoch === epoch ? mevLists.doubt.count + 1 : 1;
  mevLists.doubt = { epoch, count };
  return count >= MASS_ANSWERS;
}

function disable(step: Step, ordinal: number, validator: ValidatorRecord, epoch: number): void {
  const from: MevState = validator.mev;
  const end = step.ledger.epochs.find((tracked) => tracked.epoch === epoch)?.last ?? step.moment;
  const isShownLater = validator.mevShown !== null && validator.mevShown.epoch > epoch;
  // A value first shown after the closed epoch is no value that the closed epoch lost.
  if (typeof from === "number" && isShownLater && getU16(step.ledger.mev, epoch, ordinal) !== from) return;
  const previous = isShownLater ? end : validator.mevShown;
  validator.mev = "disabled";
  // A list of the running epoch that shows it again is a change since the end of the closed one.
  validator.mevShown = end;
  validator.mevEpoch = epoch;
  validator.mevSettledEpoch = epoch;
  step.touched.profiles.add(ordinal);
  // What a later epoch's list has shown since is not denied by the closed one.
  if ((validator.pendingMev?.first.epoch ?? epoch) <= epoch) dropPending(step.ledger, validator, "pendingMev");
  recordMev(step, ordinal, epoch, "disabled");
  if (step.moment.epoch > epoch) recordMev(step, ordinal, step.moment.epoch, "disabled");
  if (typeof from !== "number" || previous === null) return;
  const change = { from, to: "disabled", epoch, first: step.moment, previous } as const;
  recordMevEvent(step, ordinal, { ...change, confirmedBy: "observations" });
}
