import { startMetricsServer } from "../monitoring/metrics-server.ts";
import { run } from "../service/run.ts";
import { readWatching } from "../settings/settings.ts";
import {
  clock,
  complain,
  finish,
  say,
  logReport,
  toObservingOptions,
  type Flags,
} from "./command.ts";

/** @param flags.for milliseconds; absent: until stopped */
export async function runCommand(flags: Flags & { for?: number }): Promise<void> {
  const options = {
    ...toObservingOptions(flags),
    forMilliseconds: flags.for ?? null,
    onError: complain,
  };
  const metrics = await startMetrics();
  try {
    await finish(flags, run({ ...options, instrument: metrics?.instrument, onReport: logReport }));
  } finally {
    await metrics?.close();
  }
}

/** Loads the metrics' library only if a port is set. */
async function startMetrics() {
  const { metricsPort, metricsHost } = readWatching();
  if (metricsPort === null) return null;
  const { createMetrics } = await import("../service/metrics/metrics.ts");
  const { registry, instrument, getHealth } = createMetrics({
    now: clock.now,
    steadyNow: clock.timer,
  });
  const place = { port: metricsPort, host: metricsHost };
  const server = await startMetricsServer({ ...place, registry, getHealth, onError: complain });
  say(`metrics on ${server.url}, health on ${new URL("/healthz", server.url).href}`);
  return { instrument, close: () => server.close() };
}
