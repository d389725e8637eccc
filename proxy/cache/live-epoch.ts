import type { Epoch, EpochReading } from "../../generator/contract/epoch.ts";
import { NETWORKS, type Network } from "../../generator/contract/networks.ts";
import { readLiveEpoch, type EpochInfo } from "../../generator/rpc/epoch.ts";
import { createRpc } from "../../generator/rpc/rpc.ts";
import { withDeadline } from "../deadline.ts";
import { ApiError, upstreamUnavailable } from "../errors.ts";
import { createCache, toAgeSeconds, type Cached } from "./cache.ts";
import type { Snapshots } from "./snapshots.ts";
import type { Context } from "./store.ts";

/**
 * Least time between two readings of a cluster, failed ones too: how long the answer may be cached.
 */
const LIVE_MILLISECONDS = 30_000;
/** A cluster that has not answered then has failed. */
export const LIVE_DEADLINE_MILLISECONDS = 4_000;
/** For the store, which adds the slot time only, or for the cluster: an estimate is off by slots. */
export const PATIENCE_MILLISECONDS = 1_000;

/** Asks a cluster for its epoch. Rejects if it does not answer in time. */
type ReadEpoch = (network: Network) => Promise<EpochInfo>;

/** The clusters that the proxy asks. */
export interface Clusters {
  watched: readonly Network[];
  readEpoch: ReadEpoch;
}

/**
 * Makes the clients of the clusters.
 * @param rpcUrls empty: nobody watches that cluster
 * @param now milliseconds since 1970
 */
export function createClusters(rpcUrls: Record<Network, string[]>, now: () => number) {
  const clients = Object.fromEntries(
    NETWORKS.map((network) => [network, createRpc({ endpoints: rpcUrls[network], now })]),
  ) as Record<Network, ReturnType<typeof createRpc>>;
  return {
    watched: NETWORKS.filter((network) => rpcUrls[network].length > 0),
    readEpoch: (network: Network) =>
      readLiveEpoch({ rpc: clients[network], deadline: now() + LIVE_DEADLINE_MILLISECONDS }),
    close: () => Promise.all(Object.values(clients).map((rpc) => rpc.close())),
  };
}

/**
 * @throws {ApiError} if neither cluster nor store has the epoch: `not_found` if nobody watches the
 * cluster, else `upstream_unavailable`
 */
export type LiveEpoch = (network: Network) => Promise<Cached<Epoch>>;

/**
 * Extrapolates the epoch from the newest reading of the cluster, or
 * of the store while the cluster fails: stale then, and as old as it.
 */
export function createLiveEpoch(
  context: Context,
  snapshots: Snapshots,
  { watched, readEpoch }: Clusters,
): LiveEpoch {
  const { now, readsBehind = true } = context;
  const cache = createCache<EpochReading, Network>({
    ...context,
    describe: (network) => `the epoch of ${network}`,
    bound: { max: NETWORKS.length },
    freshMilliseconds: LIVE_MILLISECONDS,
    overdueMilliseconds: LIVE_MILLISECONDS,
    retryMilliseconds: LIVE_MILLISECONDS,
    async load(_, cached, network) {
      const info = await withDeadline(readEpoch(network), LIVE_DEADLINE_MILLISECONDS);
      const published = await readPublished(network);
      const earlier = toNewer(cached ?? null, published);
      if (earlier !== null) assertPlausible(info, withSlotTime(earlier, published), now());
      return { ...info, observedAt: new Date(now()).toISOString(), slotMilliseconds: null };
    },
  });

  async function readPublished(network: Network): Promise<EpochReading | null> {
    const snapshot = await withDeadline(snapshots.get(network), PATIENCE_MILLISECONDS).catch(
      () => null,
    );
    return snapshot?.value.index.epoch ?? null;
  }

  return async (network) => {
    const isWatched = watched.includes(network);
    const answer = isWatched ? cache.get(network, network) : Promise.resolve(null);
    answer.catch(() => undefined);
    const published = await readPublished(network);
    // Nobody waits long for a cluster where the store tells, too.
    const isBrief = published !== null && readsBehind;
    const patience = isBrief ? PATIENCE_MILLISECONDS : LIVE_MILLISECONDS;
    const answered = await withDeadline(answer, patience).catch(() => null);
    const isLive = answered?.stale === false;
    const reading = isLive ? answered.value : toNewer(answered?.value ?? null, published);
    if (reading !== null) return toCached(withSlotTime(reading, published), now(), isLive);
    if (!isWatched) throw new ApiError("not_found", `Nobody watches ${network} here.`);
    throw upstreamUnavailable(`The cluster ${network} does not answer`, LIVE_MILLISECONDS / 1_000);
  };
}

