import {
  deriveDistributionAddress,
  TIP_PROGRAMS,
} from "../../../generator/observe/mev/distribution-accounts.ts";
import { distributionAccount } from "../../observe/mev/distribution-account.ts";
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

/** Of a validator that made a block in the epoch by this slot; null: no account. */
export function tipAccountAt(
  cluster: Cluster,
  { validator, epoch }: TipAddress,
  slot: number,
): { share: number } | null {
  const share = shareIn(cluster, validator, epoch);
  const turn = validator.turns.get(epoch);
  return share !== null && turn !== undefined && turn.firstBlock <= slot ? { share } : null;
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
    if (PROGRAM === null) return null;
    for (let epoch = running - EPOCHS_ASKED; epoch <= running + 1; epoch++) {
      if (derived.has(epoch)) continue;
      derived.add(epoch);
      for (const validator of validators)
        known.set(deriveDistributionAddress({ program: PROGRAM, vote: validator.vote, epoch }), {
          validator,
          epoch,
        });
    }
    return known.get(address) ?? null;
  };
}

export function writeTipAccount(vote: string, share: number) {
  return {
    ...distributionAccount({ vote, basisPoints: share, owner: PROGRAM?.address ?? "" }),
    executable: false,
  };
}

export type Counts = Record<string, [leaderSlots: number, blocks: number]>;

/** By identity; the whole turn of an epoch counts where its first block does. */
export function countBlocks(
  cluster: Cluster,
  { firstSlot, lastSlot }: { firstSlot: number; lastSlot: number },
): Counts {
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
