import { Counter, Gauge, type Registry } from "prom-client";
import type { Network } from "../../contract/networks.ts";
import type { Fate } from "../alerts/attempts.ts";
import type { NetworkWatch } from "../watch.ts";

const OUTCOMES: Readonly<Record<Fate, string>> = {
  delivered: "delivered",
  waiting: "failed",
  refusesAll: "failed",
  setAside: "set_aside",
  givenUp: "given_up",
};

/** Counts what came of the messages to each alert target, by the name that the operator gave it. */
export function createAlertWatch(registry: Registry): (network: Network) => NetworkWatch["onAlert"] {
  const registers = [registry];
  const attempts = new Counter({
    name: "rugwatch_alert_attempts_total",
    help: "Attempts to deliver an alert, by outcome: delivered; failed, to be tried again; set_aside, refused six times; given_up, after a day.",
    labelNames: ["network", "target", "outcome"],
    registers,
  });
  const waiting = new Gauge({
    name: "rugwatch_alert_waiting_messages",
    help: "Messages that still wait for an alert target, after the last try of this process.",
    labelNames: ["network", "target"],
    registers,
  });
  return (network) =>
    ({ target, fate, waiting: count }) => {
      // From 0 on: Prometheus sees no increase in a counter that begins at 1.
      for (const outcome of Object.values(OUTCOMES)) attempts.inc({ network, target, outcome }, 0);
      attempts.inc({ network, target, outcome: OUTCOMES[fate] });
      waiting.set({ network, target }, count);
    };
}
