import type { SnapshotReading } from "../../agree/agree.ts";
import type { ClosedEpoch, Tip } from "../../entries/entry.ts";
import { waitsForOther } from "../belief.ts";
import { getStake } from "../columns.ts";
import type { Ledger } from "../ledger.ts";
import type { KnownIdentity, Moment, ValidatorRecord } from "../records.ts";
import { lastSlotOf } from "../schedule.ts";
import { findValidator, type Step } from "../step.ts";
import { newestTip } from "./timeline.ts";

/*
 * Who certainly made a block in a closed epoch and therefore had a tip account if it shared tips.
 * Blocks are counted by identity, and an epoch's leader schedule names identities as they were
 * when the epoch before began.
 */

/** Records identities and block production on which a majority agrees. */
export function foldLeaders(
  step: Step,
  { identities, production }: Pick<SnapshotReading, "identities" | "production">,
): void {
  foldLeaderIdentities(step, identities);
  if (production !== null) foldProduction(step, production);
}

function foldLeaderIdentities(
  { ledger, moment }: Step,
  { byVote, shared, isAlone }: SnapshotReading["identities"],
): void {
  if (waitsForOther(ledger, isAlone, moment.time)) return;
  for (const [vote, key] of byVote) {
    const validator = findValidator(ledger, vote)?.validator;
    if (validator === undefined) continue;
    const { knownIdentity } = validator;
    const { slot } = moment;
    const known =
      knownIdentity?.key === key
        ? knownIdentity
        : { key, from: slot, until: slot, isFirst: knownIdentity === null, sharedAt: null };
    known.until = Math.max(known.until, slot);
    if (shared.has(key)) known.sharedAt = slot;
    validator.knownIdentity = known;
  }
}

/** A closed epoch never changes, so what a majority agreed on once stays. */
function foldProduction(
  { ledger, moment }: Step,
  { epoch, hasMadeBlock, isAlone }: NonNullable<SnapshotReading["production"]>,
): void {
  if (epoch !== ledger.closedProduction.epoch)
    ledger.closedProduction = { epoch, hasMadeBlock: new Map() };
  const known = ledger.closedProduction;
  if (waitsForOther(ledger, isAlone, moment.time)) return;
  for (const [identity, isLeader] of hasMadeBlock)
    if (!known.hasMadeBlock.has(identity)) known.hasMadeBlock.set(identity, isLeader);
}

/**
 * Identities whose blocks to count: those of validators whose tip account of a closed epoch is not
 * known.
 * @returns null: none
 */
export function findClosedToRead(
  ledger: Ledger,
  tips: readonly Tip[],
  epoch: number,
): ClosedEpoch | null {
  const identities = new Set<string>();
  for (const { vote } of tips) {
    const found = findValidator(ledger, vote);
    if (found === null || newestTip(found.validator) === null) continue;
    const key = findLeaderIdentity(ledger, found.validatorIndex, epoch)?.key;
    if (key !== undefined && blocksOf(ledger, epoch, key) === null) identities.add(key);
  }
  if (identities.size === 0) return null;
  const firstSlot = lastSlotOf(ledger, epoch - 1) + 1;
  return { epoch, firstSlot, lastSlot: lastSlotOf(ledger, epoch), identities: [...identities] };
}

/**
 * Whether a validator certainly made a block in an epoch.
 * @returns false: not certain, and it never will be; null: not known yet
 */
export function hasLed(ledger: Ledger, validatorIndex: number, epoch: number): boolean | null {
  const identity = findLeaderIdentity(ledger, validatorIndex, epoch);
  if (identity === null) return false;
  return identity.until > lastSlotOf(ledger, epoch) ? blocksOf(ledger, epoch, identity.key) : null;
}

/** null: its identity as leader, or which of the identity's vote accounts led, is not known. */
function findLeaderIdentity(
  ledger: Ledger,
  validatorIndex: number,
  epoch: number,
): KnownIdentity | null {
  // Nobody leads without active stake; the identity's blocks belong to its previous vote account.
  if ((getStake(ledger.stakes, epoch, validatorIndex) ?? 0n) === 0n) return null;
  const identity = ledger.validators[validatorIndex]?.knownIdentity ?? null;
  if (identity === null) return null;
  const { from, isFirst, sharedAt } = identity;
  const scheduledAt = lastSlotOf(ledger, epoch - 2) + 1;
  const begin = lastSlotOf(ledger, epoch - 1) + 1;
  const isStable = from < (isFirst ? begin : scheduledAt);
  return isStable && (sharedAt === null || sharedAt < scheduledAt) ? identity : null;
}

function blocksOf({ closedProduction }: Ledger, epoch: number, identity: string): boolean | null {
  return closedProduction.epoch === epoch
    ? (closedProduction.hasMadeBlock.get(identity) ?? null)
    : null;
}

/** After a restart of the cluster, the epochs that run again have other leaders. */
export function forgetLeaders(
  ledger: Ledger,
  { knownIdentity }: ValidatorRecord,
  { slot, epoch }: Moment,
): void {
  if (ledger.closedProduction.epoch >= epoch)
    ledger.closedProduction = { epoch: -1, hasMadeBlock: new Map() };
  if (knownIdentity === null) return;
  const { from, until, sharedAt } = knownIdentity;
  knownIdentity.from = Math.min(from, slot);
  knownIdentity.until = Math.min(until, slot);
  knownIdentity.sharedAt = sharedAt === null ? null : Math.min(sharedAt, slot);
}
