import { describe, expect, it } from "vitest";
import { createCluster, type Cluster } from "../../../infra/demo/cluster/cluster.ts";
import type { ClusterOptions } from "../../../infra/demo/cluster/options.ts";
import { startSimulator } from "../../../infra/demo/cluster/simulator.ts";
import { readEpochInfo } from "../../../generator/rpc/epoch.ts";
import { createRpc } from "../../../generator/rpc/rpc.ts";
import { readStakeAccounts } from "../../../generator/observe/stakes/stake-accounts.ts";
import type { StakeRow } from "../../../generator/observe/stakes/stake-sums.ts";
import { readVoteAccounts } from "../../../generator/observe/vote-accounts.ts";

const STARTS_AT = Date.UTC(2026, 9, 1);
const EPOCH_MILLISECONDS = 2 * 3_600_000;
const TIME = STARTS_AT + 1.2 * EPOCH_MILLISECONDS;

function createSmallCluster(refusedStakeScans: ClusterOptions["refusedStakeScans"]): Cluster {
  return createCluster({
    network: "testnet",
    seed: 3,
    validators: 60,
    // More than one full page.
    stakeAccounts: 11_000,
    startsAt: STARTS_AT,
    firstEpoch: 1060,
    epochMilliseconds: EPOCH_MILLISECONDS,
    slotsPerEpoch: EPOCH_MILLISECONDS / 200,
    refusedStakeScans,
  });
}

/** The stake accounts of a cluster that refuses some ways to them. */
async function scan(refused: ClusterOptions["refusedStakeScans"]): Promise<StakeRow[]> {
  const simulator = await startSimulator({ clusters: [createSmallCluster(refused)], now: () => TIME });
  const rpc = createRpc({ endpoints: simulator.rpcUrls("testnet"), now: () => performance.now() });
  const readers = rpc.endpoints.map((endpoint) => endpoint.until(performance.now() + 60_000));
  try {
    const [{ rows }, { epoch }] = await Promise.all([readVoteAccounts(readers[0]!), readEpochInfo(readers[0]!)]);
    return await readStakeAccounts(readers, { rows, epoch });
  } finally {
    await rpc.close();
    await simulator.close();
  }
}

describe("the stake accounts of a simulated cluster", () => {
  it("are the same in every way they can be read", async () => {
    const whole = await scan([]);
    expect(whole.reduce((sum, [, , , count]) => sum + count, 0)).toBeGreaterThan(10_000);
    expect(whole.some(([, activating, deactivating]) => activating > 0n && deactivating > 0n)).toBe(true);
    await expect(scan(["whole"])).resolves.toEqual(whole);
    await expect(scan(["whole", "by page"])).resolves.toEqual(whole);
  });

  it("are not there, for reasons told, when every way is refused", async () => {
    await expect(scan(["whole", "by page", "by voter"])).rejects.toMatchObject({
      kind: "refused",
      message: /^whole: .*410.*; by page: .*-32601.*; by voter: .*-32010/,
    });
  });
});
