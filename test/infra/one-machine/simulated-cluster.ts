import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createCluster } from "../../../infra/demo/cluster/cluster.ts";
import { writeGeoDatabases } from "../../../infra/demo/cluster/chain/geo-databases.ts";
import { startSimulator } from "../../../infra/demo/cluster/simulator.ts";

// A process of its own: a simulated mainnet whose story is told by the clock of the world, in short epochs, so that a rug is never
// far. Its first line tells the settings that a generator and a proxy watch it with. It ends when whoever started it lets go of
// its standard input.

const VALIDATORS = 60;
const EPOCH_MILLISECONDS = 8 * 60_000;
/** Epochs told before the first observation. */
const PAST_EPOCHS = 5.1;

const cluster = createCluster({
  network: "mainnet",
  seed: 1,
  validators: VALIDATORS,
  stakeAccounts: VALIDATORS * 10,
  startsAt: Math.floor(Date.now() - PAST_EPOCHS * EPOCH_MILLISECONDS),
  firstEpoch: 1060,
  epochMilliseconds: EPOCH_MILLISECONDS,
  slotsPerEpoch: 4_096,
});
const simulator = await startSimulator({ clusters: [cluster], now: () => Date.now() });
const directory = await mkdtemp(join(tmpdir(), "rugwatch-geo-"));
const geo = await writeGeoDatabases(directory);

const nowhere = "http://127.0.0.1:9";
const variables: Record<string, string> = {
  MAINNET_RPC_URLS: simulator.rpcUrls("mainnet").join(","),
  TESTNET_RPC_URLS: nowhere,
  ALPENGLOW_RPC_URLS: nowhere,
  MAINNET_MEV_URL: simulator.mevUrl("mainnet") ?? "none",
  TESTNET_MEV_URL: "none",
  GEO_CITY_MMDB: geo.city,
  GEO_ASN_MMDB: geo.asn,
};
process.stdout.write(`${JSON.stringify(variables)}\n`);
process.stdin.resume().once("end", () => {
  void rm(directory, { recursive: true }).finally(() => process.exit());
});
