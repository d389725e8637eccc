import { renderCommissionHistory } from "../../../generator/documents/histories.ts";
import { createView } from "../../../generator/documents/view.ts";
import type { ChainOrder } from "./chain.ts";
import { isRounded } from "./events.ts";
import {
  epochOf,
  haltedBetween,
  isMember,
  rateAt,
  timeOf,
  tipAt,
  type Cluster,
  type Validator,
} from "./cluster.ts";
import { STANDING, STANDING_UNSHOWN, type Fault } from "./faults.ts";
import type { Record } from "./record.ts";
import type { Scenario } from "./scenario.ts";

/** Closed epochs must show what the chain pays, or that it is unknown. */
export function findWrongApplied(
  { cluster, end, promise, isPercentOnly, loads }: Scenario,
  { ledger }: Record,
): Fault[] {
  if (ledger === null || promise === "nothing false") return [];
  const standing = isPercentOnly ? STANDING_UNSHOWN : STANDING;
  const view = createView(ledger);
  const running = epochOf(cluster, tipAt(cluster, end));
  return cluster.validators.flatMap((validator) => {
    const { vote } = validator;
    const points = renderCommissionHistory(view, vote)?.data ?? [];
    return points.flatMap(({ epoch, appliedCommission }): Fault[] => {
      // An epoch without accepted observations is unknown and forward-filled.
      const isSeen = ledger.epochs.some((seen) => seen.epoch === epoch - 2);
      if (appliedCommission === null || epoch >= running || !isSeen) return [];
      const paid = paidIn(cluster, validator, { epoch, standing });
      if (paid === null || paid === Math.round(appliedCommission * 100)) return [];
      // A node under load shows no account behind its percent.
      if (isPercentOnly && loads.length > 0 && isRounded(paid, Math.round(appliedCommission * 100)))
        return [];
      const text = `epoch ${epoch} is said to pay ${appliedCommission} %, and pays ${paid} basis points`;
      return [
        {
          kind: "wrong applied",
          at: timeOf(cluster, (epoch + 1) * cluster.slotsInEpoch),
          vote,
          text,
        },
      ];
    });
  });
}

/**
 * The rate at the end of the epoch before the last one. null: nothing is promised: an epoch
 * without stake pays nobody, and only transactions show what stood briefly around the boundary.
 */
function paidIn(
  cluster: Cluster,
  validator: Validator,
  { epoch, standing }: { epoch: number; standing: number },
): number | null {
  const slot = (epoch - 1) * cluster.slotsInEpoch - 1;
  const began = validator.rates.findLast((step) => step.slot <= slot);
  const ended = validator.rates.find((step) => step.slot > slot);
  if (!isMember(cluster, validator, epoch) || began === undefined) return null;
  const stood =
    (ended === undefined ? Infinity : timeOf(cluster, ended.slot)) - timeOf(cluster, began.slot);
  return stood < standing ? null : began.value;
}

const MINUTE = 60_000;
/** By then a validator is listed, its authority and rate known. */
const KNOWN_WITHIN = 15 * MINUTE;
const SNAPSHOTS = 25 * MINUTE;
const EPOCHS = 2;
/** More signatures than this are too many to search. */
const BUSY = 90;

/** Changes that a majority of honest witnesses could show for two epochs and that are no event. */
export function findUnproved(scenario: Scenario, { ledger }: Record): Fault[] {
  if (ledger === null || !isProvable(scenario)) return [];
  const { cluster } = scenario;
  const followed = ledger.acceptance.newest?.slot ?? 0;
  const told = new Set(
    ledger.events.flatMap(({ validatorIndex, transaction }) =>
      (transaction?.steps ?? []).map(
        ({ signature }) => `${ledger.validators[validatorIndex]?.vote} ${signature}`,
      ),
    ),
  );
  return cluster.chain.oldestFirst.flatMap(({ order, signed }) =>
    order.deeds.flatMap(({ vote, signer, rates }): Fault[] => {
      const validator = cluster.byVote.get(vote);
      if (validator === undefined || order.failure !== null || rates.length === 0) return [];
      if (!isDue(scenario, { order, validator, signer })) return [];
      if (told.has(`${vote} ${signed().signature}`)) return [];
      const { slot } = order;
      // While a set is refused, which findFreezes judges, the sweep stands still.
      if (slot + EPOCHS * cluster.slotsInEpoch > followed) return [];
      const text = `${rateAt(validator, slot - 1)} → ${rateAt(validator, slot)} in slot ${slot} is not proved`;
      return [{ kind: "unproved", at: timeOf(cluster, slot), vote, text }];
    }),
  );
}

function isProvable({ witnesses, promise }: Scenario): boolean {
  const able = witnesses.filter(
    ({ lies, history, offersAccounts }) =>
      lies.length === 0 && history.keepsSlots >= 10 ** 9 && history.failing === 0 && offersAccounts,
  );
  return promise === "everything" && able.length > witnesses.length / 2;
}

function isDue(
  { cluster, begin, end, witnesses }: Scenario,
  {
    order: { slot },
    validator,
    signer,
  }: { order: ChainOrder; validator: Validator; signer: string },
): boolean {
  const at = timeOf(cluster, slot);
  if (at < begin + KNOWN_WITHIN || rateAt(validator, slot - 1) === rateAt(validator, slot))
    return false;
  const epochs = timeOf(cluster, slot + EPOCHS * cluster.slotsInEpoch) - at;
  if (at + epochs + SNAPSHOTS + haltedBetween(cluster, at, end) > end) return false;
  return (
    isThroughout(cluster, validator) &&
    !isBusy(cluster, signer) &&
    !isInDoubt(cluster, validator.vote, witnesses) &&
    isHeld(validator, epochs)
  );
}

function isThroughout({ paces }: Cluster, { rates }: Validator): boolean {
  return (
    rates.every(({ value }) => value !== null) &&
    (rates[0]?.slot ?? Infinity) <= (paces[0]?.slot ?? 0)
  );
}

function isBusy({ chain }: Cluster, authority: string): boolean {
  return (chain.byAddress.get(authority) ?? []).length > BUSY;
}

/** Several changes in a slot: not every node knows their order. */
function isInDoubt({ chain }: Cluster, vote: string, witnesses: Scenario["witnesses"]): boolean {
  if (witnesses.every(({ history, lies }) => history.tellsIndex && lies.length === 0)) return false;
  const slots = chain.all.flatMap(({ order: { slot, failure, deeds } }) =>
    failure === null && deeds.some((deed) => deed.vote === vote) ? [slot] : [],
  );
  return new Set(slots).size < slots.length;
}

/**
 * A new holder is searched from the epoch before, at
 * the next snapshot: an epoch must be longer than that.
 */
function isHeld({ authorities }: Validator, epochs: number): boolean {
  return authorities.length === 1 || epochs > 2 * EPOCHS * SNAPSHOTS;
}
