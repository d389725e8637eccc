import { STAKE_HISTORY_MAX, type RewardsAnswer } from "../../entries/rewards.ts";
import type { Account } from "../accounts.ts";

/** Holds the last distribution of rewards. */
export const EPOCH_REWARDS_SYSVAR = "SysvarEpochRewards1111111111111111111111111";
/** Holds the cluster's stake of past epochs. */
export const STAKE_HISTORY_SYSVAR = "SysvarStakeHistory1111111111111111111111111";

const SYSVAR_OWNER = "Sysvar1111111111111111111111111111111111111";

/** Starting block height and number of partitions, u64 each, and a block hash lie before. */
const TOTAL_POINTS_OFFSET = 48;
const TOTAL_REWARDS_OFFSET = 64;
const ACTIVE_OFFSET = 80;

const HISTORY_OFFSET = 8;
/** Epoch, effective, activating, deactivating: u64 each. */
const HISTORY_ROW_BYTES = 32;

/** Bytes of either account that are read. */
export const SYSVAR_BYTES = HISTORY_OFFSET + STAKE_HISTORY_MAX * HISTORY_ROW_BYTES;

interface EpochRewards extends Pick<RewardsAnswer, "totalPoints" | "totalRewards"> {
  /** Rewards are still being paid. */
  isActive: boolean;
}

/** null: no such account, or another layout. */
export function decodeEpochRewards(account: Account | null): EpochRewards | null {
  const view = viewOf(account);
  if (view === null || view.byteLength <= ACTIVE_OFFSET) return null;
  return {
    totalPoints:
      view.getBigUint64(TOTAL_POINTS_OFFSET, true) |
      (view.getBigUint64(TOTAL_POINTS_OFFSET + 8, true) << 64n),
    totalRewards: view.getBigUint64(TOTAL_REWARDS_OFFSET, true),
    isActive: view.getUint8(ACTIVE_OFFSET) !== 0,
  };
}

/** Newest first; null: no such account, or another layout. */
export function decodeStakeHistory(account: Account | null): RewardsAnswer["stakeHistory"] | null {
  const view = viewOf(account);
  if (view === null || view.byteLength < HISTORY_OFFSET) return null;
  const count = Number(view.getBigUint64(0, true));
  const readable = Math.floor((view.byteLength - HISTORY_OFFSET) / HISTORY_ROW_BYTES);
  const length = Math.min(count, readable, STAKE_HISTORY_MAX);
  const rows = Array.from({ length }, (_, row): RewardsAnswer["stakeHistory"][number] => {
    const at = HISTORY_OFFSET + row * HISTORY_ROW_BYTES;
    return [
      Number(view.getBigUint64(at, true)),
      view.getBigUint64(at + 8, true),
      view.getBigUint64(at + 16, true),
    ];
  });
  return rows.every(([epoch]) => Number.isSafeInteger(epoch)) ? rows : null;
}

function viewOf(account: Account | null): DataView | null {
  if (account?.owner !== SYSVAR_OWNER) return null;
  const { buffer, byteOffset, byteLength } = account.data;
  return new DataView(buffer, byteOffset, byteLength);
}
