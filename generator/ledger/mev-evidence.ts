import type { PanelClosedTips, SnapshotEntry } from "../entries/entry.ts";
import { getStake } from "./columns.ts";
import type { Ledger } from "./ledger.ts";
import { isKnownEnabled } from "./mev-held.ts";
import { findTip, hearTips } from "./mev-tips.ts";
import type { ValidatorRecord } from "./records.ts";
import type { Step } from "./step.ts";
import type { Panel } from "./witnesses.ts";

export type ClosedSections = Pick<SnapshotEntry, "closedMev" | "closedTips" | "panel">;

/** Who had no MEV record in a closed epoch. */
export interface ClosedEvidence {
  epoch: number;
  /** Length of the vendor's list; null: it says nothing. */
  listLength: number | null;
  /** null: nobody can say yet. */
  isMissing: (validator: ValidatorRecord) => boolean | null;
}

/** Under this share of the list before, or of the accounts that were sure to be found, an answer is a failure. */
const LEAST_PERCENT = 80;
/** So few missing accounts are no failure, however few were asked for. */
const FEW_MISSING = 20;

/**
 * Weighs what the vendor's list and the accounts on chain, read by one endpoint, say of the epoch that closed before the
 * running one. The account is the better witness: of a validator without a record in the epoch the list shows the record of
 * the epoch before it, and whom the vendor's own sources leave out is not on it at all. So the list counts for those only
 * whose account was not read.
 * @returns null when nothing that can be believed is said
 */
export function toClosedEvidence(step: Step, { closedMev, closedTips }: ClosedSections): ClosedEvidence | null {
  const epoch = step.moment.epoch - 1;
  const listed = toListed(step, closedMev);
  const isTold = closedTips.state === "ok" && closedTips.value.epoch === epoch && "rows" in closedTips.value;
  const accounts = isTold && "rows" in closedTips.value ? closedTips.value.rows : null;
  const held =
    accounts === null || !isFullReading(step, accounts) ? null : new Map(accounts.map((row) => [row.vote, row]));
  if (listed === null && held === null) return null;
  return {
    epoch,
    listLength: listed?.size ?? null,
    isMissing: ({ vote }) => {
      const account = held?.get(vote);
      return account === undefined ? listed !== null && !listed.has(vote) : !account.exists;
    },
  };
}

/** The vote accounts of the vendor's list of the closed epoch; null: it failed, is of another epoch, or too short. */
export function toListed({ ledger, moment }: Step, closedMev: SnapshotEntry["closedMev"]): Set<string> | null {
  if (closedMev.state !== "ok" || closedMev.value.epoch !== moment.epoch - 1) return null;
  const { rows } = closedMev.value;
  // The first list has none before it: it has at least those that are known to be enabled.
  const { listLength } = ledger.mevLists;
  const expected = listLength > 0 ? listLength : ledger.validators.filter(isKnownEnabled).length;
  return rows.length * 100 < expected * LEAST_PERCENT ? null : new Set(rows.map(({ vote }) => vote));
}

/** A node without such accounts finds none of them, or hardly any: few missing ones are no sign of that, many are. */
function isFullReading({ ledger }: Step, accounts: readonly { vote: string; exists: boolean }[]): boolean {
  if (!accounts.some(({ exists }) => exists)) return false;
  const enabled = new Set(ledger.validators.filter(isKnownEnabled).map(({ vote }) => vote));
  const expected = accounts.filter(({ vote }) => enabled.has(vote));
  const found = expected.filter(({ exists }) => exists).length;
  return expected.length - found <= FEW_MISSING || found * 100 >= expected.length * LEAST_PERCENT;
}

/*
 * Who had no MEV record in a closed epoch, by the vendor's list and by the tip accounts as the panel reads them.
 */

/**
 * Takes in what each witness reads in the tip accounts of the epoch that closed before the running one.
 * @returns of whom, by ordinal
 */
export function hearClosed(step: Step, { closedTips }: ClosedSections): Set<number> {
  const told = toTold(step, closedTips);
  if (told === null) return new Set();
  const { epoch, votes, answers } = told;
  const whole = answers.filter(
    (answer) =>
      answer.state === "failed" ||
      isFullReading(
        step,
        votes.map((vote, index) => ({ vote, exists: (answer.shares[index] ?? null) !== null })),
      ),
  );
  return hearTips(
    step,
    votes.map((vote) => ({ vote, epoch })),
    whole,
  );
}

/**
 * Weighs them. A majority of the witnesses decides; where none is, the vendor's list does, unless a witness contradicts it.
 * @returns null when nothing that can be believed is said
 */
export function toPanelEvidence(
  step: Step,
  panel: Panel,
  { closedMev, closedTips }: ClosedSections,
): ClosedEvidence | null {
  const epoch = step.moment.epoch - 1;
  const listed = toListed(step, closedMev);
  if (listed === null && toTold(step, closedTips) === null) return null;
  return {
    epoch,
    listLength: listed?.size ?? null,
    isMissing: (validator) => {
      const tip = findTip(step, panel, validator, epoch);
      if (tip !== null) return tip === "absent";
      // The list may show the record of the epoch before: who is on it may have had none all the same.
      if (listed === null || listed.has(validator.vote)) return null;
      const words = [...(validator.tipWords.get(epoch)?.values() ?? [])];
      return words.some(({ value }) => typeof value === "number") ? null : true;
    },
  };
}

function toTold({ moment }: Step, closedTips: SnapshotEntry["closedTips"]): PanelClosedTips | null {
  if (closedTips.state !== "ok" || !("answers" in closedTips.value)) return null;
  return closedTips.value.epoch === moment.epoch - 1 ? closedTips.value : null;
}

export interface Leader {
  ordinal: number;
  validator: ValidatorRecord;
}

/** Who may have had MEV disabled in the epoch, as far as the chain's leaders tell. */
export function findLeaders({ validators, stakes }: Ledger, epoch: number): Leader[] {
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

/** Whether it is still to be decided if this validator, which was enabled, was so in the epoch. */
export function isUndecided(ledger: Ledger, validator: ValidatorRecord, epoch: number): boolean {
  if (ledger.mevLists.decidedEpoch >= epoch || !isKnownEnabled(validator)) return false;
  return findLeaders(ledger, epoch).some((leader) => leader.validator === validator);
}

/**
 * A validator makes its tip account in the first block it produces in an epoch: without a block the absence of an account
 * says nothing, whatever slots there were to lead.
 */
function blocksIn({ performance, previousBlocks }: ValidatorRecord, epoch: number): number {
  if (performance?.epoch === epoch) return performance.blocksProduced;
  return previousBlocks?.epoch === epoch ? previousBlocks.produced : 0;
}
