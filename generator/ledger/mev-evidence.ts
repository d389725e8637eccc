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
  /** Length of the vendor's list; null: unusable. */
  listLength: number | null;
  /** null: unknown. */
  isMissing: (validator: ValidatorRecord) => boolean | null;
}

/** A smaller share of the previous list, or of the accounts sure to exist, is a failed answer. */
export const LEAST_PERCENT = 80;
/** This few missing accounts are plausible, however few were asked for. */
const FEW_MISSING = 20;

/** The vote accounts on the list; null: it failed, is of another epoch, or is too short. */
function toListed({ ledger, moment }: Step, closedMev: SnapshotEntry["closedMev"]): Set<string> | null {
  if (closedMev.state !== "ok" || closedMev.value.epoch !== moment.epoch - 1) return null;
  const { rows } = closedMev.value;
  // The first list is compared with the validators known to be enabled.
  const { listLength } = ledger.mevLists;
  const expected = listLength > 0 ? listLength : ledger.validators.filter(isKnownEnabled).length;
  return rows.length * 100 < expected * LEAST_PERCENT ? null : new Set(rows.map(({ vote }) => vote));
}

/** A node without tip accounts misses nearly all of them, not a few. */
function isFullReading({ ledger }: Step, accounts: readonly { vote: string; exists: boolean }[]): boolean {
  if (!accounts.some(({ exists }) => exists)) return false;
  const enabled = new Set(ledger.validators.filter(isKnownEnabled).map(({ vote }) => vote));
  const expected = accounts.filter(({ vote }) => enabled.has(vote));
  const found = expected.filter(({ exists }) => exists).length;
  return expected.length - found <= FEW_MISSING || found * 100 >= expected.length * LEAST_PERCENT;
}

/** @returns ordinals of the validators concerned */
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
 * Without a majority the vendor's list decides, unless a witness contradicts it.
 * @returns null when neither is usable
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
      // The list may show the epoch before, so being on it proves nothing.
      if (listed === null || listed.has(validator.vote)) return null;
      const words = [...(validator.tipWords.get(epoch)?.values() ?? [])];
      return words.some(({ value }) => typeof value === "number") ? null : true;
    },
  };
}

function toTold({ moment }: Step, closedTips: SnapshotEntry["closedTips"]): PanelClosedTips | null {
  if (closedTips.state !== "ok") return null;
  return closedTips.value.epoch === moment.epoch - 1 ? closedTips.value : null;
}

export interface Leader {
  ordinal: number;
  validator: ValidatorRecord;
}

/** Who led in the epoch with MEV enabled, so far as blocks tell. */
export function findLeaders({ validators, stakes }: Ledger, epoch: number): Leader[] {
  const sharers = Map.groupBy(
    validators.filter(({ listed }) => listed),
    ({ identity }) => identity,
  );
  return (
    [...validators.entries()]
      .map(([ordinal, validator]) => ({ ordinal, validator }))
      .filter(({ validator }) => blocksIn(validator, epoch) > 0 && validator.mev !== "disabled")
      // Without active stake nobody leads: the blocks are of the identity's previous vote account.
      .filter(({ ordinal }) => (getStake(stakes, epoch, ordinal) ?? 0n) > 0n)
      // Nobody can say which of an identity's vote accounts led a slot.
      .filter(({ validator }) => (sharers.get(validator.identity)?.length ?? 0) <= 1)
  );
}

/** Whether it is open if this validator had MEV disabled in the epoch. */
export function isUndecided(ledger: Ledger, validator: ValidatorRecord, epoch: number): boolean {
  if (ledger.mevLists.decidedEpoch >= epoch || !isKnownEnabled(validator)) return false;
  return findLeaders(ledger, epoch).some((leader) => leader.validator === validator);
}

/** The tip account is made in the first block of an epoch: without a block its absence means nothing. */
function blocksIn({ performance, previousBlocks }: ValidatorRecord, epoch: number): number {
  if (performance?.epoch === epoch) return performance.blocksProduced;
  return previousBlocks?.epoch === epoch ? previousBlocks.produced : 0;
}
