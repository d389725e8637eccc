import type { EventRecord } from "../../ledger/event-record.ts";
import type { Ledger } from "../../ledger/ledger.ts";
import { creditsOf } from "../../ledger/stake/credits.ts";
import { isMember } from "../../ledger/stake/membership.ts";
import { paidAt } from "../../ledger/stake/paid.ts";
import { stakePoint } from "../../ledger/stake/points.ts";
import {
  AVERAGE_CREDITS,
  shareOfRewards,
  type CostRecord,
  type IssuanceRecord,
  type Terms,
} from "../../ledger/stake/staking-rewards.ts";
import { type MevCostRecord, SAMPLE_STAKE, toMevCost } from "../../ledger/tips/mev-costs.ts";
import { findTipAmount } from "../../ledger/tips/tip-amounts.ts";
import { payingStateEpoch } from "./effects.ts";

type Effective = Omit<EventRecord, "cost" | "mevCost">;

/**
 * Adds costs to the events of one validator. It is called again as stakes, sets, inflation,
 * credits, tips and the ends of epochs become known.
 */
export function toPriced(ledger: Ledger, events: readonly Effective[]): EventRecord[] {
  const predecessors = findPredecessors(events);
  return events.map((event) => ({
    ...event,
    cost: toCost(ledger, event, findPaidBefore(event, predecessors)),
    mevCost: findMevCost(ledger, event),
  }));
}

function findPredecessors(events: readonly Effective[]): Map<string, Effective> {
  const unpaid = events.filter(
    ({ supersededBy, replacedBy }) => supersededBy !== null && replacedBy === null,
  );
  return new Map(unpaid.map((event) => [event.supersededBy ?? "", event]));
}

function findPaidBefore(
  event: Effective,
  predecessors: ReadonlyMap<string, Effective>,
): EventRecord["from"] {
  let first = event;
  // Each event is earlier than the one after it, so the loop ends.
  for (
    let before = predecessors.get(first.id);
    before !== undefined;
    before = predecessors.get(first.id)
  )
    first = before;
  return first.from;
}

/** null: MEV, whose cost is in tips, or missing data. */
function toCost(ledger: Ledger, event: Effective, from: EventRecord["from"]): CostRecord | null {
  if (event.source !== "COMMISSION" || typeof from !== "number" || typeof event.to !== "number")
    return null;
  const first = findEpoch(ledger, event, event.effectiveEpoch);
  const latest = findEpoch(ledger, event, event.effectiveEpochLatest);
  if (first === null || latest === null) return null;
  // A superseded commission is never paid.
  const isDated = event.effectiveEpochFinal && first.epoch === latest.epoch;
  const taken = (isDated ? first.paid : null) ?? event.to;
  const to = event.supersededBy === null ? taken : from;
  const share = ({ terms, credits }: PayingEpoch, stake: bigint) =>
    shareOfRewards(terms, { stake, basisPoints: to - from, credits: credits ?? AVERAGE_CREDITS });
  const costs = [first, latest].flatMap((each) => each.stakes.map((stake) => share(each, stake)));
  return {
    lamportsPerEpoch: share(first, first.activeStake),
    per1000SolLamports: share(first, SAMPLE_STAKE),
    least: costs.reduce((a, b) => (a < b ? a : b)),
    most: costs.reduce((a, b) => (a > b ? a : b)),
    epoch: first.epoch,
    activeStake: first.activeStake,
    fromBasisPoints: from,
    toBasisPoints: to,
    credits: first.credits,
    isSettled:
      event.effectiveEpochFinal &&
      event.effectiveEpoch === event.effectiveEpochLatest &&
      first.isPaid,
    ...first.terms,
  };
}

/**
 * null: a change of inflation commission, a commission disabled before or after (its tips are then
 * unknown), or missing data.
 */
function findMevCost(
  ledger: Ledger,
  { source, validatorIndex, effectiveEpoch: epoch, from, to }: Effective,
): MevCostRecord | null {
  if (source !== "MEV" || typeof from !== "number" || typeof to !== "number") return null;
  const amount = findTipAmount(ledger, { epoch, validatorIndex });
  const activeStake = stakePoint(ledger, { epoch, validatorIndex })?.lamports ?? 0n;
  return amount === null || activeStake === 0n
    ? null
    : toMevCost(amount, { from, to, epoch, activeStake });
}

/** The first epoch that pays a change; before it begins, the newest known epoch. */
interface PayingEpoch {
  epoch: number;
  terms: Terms;
  activeStake: bigint;
  /** Possible active stakes, lamports. */
  stakes: bigint[];
  /** Ten-thousandths of the average; null: not known. */
  credits: number | null;
  isPaid: boolean;
  /** The commission that its rewards took, basis points; null: not known. */
  paid: number | null;
}

function findEpoch(
  ledger: Ledger,
  { validatorIndex }: Effective,
  effectiveEpoch: number,
): PayingEpoch | null {
  const running = ledger.epochs.at(-1)?.epoch ?? -1;
  // The terms of a new epoch are not known at its start.
  const newest = ledger.issuance.has(running) ? running : running - 1;
  const epoch = effectiveEpoch < running ? effectiveEpoch : newest;
  const issuance = ledger.issuance.get(epoch);
  const activeStake = findStake(ledger, { epoch, validatorIndex });
  if (issuance === undefined || activeStake === null) return null;
  const paidBy = issuance.isAlpenglow ? issuance : ledger.issuance.get(epoch + 1);
  const isReached = epoch === effectiveEpoch;
  const stakesToCome = isReached ? [] : findStakesToCome(ledger, validatorIndex, activeStake);
  // Whether an account outside the set is paid becomes known only two epochs later.
  const credits = isReached ? creditsOf(ledger, { epoch, validatorIndex }) : null;
  const isOutside = isMember(ledger, { epoch, validatorIndex }) === false && epoch + 2 > running;
  const paid = isReached ? paidAt(ledger, { epoch, validatorIndex }) : null;
  return {
    epoch,
    terms: toTerms(issuance, paidBy ?? issuance),
    activeStake,
    stakes: [activeStake, ...stakesToCome, ...(isOutside ? [0n] : [])],
    credits,
    isPaid:
      effectiveEpoch < running &&
      paidBy !== undefined &&
      !isOutside &&
      (credits !== null || activeStake === 0n),
    paid: typeof paid === "number" ? paid : null,
  };
}

/** Active stake in lamports; 0: in no set that the epoch pays by. */
function findStake(ledger: Ledger, at: { epoch: number; validatorIndex: number }): bigint | null {
  return payingStateEpoch(ledger, at) === null ? 0n : (stakePoint(ledger, at)?.lamports ?? null);
}

function findStakesToCome(
  { validators }: Ledger,
  validatorIndex: number,
  activeStake: bigint,
): bigint[] {
  const { activatingStake, deactivatingStake } = validators[validatorIndex] ?? {
    activatingStake: 0n,
    deactivatingStake: 0n,
  };
  return [
    activeStake > deactivatingStake ? activeStake - deactivatingStake : 0n,
    activeStake + activatingStake,
  ];
}

function toTerms(
  { supply, setStake, slotsInEpoch, slotMilliseconds }: IssuanceRecord,
  { validatorRate }: IssuanceRecord,
): Terms {
  return { validatorRate, supply, setStake, slotsInEpoch, slotMilliseconds };
}
