import { decodePublicKey } from "../../../generator/chain/public-key.ts";
import { deriveDistributionAddress } from "../../../generator/observe/mev/distribution-accounts.ts";
import { TIP_PROGRAMS as READ_PROGRAMS } from "../../../generator/observe/mev/tip-programs.ts";
import {
  encodeDistributionAccount,
  TIP_PROGRAMS,
  toRent,
} from "../../cluster/chain/distribution-accounts.ts";
import type { BlockCounts, BlockRange } from "../../cluster/rpc/view.ts";
import type { ChainAccount } from "../../cluster/world.ts";
import { epochOf, valueAt, type Cluster, type Validator } from "./cluster.ts";

/** On testnet nodes show accounts and tips as on mainnet. */
export const NETWORK = "testnet";

const PROGRAM = TIP_PROGRAMS[NETWORK];

/** Basis points of the tips in an epoch; null: it shares none. */
export function shareIn(
  { slotsInEpoch }: Cluster,
  { shares }: Validator,
  epoch: number,
): number | null {
  return valueAt(shares, epoch * slotsInEpoch);
}

/** What its tip account shows once it made a block in the epoch; null: no account. */
export function shareShownAt(
  cluster: Cluster,
  { validator, epoch }: TipAddress,
  slot: number,
): number | null {
  const turn = validator.turns.get(epoch);
  const isMade = turn !== undefined && turn.firstBlock <= slot;
  return isMade ? shareIn(cluster, validator, epoch) : null;
}

export interface TipAddress {
  validator: Validator;
  epoch: number;
}

/** How many epochs after its own a tip account is still asked for, for its amount. */
const EPOCHS_ASKED = 4;

/** Finds by its address whose tip account it is; null: nobody's of the last epochs. */
export function createTipAddresses({ validators }: Pick<Cluster, "validators">) {
  const known = new Map<string, TipAddress>();
  const derived = new Set<number>();
  return (address: string, running: number): TipAddress | null => {
    const program = READ_PROGRAMS[NETWORK];
    if (program === null) return null;
    for (let epoch = running - EPOCHS_ASKED; epoch <= running + 1; epoch++) {
      if (derived.has(epoch)) continue;
      derived.add(epoch);
      for (const validator of validators)
        // The observer's way, which remembers what it derived: that takes most of the time.
        known.set(deriveDistributionAddress({ program, vote: validator.vote, epoch }), {
          validator,
          epoch,
        });
    }
    return known.get(address) ?? null;
  };
}

/** @param share basis points */
export function tellTipAccount({ validator, epoch }: TipAddress, share: number): ChainAccount {
  if (PROGRAM === null) throw new Error(`${NETWORK} has no tips`);
  const vote = toKey(validator);
  const data = encodeDistributionAccount(PROGRAM, {
    ...{ vote, uploader: vote, epoch, basisPoints: share, merkleRoot: null },
  });
  return { owner: PROGRAM.address, lamports: toRent(data.length), data };
}

function toKey({ vote }: Validator) {
  return { bytes: decodePublicKey(vote) };
}

export type Counts = BlockCounts["byIdentity"];

/** By identity; the whole turn of an epoch counts where its first block does. */
export function countBlocks(cluster: Cluster, { firstSlot, lastSlot }: BlockRange): Counts {
  const counts: Counts = {};
  for (const { turns } of cluster.validators)
    for (let epoch = epochOf(cluster, firstSlot); epoch <= epochOf(cluster, lastSlot); epoch++) {
      const turn = turns.get(epoch);
      if (turn === undefined) continue;
      const hasBegun =
        turn.firstBlock <= lastSlot || lastSlot >= (epoch + 1) * cluster.slotsInEpoch - 1;
      if (!hasBegun) continue;
      const [slots, blocks] = counts[turn.identity] ?? [0, 0];
      counts[turn.identity] = [slots + turn.leaderSlots, blocks + turn.blocks];
    }
  return counts;
}
