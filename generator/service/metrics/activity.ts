import { originOf } from "../../contract/origin.ts";
import { Counter, Gauge, Histogram, type Registry } from "prom-client";
import { WITNESSES_MAX, witnessesNeeded } from "../../contract/panel.ts";
import { toPlainLine } from "../../contract/strangers-text.ts";
import type { Observed, Observer } from "../../observe/observation.ts";
import type { Network } from "../../contract/networks.ts";
import type { NetworkInstrumentation } from "../instrumentation.ts";

type Activity = Pick<
  NetworkInstrumentation,
  | "onCall"
  | "onWitnesses"
  | "instrumentObserver"
  | "instrumentJournal"
  | "instrumentProjection"
  | "timePublishing"
>;

/** In seconds: a check that changes nothing takes about 0.1 s, a first publication minutes. */
const BUCKETS = [0.01, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 120, 300];

type Outcome = "accepted" | "refused" | "unread" | "failed";
type Kind = "check" | "snapshot" | "transactions";

interface ActivityOptions {
  registry: Registry;
  /** Milliseconds, monotonic. */
  steadyNow: () => number;
  /** Receives why an observation was refused, as a plain line. */
  onRefused: (network: Network, reason: string) => void;
}

/**
 * Registers the metrics of readings, stores and publishing. Returns a function that records
 * them for one network.
 */
export function createActivity({
  registry,
  steadyNow,
  onRefused,
}: ActivityOptions): (network: Network) => Activity {
  const registers = [registry];
  const calls = new Counter({
    name: "rugwatch_rpc_calls_total",
    help:
      "Requests sent to JSON-RPC endpoints, by origin, method and outcome (ok, or the kind of " +
      "failure).",
    labelNames: ["network", "endpoint", "method", "outcome"],
    registers,
  });
  const witnesses = new Counter({
    name: "rugwatch_endpoint_readings_total",
    help: `Observations by what each of the witnesses (the first ${WITNESSES_MAX} origins) was: usable, or refused for its cluster, health, clock or silence.`,
    labelNames: ["network", "endpoint", "outcome"],
    registers,
  });
  const panel = new Gauge({
    name: "rugwatch_witnesses",
    help:
      "Witnesses at the last reading, by state: configured; usable; needed, how many must be " +
      "usable to confirm a change.",
    labelNames: ["network", "state"],
    registers,
  });
  const observations = new Counter({
    name: "rugwatch_observations_total",
    help:
      "Observations by kind and outcome: accepted; refused, at the door or by the fold; " +
      "unread: no endpoint could be read; failed.",
    labelNames: ["network", "kind", "outcome"],
    registers,
  });
  const durations = new Histogram({
    name: "rugwatch_step_duration_seconds",
    help:
      "How long a step took: reading by kind of observation, folding, publishing; failed ones " +
      "too.",
    labelNames: ["network", "step"],
    buckets: BUCKETS,
    registers,
  });

  return (network) => {
    /** Observations that are journaled and not yet folded. */
    const unjudged = new Map<string, Kind>();
    const count = (kind: Kind, outcome: Outcome) => observations.inc({ network, kind, outcome });
    const refuse = (kind: Kind, outcome: Outcome, reason: string) => {
      count(kind, outcome);
      if (kind === "check" || kind === "snapshot") onRefused(network, toPlainLine(reason));
    };

    async function time<Done>(step: string, work: () => Promise<Done>): Promise<Done> {
      const startedAt = steadyNow();
      try {
        return await work();
      } finally {
        durations.observe({ network, step }, (steadyNow() - startedAt) / 1000);
      }
    }

    async function read<Entry>(
      kind: Kind,
      work: () => Promise<Observed<Entry>>,
    ): Promise<Observed<Entry>> {
      try {
        const observed = await time(kind, work);
        if (!observed.passed)
          refuse(kind, observed.isUnread ? "unread" : "refused", observed.reason);
        return observed;
      } catch (error) {
        count(kind, "failed");
        throw error;
      }
    }

    return {
      onCall: ({ endpoint, method, outcome }) =>
        calls.inc({ network, endpoint: originOf(endpoint), method, outcome }),
      onWitnesses(seen) {
        panel.set({ network, state: "configured" }, seen.length);
        panel.set(
          { network, state: "usable" },
          seen.filter(({ reason }) => reason === null).length,
        );
        panel.set({ network, state: "needed" }, witnessesNeeded(seen.length));
        for (const { label, reason } of seen)
          witnesses.inc({
            network,
            endpoint: originOf(label),
            outcome: reason === null ? "usable" : "refused",
          });
      },
      instrumentObserver: (observer): Observer => ({
        ...observer,
        check: (request) => read("check", () => observer.check(request)),
        snapshot: (request) => read("snapshot", () => observer.snapshot(request)),
        transactions: (request) => read("transactions", () => observer.transactions(request)),
      }),
      instrumentJournal: (journal) => ({
        ...journal,
        async append(entry) {
          const { kind } = entry;
          if (kind === "history") return journal.append(entry);
          try {
            const name = await journal.append(entry);
            unjudged.set(name, kind);
            return name;
          } catch (error) {
            count(kind, "failed");
            throw error;
          }
        },
      }),
      instrumentProjection: (projection) => ({
        ...projection,
        async refresh() {
          const outcomes = await time("fold", () => projection.refresh());
          for (const [name, kind] of unjudged) {
            const outcome = outcomes.get(name);
            if (outcome?.accepted === true) count(kind, "accepted");
            else if (outcome !== undefined) refuse(kind, "refused", outcome.reason);
          }
          unjudged.clear();
          return outcomes;
        },
      }),
      timePublishing: (work) => time("publish", work),
    };
  };
}
