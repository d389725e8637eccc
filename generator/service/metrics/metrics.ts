import { collectDefaultMetrics, Gauge, Registry } from "prom-client";
import type { Network } from "../../contract/networks.ts";
import { toPlainLine } from "../../contract/strangers-text.ts";
import type { Health } from "../../monitoring/metrics-server.ts";
import type { Instrument } from "../instrumentation.ts";
import { createActivity } from "./activity.ts";
import { createAlertWatch } from "./alerts.ts";
import { createLedgerGauges, type WatchedProjection } from "./ledger-gauges.ts";
import { createStoreWatch } from "./stores.ts";

/** No label holds foreign text. */
export interface Metrics {
  registry: Registry;
  instrument: Instrument;
  getHealth: () => Health;
}

interface MetricsOptions {
  now: () => number;
  /** Milliseconds, monotonic. */
  steadyNow: () => number;
}

/**
 * Largest age of the newest accepted observation, and of the last one in which enough witnesses
 * answered. A process that just began gets as long, because it may have to fold a long journal.
 */
export const HEALTHY_SECONDS = 300;

/** Largest age of the last publication; a status put alone is none. */
const HEALTHY_PUBLISHED_SECONDS = 480;

/** Milliseconds since 1970. */
interface Times {
  beganAt: number;
  acceptedAt: number | null;
  publishedAt: number | null;
  /** Why the last one was refused. */
  refusal: string | null;
}

/** A registry of its own with the metrics of all networks, Node's included. */
export function createMetrics({ now, steadyNow }: MetricsOptions): Metrics {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  const networks = new Map<Network, Times>();
  const projections = new Map<Network, WatchedProjection>();

  /** A context that is opened again keeps its times. */
  function timesOf(network: Network): Times {
    const known = networks.get(network) ?? {
      beganAt: now(),
      acceptedAt: null,
      publishedAt: null,
      refusal: null,
    };
    networks.set(network, known);
    return known;
  }

  /** The ledger is empty for a moment after a failed fold. */
  function findAcceptedAt(network: Network): number | null {
    const newest = projections.get(network)?.ledger().acceptance.newest;
    const times = timesOf(network);
    if (newest != null) times.acceptedAt = Date.parse(newest.time);
    return times.acceptedAt;
  }

  /** Since when too few witnesses answer to confirm a change, and why; null: enough do. */
  function findSilence(network: Network): { since: number | null; reason: string } | null {
    const witnesses = projections.get(network)?.ledger().sources.witnesses;
    if (witnesses === undefined || witnesses.reason === null) return null;
    const { lastSuccessAt, reason } = witnesses;
    return { since: lastSuccessAt === null ? null : Date.parse(lastSuccessAt), reason };
  }

  createAgeGauge(registry, {
    name: "rugwatch_observation_age_seconds",
    help:
      "Since the newest accepted observation, whoever made it; where there is none, since the " +
      "process began.",
    networks,
    toAge: (network, { beganAt }) => now() - (findAcceptedAt(network) ?? beganAt),
  });
  createAgeGauge(registry, {
    name: "rugwatch_publication_age_seconds",
    help:
      "Since this process published last all that it had folded; where it has not yet, since it " +
      "began.",
    networks,
    toAge: (_, { beganAt, publishedAt }) => now() - (publishedAt ?? beganAt),
  });
  createLedgerGauges(registry, { projections, now });
  const storeWatch = createStoreWatch(registry);
  const alertWatch = createAlertWatch(registry, now);
  const activity = createActivity({
    registry,
    steadyNow,
    onRefused: (network, reason) => void (timesOf(network).refusal = reason),
  });

  return {
    registry,
    instrument(network) {
      timesOf(network);
      const active = activity(network);
      return {
        ...active,
        ...alertWatch(network),
        onStoreOperation: storeWatch(network),
        onPublished: () => void (timesOf(network).publishedAt = now()),
        instrumentProjection(projection) {
          projections.set(network, projection);
          return active.instrumentProjection(projection);
        },
      };
    },
    getHealth() {
      const found = [...networks].map(([network, { beganAt, publishedAt, refusal }]) => {
        const acceptedAt = findAcceptedAt(network);
        const ageOf = (time: number | null) => (now() - Math.max(beganAt, time ?? 0)) / 1000;
        const isObserving = ageOf(acceptedAt) < HEALTHY_SECONDS;
        const isPublishing = ageOf(publishedAt) < HEALTHY_PUBLISHED_SECONDS;
        const silence = findSilence(network);
        const isConfirming = silence === null || ageOf(silence.since) < HEALTHY_SECONDS;
        const text = [
          describeAge({ now: now(), acceptedAt, refusal: isObserving ? null : refusal }),
          ...(isPublishing ? [] : [`published last: ${toAgo(now(), publishedAt)}`]),
          ...(isConfirming ? [] : [toPlainLine(silence.reason)]),
        ];
        return {
          isWell: isObserving && isPublishing && isConfirming,
          text: `${network}: ${text.join("; ")}`,
        };
      });
      return {
        isWell: found.every(({ isWell }) => isWell),
        text: found.map(({ text }) => text).join("\n"),
      };
    },
  };
}

function createAgeGauge(
  registry: Registry,
  options: {
    name: string;
    help: string;
    networks: ReadonlyMap<Network, Times>;
    toAge: (network: Network, times: Times) => number;
  },
): void {
  const { name, help, networks, toAge } = options;
  new Gauge({
    name,
    help,
    labelNames: ["network"],
    registers: [registry],
    collect() {
      for (const [network, times] of networks) this.set({ network }, toAge(network, times) / 1000);
    },
  });
}

function describeAge({
  now,
  acceptedAt,
  refusal,
}: { now: number } & Pick<Times, "acceptedAt" | "refusal">): string {
  return `observation accepted last: ${toAgo(now, acceptedAt)}${refusal === null ? "" : `; refused since: ${refusal}`}`;
}

function toAgo(now: number, time: number | null): string {
  return time === null ? "never" : `${Math.round((now - time) / 1000)} s ago`;
}
