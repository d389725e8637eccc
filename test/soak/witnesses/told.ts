import { decodePublicKey } from "../../../generator/chain/public-key.ts";
import { encodeVoteAccount, NO_KEY, toVoteChainAccount } from "../../cluster/chain/vote-account.ts";
import type { EpochPlace, RateForm, VoteState } from "../../cluster/rpc/view.ts";
import type { ChainAccount } from "../../cluster/world.ts";
import { epochOf, isMember, rateAt, valueAt, type Cluster, type Validator } from "./cluster.ts";

/** How a node writes rates: as Agave 4.1, or percents alone, rounded down or up. */
export type ListForm = "both" | "basis points" | "floor" | "ceil";

/** What each form writes. */
export const RATE_FORMS: Record<ListForm, RateForm> = {
  both: { toPercent: Math.ceil, hasBasisPoints: true },
  "basis points": { toPercent: null, hasBasisPoints: true },
  floor: { toPercent: Math.floor, hasBasisPoints: false },
  ceil: { toPercent: Math.ceil, hasBasisPoints: false },
};

const ROOT_DISTANCE = 31;
/** All of it, as in any account until validators may share it. */
const BLOCK_REVENUE_BASIS_POINTS = 10_000;

/** Where the cluster truly is at a slot. */
export function tellEpoch(cluster: Cluster, slot: number): EpochPlace {
  const { slotsInEpoch } = cluster;
  return {
    epoch: epochOf(cluster, slot),
    slotIndex: slot % slotsInEpoch,
    slotsInEpoch,
    absoluteSlot: slot,
  };
}

interface Told {
  /** Of the state shown, and the one claimed for it. */
  seen: number;
  slot: number;
  /** How far the last votes lie below the slot. */
  votesBelow: number;
}

/** The true list of vote accounts. */
export function tellRows(cluster: Cluster, { seen, slot, votesBelow }: Told): VoteState[] {
  const epochCredits = [[epochOf(cluster, slot), 1_000, 10]];
  return cluster.validators.flatMap((validator) => {
    const basisPoints = rateAt(validator, seen);
    if (basisPoints === null) return [];
    const stopped = validator.voting.findLast((step) => step.slot <= seen);
    const voted = stopped?.value === true ? Math.max(0, seen - votesBelow) : (stopped?.slot ?? 0);
    const lastVote = Math.max(0, voted + slot - seen);
    return [
      {
        votePubkey: validator.vote,
        identity: valueAt(validator.identities, seen) ?? "",
        activatedStake: valueAt(validator.stakes, seen) ?? 0n,
        basisPoints,
        inValidatorSet: isMember(cluster, validator, epochOf(cluster, seen)),
        lastVote,
        rootSlot: Math.max(0, lastVote - ROOT_DISTANCE),
        epochCredits,
      },
    ];
  });
}

interface StoredKeys {
  identity: string | null;
  authority: string | null;
}

const written = new Map<string, ChainAccount>();

/**
 * A vote account as it is stored.
 * @param rate basis points; null: of an unknown layout
 */
export function tellVoteAccount(
  keys: StoredKeys,
  rate: number | null,
  layout: Validator["layout"],
): ChainAccount {
  const known = `${keys.identity} ${keys.authority} ${rate} ${layout}`;
  const account = written.get(known) ?? toVoteAccount(keys, rate, layout);
  written.set(known, account);
  return account;
}

function toVoteAccount(
  { identity, authority }: StoredKeys,
  rate: number | null,
  layout: Validator["layout"],
): ChainAccount {
  const data = encodeVoteAccount({
    layout: rate === null ? "unknown" : layout === "percent" ? "v3" : "v4",
    identity: toKey(identity),
    withdrawer: toKey(authority),
    basisPoints: rate ?? 0,
    collector: NO_KEY,
    blockRevenueBasisPoints: BLOCK_REVENUE_BASIS_POINTS,
    blsKey: null,
  });
  return toVoteChainAccount(data);
}

function toKey(address: string | null) {
  return address === null ? NO_KEY : { bytes: decodePublicKey(address) };
}
