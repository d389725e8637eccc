import type { AgreedSnapshot, SnapshotReading } from "../../agree/agree.ts";
import type { SnapshotRow } from "../../entries/entry.ts";
import { NEVER_READ } from "../rates/block-revenue.ts";
import { createRates } from "../rates/timeline.ts";
import { createTips } from "../tips/timeline.ts";
import { compareByStake } from "./epochs.ts";
import type { ValidatorRecord } from "../records.ts";
import { waitsForOther } from "../belief.ts";
import { dropPending } from "../rates/pending-rate.ts";
import { assignListed, findValidator, type Step } from "../step.ts";
import { touchHistory } from "../touched.ts";

/** A validator leaves the list after so many snapshots asked for it by key and found nothing. */
const MISSED_SNAPSHOTS = 2;

/** Lists validators that appeared, removes those that left, and ranks again if either happened. */
export function foldListing(
  step: Step,
  entry: AgreedSnapshot,
  { isMissing, absent, set }: Pick<SnapshotReading, "isMissing" | "absent" | "set">,
): void {
  const existing = entry.votes.filter((_, index) => isMissing[index] !== true);
  const appeared = existing.filter((row) => appear(step, row));
  const isWaiting = waitsForOther(step.ledger, set.isAlone, step.moment.time);
  const left = isWaiting ? [] : absent.filter((vote) => miss(step, vote));
  if (appeared.length + left.length > 0) rank(step);
}

/** Returns whether it may change ranks. */
function appear(step: Step, row: SnapshotRow): boolean {
  const validatorIndex = findValidator(step.ledger, row.vote)?.validatorIndex ?? create(step, row);
  const validator = step.ledger.validators[validatorIndex];
  if (validator === undefined) return false;
  const isSame =
    validator.listed && validator.rank > 0 && validator.activeStake === row.activeStake;
  if (!validator.listed) touchPresence(step, validatorIndex);
  validator.listed = true;
  validator.missedSnapshots = 0;
  assignListed(step, validatorIndex, {
    activeStake: row.activeStake,
    inValidatorSet: row.inValidatorSet,
  });
  return !isSame;
}

/** Returns whether it left the list. */
function miss(step: Step, vote: string): boolean {
  const found = findValidator(step.ledger, vote);
  if (found?.validator.listed !== true) return false;
  const { validatorIndex, validator } = found;
  validator.missedSnapshots += 1;
  if (validator.missedSnapshots < MISSED_SNAPSHOTS) return false;
  validator.listed = false;
  touchPresence(step, validatorIndex);
  // Otherwise every check would ask for them, for ever.
  dropPending(step.ledger, validator);
  validator.tips.pending = new Map();
  assignListed(step, validatorIndex, {
    activeStake: 0n,
    activatingStake: 0n,
    deactivatingStake: 0n,
    stakeAccountCount: 0,
    inValidatorSet: false,
    delinquent: true,
    delinquentSince: validator.delinquentSince ?? step.moment.time,
  });
  return true;
}

function touchPresence(step: Step, validatorIndex: number): void {
  const seen = step.ledger.validators[validatorIndex]?.seen ?? step.moment;
  touchHistory(step, validatorIndex, seen.epoch);
}

function rank(step: Step): void {
  const listed = [...step.ledger.validators.entries()].filter(([, validator]) => validator.listed);
  listed.sort(([, a], [, b]) => compareByStake(a, b));
  for (const [index, [validatorIndex, validator]] of listed.entries()) {
    if (validator.rank === index + 1) continue;
    validator.rank = index + 1;
    step.touched.profiles.add(validatorIndex);
  }
  const total = listed.reduce((sum, [, validator]) => sum + validator.activeStake, 0n);
  if (total === step.ledger.listedStake) return;
  step.ledger.listedStake = total;
  for (const [validatorIndex] of listed) step.touched.profiles.add(validatorIndex);
}

function create(step: Step, row: SnapshotRow): number {
  const { ledger, moment } = step;
  const validatorIndex = ledger.validators.length;
  ledger.validators.push(blank(step, row));
  ledger.validatorIndexes.set(row.vote, validatorIndex);
  const { profiles, histories, events, uptime } = step.touched;
  for (const part of [profiles, histories, events, uptime]) part.add(validatorIndex);
  step.touched.epochs.add(moment.epoch);
  return validatorIndex;
}

function blank(step: Step, row: SnapshotRow): ValidatorRecord {
  const { moment } = step;
  return {
    vote: row.vote,
    identity: row.identity,
    name: null,
    iconUrl: null,
    website: null,
    version: null,
    clientId: null,
    commissionBasisPoints: null,
    blockRevenueBasisPoints: null,
    activeStake: row.activeStake,
    activatingStake: 0n,
    deactivatingStake: 0n,
    stakeAccountCount: 0,
    stakeAccountsAsOf: null,
    delinquent: false,
    delinquentSince: null,
    mevVendorEnabled: false,
    batchVendorEnabled: false,
    location: null,
    inValidatorSet: row.inValidatorSet,
    firstEpoch: moment.epoch,
    listed: true,
    missedSnapshots: 0,
    rank: 0,
    updatedAt: moment.time,
    seen: moment,
    rates: createRates(),
    tips: createTips(),
    priorityFeeBasisPoints: null,
    performance: null,
    performanceOfHour: null,
    knownIdentity: null,
    moves: [],
    history: null,
    authorities: [],
    nextAuthority: null,
    rateProofs: [],
    absences: [],
    withdrawals: [],
    accountChanges: [],
    blockRevenue: { ...NEVER_READ },
  };
}
