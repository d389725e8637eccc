import type { AgreedIssuance } from "../../agree/issuance.ts";
import type { AgreedSnapshot } from "../../agree/agree.ts";
import { getStake } from "../columns.ts";
import type { Ledger } from "../ledger.ts";
import { isMember, isOfItsEpoch } from "./membership.ts";
import { type IssuanceRecord, toTrillionths } from "./staking-rewards.ts";
import type { Step } from "../step.ts";
import { waitsForOther } from "../belief.ts";

/*
 * Inflation and supply of an epoch, as its first majority reads them. Until there is one,
 * costs use the epoch before (costs.ts); a change whose epoch ended without one has no cost.
 */

/** Records an epoch's first accepted issuance. Later snapshots update only the stake of the set. */
export function foldIssuance(
  step: Step,
  entry: AgreedSnapshot,
  agreed: AgreedIssuance | null,
): void {
  if (!isOfItsEpoch(entry)) return;
  if (step.ledger.issuance.has(entry.epoch)) updateSetStake(step, entry.epoch);
  else if (agreed !== null && !waitsForOther(step.ledger, agreed.isAlone, step.moment.time))
    keepFirst(step, entry, agreed);
}

function keepFirst(
  step: Step,
  { epoch, slotsInEpoch, creditsUnit }: AgreedSnapshot,
  { value }: AgreedIssuance,
): void {
  if (value === null) return;
  const setStake = sumSetStake(step.ledger, epoch);
  if (setStake === 0n || value.supply < setStake) return;
  const validatorRate = toTrillionths(value.validatorRate);
  const isAlpenglow = creditsUnit === "lamports";
  step.ledger.issuance.set(epoch, { ...value, validatorRate, setStake, slotsInEpoch, isAlpenglow });
  touchCosts(step);
}

/** Returns why inflation and supply of an epoch are not known after its snapshot was folded. */
export function describeUnknownIssuance(
  { ledger, moment }: Step,
  entry: AgreedSnapshot,
  agreed: AgreedIssuance,
): string {
  const { epoch } = entry;
  const subject = `inflation and supply of epoch ${epoch}`;
  if (!isOfItsEpoch(entry))
    return `the lists are not of epoch ${epoch} yet, whose inflation and supply were read`;
  if (agreed.value === null) return `no majority of the witnesses agrees on ${subject}`;
  return waitsForOther(ledger, agreed.isAlone, moment.time)
    ? `one of two witnesses alone answers ${subject}, which counts once the other has been ` +
        "silent for long enough"
    : `the witnesses agree on ${subject}, but its validator set has no stake, or more than the ` +
        "supply";
}

function updateSetStake(step: Step, epoch: number): void {
  const { ledger } = step;
  const known: IssuanceRecord | undefined = ledger.issuance.get(epoch);
  const setStake = sumSetStake(ledger, epoch);
  if (
    known === undefined ||
    known.setStake === setStake ||
    setStake === 0n ||
    known.supply < setStake
  )
    return;
  ledger.issuance.set(epoch, { ...known, setStake });
  touchCosts(step);
}

/** Sums the stake of all that are not known to be outside the set. */
function sumSetStake(ledger: Ledger, epoch: number): bigint {
  return ledger.validators.reduce((sum, _, validatorIndex) => {
    const stake = getStake(ledger.stakes, epoch, validatorIndex) ?? 0n;
    return stake > 0n && isMember(ledger, { epoch, validatorIndex }) !== false ? sum + stake : sum;
  }, 0n);
}

/** Costs of all events may rest on the issuance, and the list of epochs shows it. */
function touchCosts({ ledger, moment, touched }: Step): void {
  touched.epochs.add(moment.epoch);
  for (const { validatorIndex } of ledger.events) touched.profiles.add(validatorIndex);
}
