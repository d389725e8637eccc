import type { Epoch, EpochReading } from "../../generator/contract/epoch.ts";
import type { Network } from "../../generator/contract/networks.ts";
import { readLiveEpoch, type EpochInfo } from "../../generator/rpc/epoch.ts";
import { createRpc } from "../../generator/rpc/rpc.ts";
import { upstreamUnavailable } from "../errors.ts";
import type { Cached } from "../answer.ts";
import {
  createRevalidated,
  createTrouble,
  PATIENCE_MILLISECONDS,
  toAgeSeconds,
  withDeadline,
} from "./revalidate.ts";
import { perNetwork, type Snapshots } from "./snapshots.ts";
import type { Context } from "./store.ts";

/**
 * Least time between two readings of a cluster, failed ones too: how long the answer may be cached.
 */
const LIVE_MILLISECONDS = 30_000;
/** Nobody waits longer for a cluster: the estimate is off by a few slots only. */
export const LIVE_DEADLINE_MILLISECONDS = 4_000;

export type ReadEpoch = (network: Network) => Promise<EpochInfo>;

export function createClusters(rpcUrls: Record<Network, string[]>, now: () => number) {
  const clients = perNetwork((network) => createRpc({ endpoints: rpcUrls[network], now }));
  return {
    readEpoch: (network: Network) =>
      readLiveEpoch({ rpc: clients[network], deadline: now() + LIVE_DEADLINE_MILLISECONDS }),
    close: () => Promise.all(Object.values(clients).map((rpc) => rpc.close())),
  };
}

/**
 * Extrapolates the epoch between two readings, and while the cluster
 * fails: stale then, and as old as the reading. Nobody waits for a cluster
 * that failed last time, unless there is nothing to extrapolate from.
 */
export function createLiveEpoch(context: Context, snapshots: Snapshots, readEpoch: ReadEpoch) {
  const watched = perNetwork((network) => watchEpoch(network, context, snapshots, readEpoch));
  return (network: Network) => watched[network]();
}

function watchEpoch(
  network: Network,
  { now, log }: Context,
  snapshots: Snapshots,
  readEpoch: ReadEpoch,
) {
  /**
   * The newest readings of the cluster and of the store,
   * however old. Only the store's has a slot time.
   */
  let answered: EpochReading | null = null;
  let published: EpochReading | null = null;
  let hasFailed = false;

  async function updatePublished(): Promise<void> {
    const snapshot = await withDeadline(snapshots.get(network), PATIENCE_MILLISECONDS).catch(
      () => null,
    );
    published = snapshot?.value.index.epoch ?? published;
  }
  const withSlotTime = (read: EpochReading) => ({
    ...read,
    slotMilliseconds: published?.slotMilliseconds ?? null,
  });

  async function load(): Promise<EpochReading> {
    const info = await withDeadline(readEpoch(network), LIVE_DEADLINE_MILLISECONDS);
    await updatePublished();
    const earlier = toNewer(answered, published);
    if (earlier !== null) assertPlausible(info, withSlotTime(earlier), now());
    hasFailed = false;
    answered = { ...info, observedAt: new Date(now()).toISOString(), slotMilliseconds: null };
    return answered;
  }

  const trouble = createTrouble(
    `the epoch of ${network}`,
    () => (answered ?? published) !== null,
    now,
    log,
  );
  const failed = (error: unknown) => {
    hasFailed = true;
    trouble.failed(error);
  };
  const read = createRevalidated<EpochReading>({
    load,
    now,
    trouble: { ...trouble, failed },
    freshMilliseconds: LIVE_MILLISECONDS,
    overdueMilliseconds: LIVE_MILLISECONDS,
    toRetryDelay: () => LIVE_MILLISECONDS,
  });

  return async (): Promise<Cached<Epoch>> => {
    const isPatient = !hasFailed;
    const reading = read();
    reading.catch(() => undefined);
    await updatePublished();
    const hasOther = (answered ?? published) !== null;
    const patience = hasOther ? PATIENCE_MILLISECONDS : 2 * LIVE_DEADLINE_MILLISECONDS;
    const live =
      hasOther && !isPatient ? null : await withDeadline(reading, patience).catch(() => null);
    if (live?.stale === false) return toCached(withSlotTime(live.value), now(), true);
    const known = toNewer(answered, published);
    if (known === null)
      throw upstreamUnavailable(
        `The cluster ${network} does not answer`,
        LIVE_MILLISECONDS / 1_000,
      );
    return toCached(withSlotTime(known), now(), false);
  };
}

function toCached(reading: EpochReading, now: number, live: boolean): Cached<Epoch> {
  const observedAt = Date.parse(reading.observedAt);
  const value = estimateEpoch({ reading, now: live ? observedAt : now, live });
  return { value, stale: !live, ageSeconds: toAgeSeconds(now - observedAt), freshUntil: 0 };
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
