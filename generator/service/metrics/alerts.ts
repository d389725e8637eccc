import { Counter, Gauge, type Registry } from "prom-client";
import type { Network } from "../../contract/networks.ts";
import type { Outcome } from "../alerts/attempts.ts";
import type { NetworkInstrumentation } from "../instrumentation.ts";

const OUTCOME_LABELS: Readonly<Record<Outcome, string>> = {
  delivered: "delivered",
  waiting: "failed",
  givenUp: "given_up",
};

type AlertInstrumentation = Pick<NetworkInstrumentation, "onAlert" | "onAlertQueue">;

/**
 * Counts messages by the name that the operator gave the target.
 * @param now milliseconds since 1970
 */
export function createAlertWatch(
  registry: Registry,
  now: () => number,
): (network: Network) => AlertInstrumentation {
  const registers = [registry];
  const labelNames = ["network", "target"];
  const attempts = new Counter({
    name: "rugwatch_alert_attempts_total",
    help:
      "Attempts to deliver an alert, by outcome: delivered; failed, to be tried again; " +
      "given_up, tried for too long.",
    labelNames: [...labelNames, "outcome"],
    registers,
  });
  const waiting = new Gauge({
    name: "rugwatch_alert_waiting_messages",
    help: "Messages that wait for an alert target.",
    labelNames,
    registers,
  });
  const queues = new Map<
    string,
    { labels: { network: Network; target: string }; oldestAt: number | null }
  >();
  new Gauge({
    name: "rugwatch_alert_oldest_undelivered_seconds",
    help: "Since the oldest message that waits for an alert target was queued; 0: none waits.",
    labelNames,
    registers,
    collect() {
      for (const { labels, oldestAt } of queues.values())
        this.set(labels, oldestAt === null ? 0 : (now() - oldestAt) / 1000);
    },
  });
  return (network) => ({
    onAlert({ target, outcome }) {
      // From 0 on: Prometheus sees no increase in a counter that begins at 1.
      for (const label of Object.values(OUTCOME_LABELS))
        attempts.inc({ network, target, outcome: label }, 0);
      attempts.inc({ network, target, outcome: OUTCOME_LABELS[outcome] });
    },
    onAlertQueue({ target, waiting: count, oldestAt }) {
      waiting.set({ network, target }, count);
      queues.set(`${network} ${target}`, { labels: { network, target }, oldestAt });
    },
  });
}
