import type { Epoch, EpochReading } from "../../generator/contract/epoch.ts";
import { NETWORKS, type Network } from "../../generator/contract/networks.ts";
import { estimateEpoch, type EpochInfo } from "../../generator/observe/epoch.ts";
import { upstreamUnavailable } from "../http/api-error.ts";
import type { Log } from "../operations/log.ts";
import { withDeadline } from "./objects.ts";
import type { Snapshots } from "./snapshots.ts";

/** Least time between two readings of one cluster, successful or not: what the answer may be cached for. */
export const LIVE_MILLISECONDS = 30_000;
/** A cluster slower than this is not waited for: the estimate is good to a few slots. */
export const LIVE_DEADLINE_MILLISECONDS = 4_000;

/** Reads the epoch from the cluster. Throws if no endpoint answers. */
export type ReadEpoch = (network: Network) => Promise<EpochInfo>;

interface LiveEpochOptions {
  readEpoch: ReadEpoch;
  snapshots: Snapshots;
  now: () => number;
  log: Log;
}

export interface LiveEpoch {
  /** Throws `upstream_unavailable` if neither the cluster nor the last snapshot can tell. */
  get(network: Network): Promise<Epoch>;
}

/**
 * The running epoch, read from the cluster at most every 30 s and never twice at a time. While the cluster does not answer
 * it is extrapolated from the newest reading known.
 */
export function createLiveEpoch(options: LiveEpochOptions): LiveEpoch {
  const networks = new Map(NETWORKS.map((network) => [network, watchEpoch(network, options)]));
  return {
    async get(network) {
      const epoch = await networks.get(network)?.();
      if (epoch === undefined) throw new Error(`no such network: ${network}`);
      return epoch;
    },
  };
}

function watchEpoch(network: Network, { readEpoch, snapshots, now, log }: LiveEpochOptions): () => Promise<Epoch> {
  /** What the cluster said last, ever. */
  let newest: EpochReading | null = null;
  let triedAt = -Infinity;
  /** The answer of the reading under way or done; null: the cluster did not answer. */
  let live: Promise<Epoch | null> = Promise.resolve(null);

  async function readLive(): Promise<Epoch | null> {
    const published = getPublished();
    try {
      const info = await withDeadline(readEpoch(network), LIVE_DEADLINE_MILLISECONDS);
      const readAt = now();
      const slotMilliseconds = (await published)?.slotMilliseconds ?? null;
      newest = { ...info, observedAt: new Date(readAt).toISOString(), slotMilliseconds };
      return estimateEpoch({ reading: newest, now: readAt, live: true });
    } catch (error) {
      log({ level: "warn", message: `cannot read the epoch of ${network}`, error });
      return null;
    }
  }

  /** The reading of the last snapshot; null: there is none, or the store does not answer. */
  async function getPublished(): Promise<EpochReading | null> {
    try {
      return (await snapshots.get(network)).value.index.epoch;
    } catch (error) {
      log({ level: "warn", message: `no snapshot of ${network} to estimate its epoch from`, error });
      return null;
    }
  }

  return async () => {
    if (now() - triedAt >= LIVE_MILLISECONDS) {
      triedAt = now();
      live = readLive();
    }
    const epoch = await live;
    if (epoch !== null) return epoch;
    const reading = toNewer(newest, await getPublished());
    if (reading === null) throw clusterSilent(network);
    return estimateEpoch({ reading, now: now() });
  };
}

function toNewer(one: EpochReading | null, other: EpochReading | null): EpochReading | null {
  if (one === null || other === null) return one ?? other;
  return Date.parse(one.observedAt) > Date.parse(other.observedAt) ? one : other;
}

function clusterSilent(network: Network) {
  return upstreamUnavailable(`The cluster ${network} does not answer.`, LIVE_MILLISECONDS / 1000);
}
