import type { Network } from "../../contract/networks.ts";

/** First epoch with fractions of a percent (SIMD-0291), in a cluster's first series. */
const BASIS_POINTS_SINCE: Record<Network, number> = { mainnet: 1003, testnet: 977, alpenglow: 0 };

/** Whether all rates of an epoch were whole percents. */
export function isWholePercent(
  { network, series }: { network: Network; series: number },
  epoch: number,
): boolean {
  return series === 1 && epoch < BASIS_POINTS_SINCE[network];
}
