import type { Network } from "../../contract/networks.ts";
import type { EventRecord } from "../../ledger/event-record.ts";
import type { Ledger } from "../../ledger/ledger.ts";
import {
  findUncertainSets,
  isMember,
  type EpochRange,
  type ValidatorEpoch,
} from "../../ledger/stake/membership.ts";
import { stakePoint } from "../../ledger/stake/points.ts";

/** Rewards are calculated after the epoch ends, from its set and those of the next two epochs. */
export const DECIDED_AFTER_EPOCHS = 2;

type Effects = Pick<
  EventRecord,
  | "effectiveEpoch"
  | "effectiveEpochLatest"
  | "effectiveEpochFinal"
  | "supersededBy"
  | "cost"
  | "mevCost"
>;

/** An event before its effects are known. */
export type BareEvent = Omit<EventRecord, keyof Effects>;

/**
 * Adds effects to the changes of one validator. It is called again as sets, stakes and the ends of
 * epochs become known.
 */
export function toEffective(
  ledger: Ledger,
  changes: readonly BareEvent[],
): Omit<EventRecord, "cost" | "mevCost">[] {
  const successors = findSuccessors(changes);
  const [first] = changes;
  const uncertain = first === undefined ? [] : findUncertainSets(ledger, first.validatorIndex);
  return changes.map((change) => ({
    ...change,
    ...toEpochs(ledger, change, uncertain),
    supersededBy: change.replacedBy ?? successors.get(change.id) ?? null,
  }));
}

type Epochs = Pick<EventRecord, "effectiveEpoch" | "effectiveEpochLatest" | "effectiveEpochFinal">;

function toEpochs(
  ledger: Ledger,
  { validatorIndex, source, epoch, madeIn }: BareEvent,
  uncertain: readonly EpochRange[],
): Epochs {
  // A tip account's commission applies to its own epoch.
  if (source === "MEV")
    return { effectiveEpoch: epoch, effectiveEpochLatest: epoch, effectiveEpochFinal: true };
  const earliest = firstPayingEpoch(ledger, { epoch: madeIn.earliest, validatorIndex }, uncertain);
  const latest = firstPayingEpoch(ledger, { epoch: madeIn.latest, validatorIndex }, uncertain);
  const running = ledger.epochs.at(-1)?.epoch ?? -1;
  return {
    effectiveEpoch: earliest.earliest,
    effectiveEpochLatest: latest.latest,
    effectiveEpochFinal:
      earliest.isSettled && latest.isSettled && running >= madeIn.latest + DECIDED_AFTER_EPOCHS,
  };
}

/** By id of the earlier change; none if that may have been in force at the end of an epoch. */
function findSuccessors(changes: readonly BareEvent[]): Map<string, string> {
  const slotOf = ({ transaction, slot }: BareEvent) => transaction?.slot ?? slot;
  const inOrder = changes
    // The steps of a replaced change are events themselves.
    .filter(
      ({ source, confirmed, replacedBy }) =>
        source === "COMMISSION" && confirmed && replacedBy === null,
    )
    .sort((a, b) => slotOf(a) - slotOf(b));
  const successors = new Map<string, string>();
  for (const [index, change] of inOrder.entries()) {
    const next = inOrder[index + 1];
    if (next !== undefined && change.madeIn.earliest === next.madeIn.latest)
      successors.set(change.id, next.id);
  }
  return successors;
}

/*
 * Which state of a vote account sets the commission of an epoch's rewards. They are
 * calculated in the next epoch's first block (Agave 4.2, `Bank::process_new_epoch`)
 * from the vote accounts kept as the epoch's stakes, else those of the next epoch,
 * else the current ones (`get_cached_vote_accounts`, `redeem_delegation_rewards`).
 * An epoch's stakes are kept in the first block of the epoch before: the state at
 * the end of the one before that (SIMD-0249). The current ones are those just kept
 * for the epoch after the next: an account missing there too is paid nothing.
 */

/**
 * First epoch whose rewards are delayed, in a cluster's first series. The
 * feature was activated in the next epoch's first block (mainnet 991,
 * testnet 954), which activates features before it calculates rewards.
 */
const DELAYED_SINCE: Record<Network, number> = { mainnet: 990, testnet: 953, alpenglow: 0 };

const DELAY_EPOCHS = 2;

type Rules = Pick<Ledger, "network" | "series" | "members">;
type Rewards = Rules & Pick<Ledger, "stakes" | "ranks" | "history">;

/** Whether the validator counts as a member of an epoch's set of which no snapshot told. */
type Assume = (epoch: number) => boolean;

const INSIDE: Assume = () => true;
const OUTSIDE: Assume = () => false;

/** The epoch whose last state sets the commission; null: nothing is paid. */
export function payingStateEpoch(
  rules: Rules,
  at: ValidatorEpoch,
  assume: Assume = INSIDE,
): number | null {
  const { epoch, validatorIndex } = at;
  if (!isDelayed(rules, epoch)) return epoch;
  const isIn = (each: number) => isMember(rules, { epoch: each, validatorIndex }) ?? assume(each);
  if (isIn(epoch)) return epoch - DELAY_EPOCHS;
  if (isIn(epoch + 1)) return epoch - 1;
  return isMember(rules, { epoch: epoch + 2, validatorIndex }) === false ? null : epoch;
}

/** Like {@link payingStateEpoch}: all that it may be. */
export function payingStateEpochs(
  rules: Rules,
  at: ValidatorEpoch,
  uncertain: readonly EpochRange[],
): (number | null)[] {
  const assumed = payingStateEpoch(rules, at);
  return uncertain.length === 0
    ? [assumed]
    : [assumed, payingStateEpoch(rules, at, unless(uncertain))];
}

function unless(uncertain: readonly EpochRange[]): Assume {
  return (epoch) => !uncertain.some(({ first, last }) => epoch >= first && epoch <= last);
}

/** `isSettled`: unknown validator sets cannot change it. */
function firstPayingEpoch(
  rewards: Rewards,
  at: ValidatorEpoch,
  uncertain: readonly EpochRange[],
): { earliest: number; latest: number; isSettled: boolean } {
  const firstIf = (assume: Assume) => findFirst(rewards, at, assume);
  const [assumed, excluding] = [firstIf(INSIDE), firstIf(unless(uncertain))];
  return {
    earliest: Math.min(assumed, excluding),
    latest: Math.max(assumed, excluding),
    isSettled: assumed === excluding && assumed === firstIf(OUTSIDE),
  };
}

function findFirst(
  rewards: Rewards,
  { epoch, validatorIndex }: ValidatorEpoch,
  assume: Assume,
): number {
  for (let each = epoch; each < epoch + DELAY_EPOCHS; each += 1) {
    const at = { epoch: each, validatorIndex };
    const pays = (payingStateEpoch(rewards, at, assume) ?? -1) >= epoch;
    if (pays && stakePoint(rewards, at)?.lamports !== 0n) return each;
  }
  return epoch + DELAY_EPOCHS;
}

function isDelayed({ network, series }: Rules, epoch: number): boolean {
  return series > 1 || epoch >= DELAYED_SINCE[network];
}
