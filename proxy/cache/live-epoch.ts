import type { Epoch, EpochReading } from "../../generator/contract/epoch.ts";
import { NETWORKS, type Network } from "../../generator/contract/networks.ts";
import { readLiveEpoch, type EpochInfo } from "../../generator/rpc/epoch.ts";
import { createRpc } from "../../generator/rpc/rpc.ts";
import { upstreamUnavailable } from "../http/api-error.ts";
import type { Log } from "../operations/log.ts";
import type { Reading } from "./answer.ts";
import { assertPlausible, estimateEpoch } from "./epoch-estimate.ts";
import {
  createRevalidated,
  createTrouble,
  FRESH_MILLISECONDS,
  PATIENCE_MILLISECONDS,
  withDeadline,
} from "./revalidate.ts";
import type { Snapshots } from "./snapshots.ts";

/** Least time between two readings of one cluster, successful or not: what the answer may be cached for. */
export const LIVE_MILLISECONDS = 30_000;
/** A cluster slower than this is not waited for: the estimate is good to a few slots. */
export const LIVE_DEADLINE_MILLISECONDS = 4_000;

/** Reads the epoch from the cluster. Throws if no endpoint answers. */
export type ReadEpoch = (network: Network) => Promise<EpochInfo>;

/** The clusters, asked for their epoch. */
export interface Clusters {
  readEpoch: ReadEpoch;
  close(): Promise<void>;
}

/** @param rpcUrls JSON-RPC endpoints, preferred first; none is connected to before it is asked */
export function createClusters({ rpcUrls, now }: { rpcUrls: Record<Network, string[]>; now: () => number }): Clusters {
  const clients = new Map(NETWORKS.map((network) => [network, createRpc({ endpoints: rpcUrls[network], now })]));
  return {
    async readEpoch(network) {
      const rpc = clients.get(network);
      if (rpc === undefined) throw new Error(`no such network: ${network}`);
      return readLiveEpoch({ rpc, deadline: now() + LIVE_DEADLINE_MILLISECONDS });
    },
    async close() {
      await Promise.all(clients.values().map((rpc) => rpc.close()));
    },
  };
}

interface LiveEpochOptions {
  readEpoch: ReadEpoch;
  snapshots: Snapshots;
  now: () => number;
  log: Log;
}

export interface LiveEpoch {
  /**
   * Stale where it is not live, and as old as the reading that it comes from. Throws `upstream_unavailable` if neither the
   * cluster nor the last snapshot can tell.
   */
  get(network: Network): Promise<Reading<Epoch>>;
}

/**
 * The running epoch, read from the cluster at most every 30 s and never twice at a time. While the cluster does not answer
 * it is extrapolated from the newest reading known, to the end of its epoch at most. Nobody waits for a cluster that failed
 * last time, and for another one only a moment, unless there is nothing to extrapolate from.
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

function watchEpoch(network: Network, { readEpoch, snapshots, now, log }: LiveEpochOptions) {
  /** What the cluster said last, ever; its slot time is that of the snapshot, put in when it is shown. */
  let newest: EpochReading | null = null;
  /** Whether a snapshot ever told the epoch. */
  let isPublished = false;
  let hasFailed = false;
  const trouble = createTrouble({
    subject: `the epoch of ${network}`,
    isHeld: () => newest !== null || isPublished,
    now,
    log,
  });

  const held = createRevalidated<EpochReading>({
    now,
    freshMilliseconds: LIVE_MILLISECONDS,
    overdueMilliseconds: LIVE_MILLISECONDS,
    retryMilliseconds: [LIVE_MILLISECONDS],
    random: () => 0,
    trouble: {
      failed(error) {
        hasFailed = true;
        trouble.failed(error);
      },
      succeeded() {
        hasFailed = false;
        trouble.succeeded();
      },
    },
    async load() {
      const info = await withDeadline(readEpoch(network), LIVE_DEADLINE_MILLISECONDS);
      const published = await getPublished();
      const earlier = toNewer(newest, published);
      const slotMilliseconds = published?.slotMilliseconds ?? null;
      if (earlier !== null) assertPlausible(info, { earlier: { ...earlier, slotMilliseconds }, now: now() });
      newest = { ...info, observedAt: new Date(now()).toISOString(), slotMilliseconds: null };
      return newest;
    },
  });

  /** The reading of the last snapshot; null: there is none, or the store does not answer soon. snapshots.ts tells the log. */
  async function getPublished(): Promise<EpochReading | null> {
    try {
      const { epoch } = (await withDeadline(snapshots.get(network), PATIENCE_MILLISECONDS)).value.index;
      isPublished ||= epoch !== null;
      return epoch;
    } catch {
      return null;
    }
  }

  return async (): Promise<Reading<Epoch>> => {
    const isPatient = !hasFailed;
    const reading = held.get();
    reading.catch(() => undefined);
    const published = await getPublished();
    const hasOther = newest !== null || published !== null;
    const patience = hasOther ? PATIENCE_MILLISECONDS : 2 * LIVE_DEADLINE_MILLISECONDS;
    const live = hasOther && !isPatient ? null : await withDeadline(reading, patience).catch(() => null);
    const slotMilliseconds = published?.slotMilliseconds ?? null;
    if (live?.stale === false) return toReading({ ...live.value, slotMilliseconds }, { now: now(), live: true });
    const known = toNewer(newest, published);
    if (known === null) throw upstreamUnavailable(`The cluster ${network} does not answer`, LIVE_MILLISECONDS / 1_000);
    return toReading({ ...known, slotMilliseconds }, { now: now(), live: false });
  };
}

function toReading(reading: EpochReading, { now, live }: { now: number; live: boolean }): Reading<Epoch> {
  const observedAt = Date.parse(reading.observedAt);
  const age = Math.max(0, now - observedAt);
  return {
    // A live one as it was read: it is carried on only where the cluster does not answer.
    value: estimateEpoch({ reading, now: live ? observedAt : now, live }),
    stale: !live,
    ageSeconds: age < FRESH_MILLISECONDS ? 0 : Math.floor(age / 1_000),
    freshUntil: 0,
  };
}

function toNewer(one: EpochReading | null, other: EpochReading | null): EpochReading | null {
  if (one === null || other === null) return one ?? other;
  return Date.parse(one.observedAt) >= Date.parse(other.observedAt) ? one : other;
}
