import { AggregatorRegistry } from "prom-client";
import type { Metrics } from "./metrics.ts";

/** What the first process says to one that is to end. */
export const STOP_MESSAGE = { rugwatch: "stop" } as const;

/** Whether a message of the first process says so; other parts of the program use the channel too. */
export function isStopMessage(message: unknown): boolean {
  return (
    typeof message === "object" &&
    message !== null &&
    "rugwatch" in message &&
    message.rugwatch === STOP_MESSAGE.rugwatch
  );
}

/** Lets the first process read the metrics of this one, to add them to those of the others. */
export function shareMetrics({ registry }: Metrics): void {
  AggregatorRegistry.setRegistries([registry]);
  // What answers the first process is set up by making one.
  new AggregatorRegistry();
}
