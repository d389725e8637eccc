import type { Network } from "../contract/networks.ts";
import type { Ledger } from "./ledger.ts";
import { isMember, type ValidatorEpoch } from "./membership.ts";
import { stakePoint } from "./points.ts";
import type { EventRecord } from "./records.ts";
import type { Touched } from "./touched.ts";

/** An epoch's rewards are worked out when it has ended, by the validator sets of it and of the next one. */
const DECIDED_AFTER_EPOCHS = 2;

/** What follows from an event, and from what became known after it. */
export type Effects = Pick<
  EventRecord,
  "effectiveEpoch" | "effectiveEpochLatest" | "effectiveEpochFinal" | "supersededBy" | "cost"
>;

/** What is worked out only beside a validator's other events, and from what else became known (costs.ts). */
const NOTHING_MORE = { supersededBy: null, cost: null } as const;

type Cause = Pick<EventRecord, "ordinal" | "source" | "epoch" | "madeIn">;

/** From which epoch a change is paid, as far as it is known now. */
export function toEffects(ledger: Ledger, { ordinal, source, epoch, madeIn }: Cause): Effects {
  // Tips are shared by the account of their own epoch.
  if (source === "MEV")
    return { ...NOTHING_MORE, effectiveEpoch: epoch, effectiveEpochLatest: epoch, effectiveEpochFinal: true };
  const earliest = firstPayingEpoch(ledger, { epoch: madeIn.earliest, ordinal });
  const latest = firstPayingEpoch(ledger, { epoch: madeIn.latest, ordinal });
  const running = ledger.epochs.at(-1)?.epoch ?? -1;
  return {
    effectiveEpoch: earliest.epoch,
    effectiveEpochLatest: latest.epoch,
    effectiveEpochFinal: earliest.isSettled && latest.isSettled && running >= madeIn.latest + DECIDED_AFTER_EPOCHS,
    ...NOTHING_MORE,
  };
}

/**
 * Works out anew what follows from the events of every validator that was touched. Validator sets, stakes, and that an epoch
 * is final are learnt after the event, and touch its validator.
 */
export function foldEffects(ledger: Ledger, touched: Touched): void {
  const ordinals = touched.commissions.union(touched.stakes).union(touched.events);
  if (ordinals.size === 0) return;
  const standing = ledger.events.filter(({ ordinal }) => ordinals.has(ordinal));
  const successors = findSuccessors(standing);
  for (const event of standing)
    assign(touched, event, {
      ...toEffects(ledger, event),
      supersededBy: event.replacedBy ?? successors.get(event) ?? null,
      cost: event.cost,
    });
  for (const event of ledger.withdrawn) if (ordinals.has(event.ordinal)) Object.assign(event, toEffects(ledger, event));
}

/**
 * By event the id of the one that took its commission away before the epoch ended in which it was set: no reward was ever paid by
 * it. Where their windows leave it open that the commission stood at the end of an epoch, there is none.
 */
function findSuccessors(events: readonly EventRecord[]): Map<EventRecord, string> {
  // Of a change whose steps are events themselves, those say what stood.
  const seen = events.filter(
    ({ source, confirmed, replacedBy }) => source === "COMMISSION" && confirmed && replacedBy === null,
  );
  const slotOf = ({ transaction, slot }: EventRecord) => transaction?.slot ?? slot;
  const successors = new Map<EventRecord, string>();
  for (const own of Map.groupBy(seen, ({ ordinal }) => ordinal).values()) {
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
  touched.events.add(event.ordinal);
  touched.epochs.add(event.epoch);
  if (event.confirmed) touched.severities.add(event.severity);
}

/*
 * Which state of a vote account says the commission that the rewards of an epoch pay. They are worked out in the first block
 * of the next epoch (Agave 4.2, `Bank::process_new_epoch`), with the vote accounts that were kept as the stakes of the epoch
 * itself, where the account is in them, else as those of the next epoch, else as they are (`get_cached_vote_accounts`,
 * `redeem_delegation_rewards`). The stakes of an epoch are kept in the first block of the one before it: they hold the state
 * at the end of the one before that (SIMD-0249). As they are: as they were just kept for the epoch after the next, so that who
 * is not among those either is paid nothing.
 */

/**
 * First epoch whose rewards were worked out so, in a cluster's first life; before it they paid the state at its own end. The
 * feature became active in the first block of the epoch after it (mainnet 991, testnet 954), and a new epoch's first block
 * activates features before it works out the rewards of the epoch that ended.
 */
const DELAYED_SINCE: Record<Network, number> = { mainnet: 990, testnet: 953, alpenglow: 0 };

/** From the end of the epoch in which a change was made, every later reward pays it after so many epochs. */
const DELAY_EPOCHS = 2;

type Rules = Pick<Ledger, "network" | "series" | "members">;
type Rewards = Rules & Pick<Ledger, "stakes" | "ranks" | "history">;

/** The epoch at whose end the commission stood that the rewards of an epoch pay; null: it is known that nothing is paid. */
export function payingStateEpoch(rules: Rules, place: ValidatorEpoch, isAssumed = true): number | null {
  const { epoch, ordinal } = place;
  if (!isDelayed(rules, epoch)) return epoch;
  if (isMember(rules, place) ?? isAssumed) return epoch - DELAY_EPOCHS;
  if (isMember(rules, { epoch: epoch + 1, ordinal }) ?? isAssumed) return epoch - 1;
  return isMember(rules, { epoch: epoch + 2, ordinal }) === false ? null : epoch;
}

/**
 * First epoch whose rewards pay a commission that was set in an epoch: one whose paying state is not from before, and in which
 * there is stake to pay. `isSettled`: what is not known of the validator sets could not make it another.
 */
export function firstPayingEpoch(rewards: Rewards, place: ValidatorEpoch): { epoch: number; isSettled: boolean } {
  const epoch = findFirst(rewards, place, true);
  return { epoch, isSettled: findFirst(rewards, place, false) === epoch };
}

function findFirst(rewards: Rewards, { epoch, ordinal }: ValidatorEpoch, isAssumed: boolean): number {
  for (let each = epoch; each < epoch + DELAY_EPOCHS; each += 1) {
    const place = { epoch: each, ordinal };
    const pays = (payingStateEpoch(rewards, place, isAssumed) ?? -1) >= epoch;
    if (pays && stakePoint(rewards, place)?.lamports !== 0n) return each;
  }
  return epoch + DELAY_EPOCHS;
}

/** Whether rewards of this epoch pay late: in a later life of the cluster from its first epoch on. */
function isDelayed({ network, series }: Rules, epoch: number): boolean {
  return series > 1 || epoch >= DELAYED_SINCE[network];
}
