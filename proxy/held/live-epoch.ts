import type { Epoch, EpochReading } from "../../generator/contract/epoch.ts";
import { NETWORKS, type Network } from "../../generator/contract/networks.ts";
import { estimateEpoch, type EpochInfo } from "../../generator/rpc/epoch.ts";
import type { Reading } from "../answers/answer.ts";
import { upstreamUnavailable } from "../http/api-error.ts";
import { soonest, withDeadline } from "./deadline.ts";
import { assertPlausible } from "./epoch-change.ts";
import { FRESH_MILLISECONDS, PATIENCE_MILLISECONDS } from "./held.ts";
import type { Log } from "../log/entry.ts";
import type { Snapshots } from "./snapshots.ts";
import { createTrouble } from "./trouble.ts";

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
  /**
   * Stale where it is not live, and as old as the reading that it comes from. Throws `upstream_unavailable` if neither the
   * cluster nor the last snapshot can tell.
   */
  get(network: Network): Promise<Reading<Epoch>>;
}

/**
 * The running epoch, read from the cluster at most every 30 s and never twice at a time. While the cluster does not answer
 * it is extrapolated from the newest reading known, to the end of its epoch at most, and read behind the answers: nobody waits
 * for a cluster that failed last time, and for another one only a moment, unless there is nothing to extrapolate from.
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
  const isHeld = () => newest !== null || isPublished;
  const trouble = createTrouble({ subject: `the epoch of ${network}`, isHeld, now, log });
  let failed = false;
  let triedAt = -Infinity;
  let running: Promise<void> | undefined;
  /** Over when the reading is, or when it was waited for long enough. */
  let patience: Promise<void> | undefined;

  async function read(): Promise<void> {
    triedAt = now();
    try {
      const info = await withDeadline(readEpoch(network), LIVE_DEADLINE_MILLISECONDS);
      const published = await getPublished();
      const earlier = toNewer(newest, published);
      const slotMilliseconds = published?.slotMilliseconds ?? null;
      if (earlier !== null) assertPlausible(info, { earlier: { ...earlier, slotMilliseconds }, now: now() });
      newest = { ...info, observedAt: new Date(now()).toISOString(), slotMilliseconds: null };
      failed = false;
      trouble.succeeded();
    } catch (error) {
      failed = true;
      trouble.failed(error);
    }
  }

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

  /** Until the reading under way has ended, or is not worth more waiting. */
  async function wait(published: EpochReading | null): Promise<void> {
    if (running === undefined) return;
    if (newest === null && published === null) await running;
    else if (!failed) await (patience ??= soonest(running, PATIENCE_MILLISECONDS));
  }

  return async (): Promise<Reading<Epoch>> => {
    const age = now() - triedAt;
    if (running === undefined && (age >= LIVE_MILLISECONDS || age < 0))
      // Not within the reading, which can fail before there is a promise of it.
      running = read().finally(() => (running = patience = undefined));
    const published = await getPublished();
    await wait(published);
    const slotMilliseconds = published?.slotMilliseconds ?? null;
    if (newest !== null && !failed && running === undefined)
      return toReading({ ...newest, slotMilliseconds }, { now: now(), live: true });
    const reading = toNewer(newest, published);
    if (reading === null) throw clusterSilent(network);
    return toReading({ ...reading, slotMilliseconds }, { now: now(), live: false });
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

function clusterSilent(network: Network) {
  return upstreamUnavailable(`The cluster ${network} does not answer`, LIVE_MILLISECONDS / 1000);
}
