import { getU16 } from "../../../generator/ledger/columns.ts";
import { isCovered } from "../../../generator/ledger/proof/coverage.ts";
import type { Ledger } from "../../../generator/ledger/ledger.ts";
import type { EventRecord } from "../../../generator/ledger/event-record.ts";
import type { ValidatorRecord } from "../../../generator/ledger/records.ts";
import { epochOf, isMember, rateAt, type Cluster } from "./cluster.ts";

/** Why an event's transaction does not fit the chain; null: it does. */
export function objectToProof(cluster: Cluster, vote: string, event: EventRecord): string | null {
  const { transaction, isSwept, from, to } = event;
  const describe = `${String(from)} → ${String(to)}${isSwept ? ", swept," : ""} of ${transaction?.signature.slice(0, 8)} in slot ${transaction?.slot}`;
  if (transaction === null) return isSwept ? `${describe} has no transaction` : null;
  const { signature, slot, signer, verified, blockTime, steps } = transaction;
  const carried = cluster.chain.find(signature);
  const validator = cluster.byVote.get(vote);
  const deed = carried?.deeds.find((one) => one.vote === vote && one.rates.length > 0);
  if (carried === null || validator === undefined)
    return `${describe}: there is no such transaction`;
  if (carried.failure !== null) return `${describe}: it failed`;
  if (carried.slot !== slot) return `${describe}: it is of slot ${carried.slot}`;
  if (deed === undefined) return `${describe}: it changed another account`;
  if (deed.signer !== signer) return `${describe}: it is said to be signed by ${signer}`;
  if (!deed.isSigned && verified.startsWith("signature"))
    return `${describe}: nothing is signed of it, and it is ${verified}`;
  if (blockTime !== null && Date.parse(blockTime) !== carried.blockTime * 1000)
    return `${describe}: its block is said to be of ${blockTime}`;
  if (rateAt(validator, slot) !== to)
    return `${describe}: it left ${String(rateAt(validator, slot))}`;
  if (isSwept && rateAt(validator, slot - 1) !== from)
    return `${describe}: it found ${String(rateAt(validator, slot - 1))}`;
  const untrue = steps.find((step) => !isStep(cluster, vote, step));
  if (untrue !== undefined)
    return `${describe}: a step to ${untrue.basisPoints} in slot ${untrue.slot} there never was`;
  return objectToEpochs(cluster, vote, event, describe);
}

type Step = NonNullable<EventRecord["transaction"]>["steps"][number];

function isStep(cluster: Cluster, vote: string, step: Step): boolean {
  const carried = cluster.chain.find(step.signature);
  const rates = carried?.deeds.find((deed) => deed.vote === vote)?.rates ?? [];
  return (
    carried?.failure === null && carried.slot === step.slot && rates.includes(step.basisPoints)
  );
}

/** Without a snapshot at most; epochs of these stories last some minutes. */
const NEAR_EPOCHS = 10;

function objectToEpochs(
  cluster: Cluster,
  vote: string,
  event: EventRecord,
  describe: string,
): string | null {
  const { transaction, epoch, effectiveEpoch, effectiveEpochLatest, effectiveEpochFinal } = event;
  const truth = epochOf(cluster, transaction?.slot ?? 0);
  if (epoch !== truth) return `${describe} is said to be of epoch ${epoch}, and it is of ${truth}`;
  const validator = cluster.byVote.get(vote);
  const isOfSet =
    validator !== undefined && [truth, truth + 1].every((one) => isMember(cluster, validator, one));
  if (!isOfSet || (effectiveEpoch === truth + 2 && effectiveEpochLatest === truth + 2)) return null;
  // When it came into the set may be untold, because no snapshot was made in that epoch.
  const isIncluded = effectiveEpoch <= truth + 2 && effectiveEpochLatest >= truth + 2;
  const near = Array.from({ length: 2 * NEAR_EPOCHS + 1 }, (_, at) => truth - NEAR_EPOCHS + at);
  const wasOutside = near.some((one) => !isMember(cluster, validator, one));
  if (isIncluded && !effectiveEpochFinal && wasOutside) return null;
  return `${describe} is said to be paid from epoch ${effectiveEpoch} to ${effectiveEpochLatest} on`;
}

export function findUnknown(
  { chain }: Cluster,
  { validators }: Ledger,
): { vote: string; text: string }[] {
  return validators.flatMap((validator) =>
    [...new Set(validator.authorities.map(({ key }) => key))].flatMap((authority) =>
      (chain.byAddress.get(authority) ?? []).flatMap(({ order, signed }) => {
        const { slot, failure, deeds } = order;
        if (failure !== null || !isCovered(validator, { after: slot - 1, upTo: slot })) return [];
        return deeds.flatMap(({ vote, signer, rates, handsTo }) => {
          if (vote !== validator.vote || signer !== authority) return [];
          if (isKnown(validator, signed().signature, { rates, handsTo, authority })) return [];
          const what =
            handsTo === null ? `set ${rates.join(", ")}` : `handed over to ${handsTo.slice(0, 5)}`;
          return [
            {
              vote,
              text: `slot ${slot} is said to be searched, in which ${authority.slice(0, 5)} ${what}`,
            },
          ];
        });
      }),
    ),
  );
}

function isKnown(
  { rateProofs, accountChanges }: ValidatorRecord,
  signature: string,
  {
    rates,
    handsTo,
    authority,
  }: { rates: readonly number[]; handsTo: string | null; authority: string },
): boolean {
  const isRateKnown =
    rates.length === 0 || rateProofs.some((one) => one.signature === signature && !one.isDisputed);
  // Only the old holder hands it over.
  return (
    isRateKnown &&
    (handsTo === null ||
      handsTo === authority ||
      accountChanges.some((one) => one.signature === signature))
  );
}

export function findWrongProved(
  cluster: Cluster,
  { validators, proved, acceptance }: Ledger,
): { vote: string; text: string }[] {
  const running = acceptance.newest?.epoch ?? 0;
  return [...proved.keys()].flatMap((epoch) =>
    validators.flatMap(({ vote }, validatorIndex) => {
      const validator = cluster.byVote.get(vote);
      const told = getU16(proved, epoch, validatorIndex);
      if (validator === undefined || told === null || epoch >= running) return [];
      const stood = rateAt(validator, (epoch + 1) * cluster.slotsInEpoch - 1);
      // A closed account pays nobody.
      return stood === null || stood === told
        ? []
        : [{ vote, text: `${told} is proved of the end of epoch ${epoch}, and it was ${stood}` }];
    }),
  );
}
