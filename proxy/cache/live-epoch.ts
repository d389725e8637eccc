import type { Epoch, EpochReading } from "../../generator/contract/epoch.ts";
import { NETWORKS, type Network } from "../../generator/contract/networks.ts";
import { readLiveEpoch, type EpochInfo } from "../../generator/rpc/epoch.ts";
import { createRpc, type Rpc } from "../../generator/rpc/rpc.ts";
import { upstreamUnavailable } from "../http/errors.ts";
import type { Reading } from "./answer.ts";
import { createRevalidated, createTrouble, PATIENCE_MILLISECONDS, toAgeSeconds, withDeadline } from "./revalidate.ts";
import type { Snapshots } from "./snapshots.ts";
import type { Context } from "./store.ts";

/** Least time between two readings of a cluster, failed ones too: how long the answer may be cached. */
export const LIVE_MILLISECONDS = 30_000;
/** Nobody waits longer for a cluster: the estimate is off by a few slots only. */
export const LIVE_DEADLINE_MILLISECONDS = 4_000;

export type ReadEpoch = (network: Network) => Promise<EpochInfo>;

export function createClusters(rpcUrls: Record<Network, string[]>, now: () => number) {
  const clients = NETWORKS.map((network) => [network, createRpc({ endpoints: rpcUrls[network], now })] as const);
  const byNetwork = Object.fromEntries(clients) as Record<Network, Rpc>;
  return {
    readEpoch: (network: Network) =>
      readLiveEpoch({ rpc: byNetwork[network], deadline: now() + LIVE_DEADLINE_MILLISECONDS }),
    close: () => Promise.all(clients.map(([, rpc]) => rpc.close())),
  };
}

/** Stale unless live; its age is that of the reading it comes from. */
export type GetLiveEpoch = (network: Network) => Promise<Reading<Epoch>>;

/**
 * Reads the epoch at most every 30 s, and extrapolates from the newest reading in between, at most to the epoch's end. Nobody waits
 * for a cluster that failed last time, unless there is nothing to extrapolate from.
 */
export function createLiveEpoch(context: Context, snapshots: Snapshots, readEpoch: ReadEpoch): GetLiveEpoch {
  const entries = NETWORKS.map((network) => [network, watchEpoch(network, context, snapshots, readEpoch)] as const);
  const watched = Object.fromEntries(entries) as Record<Network, () => Promise<Reading<Epoch>>>;
  return (network) => watched[network]();
}

function watchEpoch(network: Network, { now, log }: Context, snapshots: Snapshots, readEpoch: ReadEpoch) {
  /** The cluster's last answer, however old. Its slot time is added from the snapshot when it is shown. */
  let newest: EpochReading | null = null;
  let isPublished = false;
  let hasFailed = false;

  /** null: no snapshot, or the store is slow. */
  async function getPublished(): Promise<EpochReading | null> {
    try {
      const { epoch } = (await withDeadline(snapshots.get(network), PATIENCE_MILLISECONDS)).value.index;
      isPublished ||= epoch !== null;
      return epoch;
    } catch {
      return null;
    }
  }

  async function read(): Promise<EpochReading> {
    const info = await withDeadline(readEpoch(network), LIVE_DEADLINE_MILLISECONDS);
    const published = await getPublished();
    const earlier = toNewer(newest, published);
    const slotMilliseconds = published?.slotMilliseconds ?? null;
    if (earlier !== null) assertPlausible(info, { ...earlier, slotMilliseconds }, now());
    newest = { ...info, observedAt: new Date(now()).toISOString(), slotMilliseconds: null };
    return newest;
  }

  const readHeld = createRevalidated<EpochReading>({
    async load() {
      try {
        const reading = await read();
        hasFailed = false;
        return reading;
      } catch (error) {
        hasFailed = true;
        throw error;
      }
    },
    now,
    trouble: createTrouble(`the epoch of ${network}`, () => newest !== null || isPublished, now, log),
    freshMilliseconds: LIVE_MILLISECONDS,
    overdueMilliseconds: LIVE_MILLISECONDS,
    toRetryDelay: () => LIVE_MILLISECONDS,
  });

  return async (): Promise<Reading<Epoch>> => {
    const isPatient = !hasFailed;
    const reading = readHeld();
    reading.catch(() => undefined);
    const published = await getPublished();
    const hasOther = newest !== null || published !== null;
    const patience = hasOther ? PATIENCE_MILLISECONDS : 2 * LIVE_DEADLINE_MILLISECONDS;
    const live = hasOther && !isPatient ? null : await withDeadline(reading, patience).catch(() => null);
    const slotMilliseconds = published?.slotMilliseconds ?? null;
    if (live?.stale === false) return toReading({ ...live.value, slotMilliseconds }, now(), true);
    const known = toNewer(newest, published);
    if (known === null) throw upstreamUnavailable(`The cluster ${network} does not answer`, LIVE_MILLISECONDS / 1_000);
    return toReading({ ...known, slotMilliseconds }, now(), false);
  };
}

function toReading(reading: EpochReading, now: number, live: boolean): Reading<Epoch> {
  const observedAt = Date.parse(reading.observedAt);
  const value = estimateEpoch({ reading, now: live ? observedAt : now, live });
  return { value, stale: !live, ageSeconds: toAgeSeconds(now - observedAt), freshUntil: 0 };
}

function toNewer(one: EpochReading | null, other: EpochReading | null): EpochReading | null {
  if (one === null || other === null) return one ?? other;
  return Date.parse(one.observedAt) >= Date.parse(other.observedAt) ? one : other;
}

/** Extrapolates by the measured slot time, at most to the epoch's last slot: only the cluster knows when the next one began. */
export function estimateEpoch(options: { reading: EpochReading; now: number; live: boolean }): Epoch {
  const { reading, now, live } = options;
  const { epoch, slotsInEpoch, slotMilliseconds } = reading;
  const elapsedSlots = Math.min(countElapsedSlots(reading, now), slotsInEpoch - 1 - reading.slotIndex);
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

/** After this time we believe a cluster that restarted from an older slot, as the generator does. */
const EPOCH_DOUBT_MILLISECONDS = 600_000;

/** A finalized slot never goes back or leaps by an epoch: such a node is behind, or of another cluster. @throws {Error} */
function assertPlausible(info: EpochInfo, earlier: EpochReading, now: number): void {
  const age = now - Date.parse(earlier.observedAt);
  if (age < 0 || age >= EPOCH_DOUBT_MILLISECONDS) return;
  if (info.absoluteSlot < earlier.absoluteSlot)
    throw new Error(`the cluster is at slot ${info.absoluteSlot}, but was at ${earlier.absoluteSlot} before`);
  if (earlier.slotMilliseconds === null) return;
  const expected = earlier.absoluteSlot + countElapsedSlots(earlier, now);
  if (info.absoluteSlot - expected > info.slotsInEpoch)
    throw new Error(`the cluster is at slot ${info.absoluteSlot}, an epoch before the ${expected} to be expected`);
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