/** Only the store measures it. */
function withSlotTime(reading: EpochReading, published: EpochReading | null): EpochReading {
  return { ...reading, slotMilliseconds: published?.slotMilliseconds ?? null };
}

function toCached(reading: EpochReading, now: number, live: boolean): Cached<Epoch> {
  const observedAt = Date.parse(reading.observedAt);
  const value = estimateEpoch({ reading, now: live ? observedAt : now, live });
  return { value, stale: !live, ageSeconds: toAgeSeconds(now - observedAt) };
}

function toNewer(one: EpochReading | null, other: EpochReading | null): EpochReading | null {
  if (one === null || other === null) return one ?? other;
  return Date.parse(one.observedAt) >= Date.parse(other.observedAt) ? one : other;
}

/**
 * Extrapolates by the measured slot time, at most to the epoch's
 * last slot: only the cluster knows when the next one began.
 */
export function estimateEpoch({
  reading,
  now,
  live,
}: {
  reading: EpochReading;
  now: number;
  live: boolean;
}): Epoch {
  const { epoch, slotsInEpoch, slotMilliseconds } = reading;
  const elapsedSlots = Math.min(
    countElapsedSlots(reading, now),
    slotsInEpoch - 1 - reading.slotIndex,
  );
  const slotIndex = reading.slotIndex + elapsedSlots;
  const observedAt = Date.parse(reading.observedAt);
  return {
    epoch,
    slotIndex,
    slotsInEpoch,
    absoluteSlot: reading.absoluteSlot + elapsedSlots,
    progressPercent: Math.round((slotIndex * 10_000) / slotsInEpoch) / 100,
    epochStartedAt: toTime(observedAt, -reading.slotIndex, slotMilliseconds),
    epochEndsAt: toTime(observedAt, slotsInEpoch - reading.slotIndex, slotMilliseconds),
    live,
  };
}

/**
 * After this time we believe a cluster that restarted from an older slot, as the generator does.
 */
const EPOCH_DOUBT_MILLISECONDS = 600_000;

/**
 * A finalized slot never goes back or leaps by an
 * epoch: such a node is behind, or of another cluster.
 * @throws {Error}
 */
function assertPlausible(info: EpochInfo, earlier: EpochReading, now: number): void {
  const age = now - Date.parse(earlier.observedAt);
  if (age < 0 || age >= EPOCH_DOUBT_MILLISECONDS) return;
  if (info.absoluteSlot < earlier.absoluteSlot)
    throw new Error(
      `the cluster is at slot ${info.absoluteSlot}, but was at ${earlier.absoluteSlot} before`,
    );
  if (earlier.slotMilliseconds === null) return;
  const expected = earlier.absoluteSlot + countElapsedSlots(earlier, now);
  if (info.absoluteSlot - expected > info.slotsInEpoch)
    throw new Error(
      `the cluster is at slot ${info.absoluteSlot}, an epoch before the ${expected} to be expected`,
    );
}

function countElapsedSlots({ observedAt, slotMilliseconds }: EpochReading, now: number): number {
  if (slotMilliseconds === null) return 0;
  return Math.floor(Math.max(now - Date.parse(observedAt), 0) / slotMilliseconds);
}

function toTime(instant: number, slots: number, slotMilliseconds: number | null): string | null {
  if (slotMilliseconds === null) return null;
  const date = new Date(Math.round(instant + slots * slotMilliseconds));
  return Number.isNaN(date.getTime()) ? null : date.toISOString();
}
