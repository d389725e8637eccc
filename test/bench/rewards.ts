import { zstdCompressSync } from "node:zlib";
import { agreeOnPaid } from "../../generator/agree/paid.ts";
import { readLists } from "../../generator/agree/witness-lists.ts";
import type { SnapshotEntry } from "../../generator/entries/entry.ts";
import { createObserver } from "../../generator/observe/observation.ts";
import type { SnapshotRequest } from "../../generator/observe/snapshot.ts";
import { createCluster } from "../cluster/cluster.ts";
import { startSimulator } from "../cluster/simulator.ts";
import { sum, toMegabytes } from "./measuring.ts";
import { watchTraffic, type MethodTraffic } from "./endpoint-traffic.ts";
import { EPOCH_MILLISECONDS, PLANNED_CLUSTER } from "./planning-size.ts";

/** The scan is measured elsewhere; what rewards cost does not depend on its size. */
const STAKE_ACCOUNTS = 60_000;
const STARTS_AT = Date.UTC(2026, 10, 1);
const POSITION = 6.1;

/** Snapshots with and without the rewards of the epoch before. */
export async function bench(): Promise<string> {
  const cluster = createCluster({
    ...PLANNED_CLUSTER,
    ...{ stakeAccounts: STAKE_ACCOUNTS, startsAt: STARTS_AT },
  });
  const now = () => STARTS_AT + POSITION * EPOCH_MILLISECONDS;
  const simulator = await startSimulator({ clusters: [cluster], now });
  const endpoints = simulator.rpcUrls("mainnet");
  const observer = createObserver({
    ...{ network: "mainnet", endpoints, mevUrl: null, locations: null },
    ...{ genesis: cluster.genesisHash, now },
  });
  const traffic = watchTraffic();
  async function take(readRewards: boolean) {
    traffic.reset();
    const beganAt = performance.now();
    const observed = await observer.snapshot(toRequest(readRewards));
    if (!observed.passed) throw new Error(observed.reason);
    const seconds = (performance.now() - beganAt) / 1000;
    return { entry: observed.entry, seconds, traffic: traffic.read() };
  }
  try {
    // The first makes the answers.
    await take(true);
    const [without, withRewards] = [await take(false), await take(true)];
    const more = (part: "calls" | "bytes") =>
      (sumOf(withRewards.traffic, part) - sumOf(without.traffic, part)) / endpoints.length;
    const told =
      agreeOnPaid(withRewards.entry, readLists(withRewards.entry, null))?.validators ?? [];
    const known = told.filter(({ paid }) => typeof paid === "number");
    const journal = sizeOf(withRewards.entry) - sizeOf(without.entry);
    return [
      `${known.length} of ${told.length} validators measured`,
      `each witness ${more("calls")} calls and ${toMegabytes(more("bytes"))} MB once an epoch`,
      `the snapshot takes ${round(withRewards.seconds - without.seconds)} s longer, beside a simulator in the same process`,
      `the entry ${toMegabytes(journal)} MB larger, compressed`,
    ].join("; ");
  } finally {
    traffic.stop();
    await observer.close();
    await simulator.close();
  }
}

function toRequest(readRewards: boolean): SnapshotRequest {
  return {
    expected: [],
    sides: () => ({
      scanStakeAccounts: true,
      readIssuance: false,
      readRewards,
      onStakeRecords: null,
      ...{ tips: [], controls: [], closed: null, tipAmounts: [], priorityFees: [] },
    }),
  };
}

function sumOf(methods: readonly MethodTraffic[], part: "calls" | "bytes"): number {
  return sum(methods.map((method) => method[part]));
}

function sizeOf(entry: SnapshotEntry): number {
  const json = JSON.stringify(entry, (_, value: unknown) =>
    typeof value === "bigint" ? value.toString() : value,
  );
  return zstdCompressSync(json).byteLength;
}

function round(value: number): number {
  return Math.round(value * 100) / 100;
}
