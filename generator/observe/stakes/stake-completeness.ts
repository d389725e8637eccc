import { RpcError } from "../../rpc/error.ts";
import type { StakeSums } from "./stake-sums.ts";

/**
 * How far the stake found may lie from the stake expected. The sums take each delegation's change for whole, and so does
 * the cluster while at most 9 % of its stake asks to come or to go in an epoch (the rate of warm-up and cool-down since
 * mainnet's epoch 565): an honest scan differs by what exceeds that. An indexer that lost accounts, or counts some twice,
 * is off for good.
 */
const TOLERANCE_PERCENT = 10n;

const LAMPORTS_PER_SOL = 1_000_000_000n;

/**
 * Holds the effective stake found against what the vote accounts say is delegated to them: a closed bracket shows that an
 * answer was not cut on its way, not that the node had all accounts.
 * @param expected Σ activatedStake of the vote accounts, in lamports
 * @throws {RpcError} `shape`, with both figures
 */
export function assertCompleteStake(sums: StakeSums, { expected, label }: { expected: bigint; label: string }): void {
  const found = sums.effective.reduce((sum, stake) => sum + stake, 0n);
  const difference = found > expected ? found - expected : expected - found;
  if (difference * 100n <= expected * TOLERANCE_PERCENT) return;
  const [has, should] = [found, expected].map((lamports) => lamports / LAMPORTS_PER_SOL);
  throw new RpcError({ kind: "shape", message: `${label}: found ${has} of ${should} SOL of active stake` });
}
