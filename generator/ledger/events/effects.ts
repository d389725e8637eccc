import type { Network } from "../../contract/networks.ts";
import type { Ledger } from "../ledger.ts";
import { isMember, type ValidatorEpoch } from "../stake/membership.ts";
import { stakePoint } from "../stake/points.ts";
import type { EventRecord } from "../records.ts";
import type { Touched } from "../touched.ts";

/** Rewards are calculated after the epoch ends, from its set and the next one. */
const DECIDED_AFTER_EPOCHS = 2;

export type Effects = Pick<
  EventRecord,
  "effectiveEpoch" | "effectiveEpochLatest" | "effectiveEpochFinal" | "supersededBy" | "cost" | "mevCost"
>;

/** Set by other events and costs.ts. */
const NOTHING_MORE = { supersededBy: null, cost: null, mevCost: null } as const;

type Cause = Pick<EventRecord, "validatorIndex" | "source" | "epoch" | "madeIn">;

export function toEffects(ledger: Ledger, { validatorIndex, source, epoch, madeIn }: Cause): Effects {
  // A tip account's commission applies to its own epoch.
  if (source === "MEV")
    return { ...NOTHING_MORE, effectiveEpoch: epoch, effectiveEpochLatest: epoch, effectiveEpochFinal: true };
  const earliest = firstPayingEpoch(ledger, { epoch: madeIn.earliest, validatorIndex });
  const latest = firstPayingEpoch(ledger, { epoch: madeIn.latest, validatorIndex });
  const running = ledger.epochs.at(-1)?.epoch ?? -1;
  return {
    effectiveEpoch: earliest.epoch,
    effectiveEpochLatest: latest.epoch,
    effectiveEpochFinal: earliest.isSettled && latest.isSettled && running >= madeIn.latest + DECIDED_AFTER_EPOCHS,
    ...NOTHING_MORE,
  };
}

/** Sets, stakes and an epoch's end become known later. */
export function foldEffects(ledger: Ledger, touched: Touched): void {
  const validatorIndexes = touched.commissions.union(touched.stakes).union(touched.events);
  if (validatorIndexes.size === 0) return;
  const standing = ledger.events.filter(({ validatorIndex }) => validatorIndexes.has(validatorIndex));
  const successors = findSuccessors(standing);
  for (const event of standing)
    assign(touched, event, {
      ...toEffects(ledger, event),
      supersededBy: event.replacedBy ?? successors.get(event) ?? null,
      cost: event.cost,
      mevCost: event.mevCost,
    });
  for (const event of ledger.withdrawn)
    if (validatorIndexes.has(event.validatorIndex)) Object.assign(event, toEffects(ledger, event));
}

/** None if it may have stood at an epoch's end. */
function findSuccessors(events: readonly EventRecord[]): Map<EventRecord, string> {
  // Their steps are events themselves.
  const seen = events.filter(
    ({ source, confirmed, replacedBy }) => source === "COMMISSION" && confirmed && replacedBy === null,
  );
  const slotOf = ({ transaction, slot }: EventRecord) => transaction?.slot ?? slot;
  const successors = new Map<EventRecord, string>();
  for (const own of Map.groupBy(seen, ({ validatorIndex }) => validatorIndex).values()) {
    const inOrder = own.sort((a, b) => slotOf(a) - slotOf(b));
    for (const [index, event] of inOrder.entries()) {
      const next = inOrder[index + 1];
      if (next !== undefined && event.madeIn.earliest === next.madeIn.latest) successors.set(event, next.id);
    }
  }
  return successors;
}

function assign(touched: Touched, event: EventRecord, effects: Effects): void {
  const names = Object.keys(effects) as (keyof Effects)[];
  if (names.every((name) => event[name] === effects[name])) return;
  Object.assign(event, effects);
  touched.events.add(event.validatorIndex);
  touched.epochs.add(event.epoch);
  if (event.confirmed) touched.severities.add(event.severity);
}

/*
 * Which state of a vote account sets the commission of an epoch's rewards. They are calculated in the next epoch's
 * first block (Agave 4.2, `Bank::process_new_epoch`) from the vote accounts kept as the epoch's stakes, else those of
 * the next epoch, else the current ones (`get_cached_vote_accounts`, `redeem_delegation_rewards`). An epoch's stakes
 * are kept in the first block of the epoch before: the state at the end of the one before that (SIMD-0249). The current
 * ones are those just kept for the epoch after the next: an account missing there too is paid nothing.
 */

/**
 * First epoch whose rewards are delayed, in a cluster's first series. The feature was activated in the next epoch's
 * first block (mainnet 991, testnet 954), which activates features before it calculates rewards.
 */
const DELAYED_SINCE: Record<Network, number> = { mainnet: 990, testnet: 953, alpenglow: 0 };

const DELAY_EPOCHS = 2;

type Rules = Pick<Ledger, "network" | "series" | "members">;
type Rewards = Rules & Pick<Ledger, "stakes" | "ranks" | "history">;

/** null: nothing is paid. */
export function payingStateEpoch(rules: Rules, place: ValidatorEpoch, isAssumed = true): number | null {
  const { epoch, validatorIndex } = place;
  if (!isDelayed(rules, epoch)) return epoch;
  if (isMember(rules, place) ?? isAssumed) return epoch - DELAY_EPOCHS;
  if (isMember(rules, { epoch: epoch + 1, validatorIndex }) ?? isAssumed) return epoch - 1;
  return isMember(rules, { epoch: epoch + 2, validatorIndex }) === false ? null : epoch;
}

/** `isSettled`: unknown validator sets cannot change it. */
function firstPayingEpoch(rewards: Rewards, place: ValidatorEpoch): { epoch: number; isSettled: boolean } {
  const epoch = findFirst(rewards, place, true);
  return { epoch, isSettled: findFirst(rewards, place, false) === epoch };
}

function findFirst(rewards: Rewards, { epoch, validatorIndex }: ValidatorEpoch, isAssumed: boolean): number {
  for (let each = epoch; each < epoch + DELAY_EPOCHS; each += 1) {
    const place = { epoch: each, validatorIndex };
    const pays = (payingStateEpoch(rewards, place, isAssumed) ?? -1) >= epoch;
    if (pays && stakePoint(rewards, place)?.lamports !== 0n) return each;
  }
  return epoch + DELAY_EPOCHS;
}

function isDelayed({ network, series }: Rules, epoch: number): boolean {
  return series > 1 || epoch >= DELAYED_SINCE[network];
}
