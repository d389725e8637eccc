import cluster from "node:cluster";
import { SettingsError } from "../generator/settings/variables.ts";
import { openStore } from "../generator/store/open.ts";
import { readCommandLine, WRONG_USE } from "./command-line.ts";
import { getSecrets, readSettings, type Settings } from "./config.ts";
import { createMemoryLimiter } from "./limits/memory-limiter.ts";
import { createPrimaryLimiter } from "./limits/process-limiter.ts";
import { toSettingsEntry } from "./operations/events.ts";
import { createLog, type BoundedLog } from "./log/log.ts";
import { loadMetrics } from "./operations/load-metrics.ts";
import { shareMetrics } from "./operations/metrics-channel.ts";
import type { Metrics } from "./operations/metrics.ts";
import { startProcesses } from "./operations/processes.ts";
import { createRedaction } from "./log/redact.ts";
import { createStopSignals } from "./operations/stop-signals.ts";
import { isStopMessage } from "./operations/stop-message.ts";
import { assertPortFree, startServer } from "./server.ts";

// Reads flags and settings, starts one process or several, and ends them when told to. Exit status: 0 stopped as told;
// 1 failed, or stopped at once by a second signal; 2 wrong use.

const FAILED = 1;

// eslint-disable-next-line no-restricted-properties -- the composition root is where the clock comes from
const now = () => Date.now();
const steadyNow = () => performance.now();
const write = (text: string) => void process.stderr.write(text);
// Whoever collects the log may go away. That is no reason to go with it.
process.stderr.on("error", () => undefined);

let redact = (text: string) => text;
try {
  const { processes } = readCommandLine(process.argv.slice(2), (code) => process.exit(code));
  const settings = readSettings();
  redact = createRedaction(getSecrets(settings));
  const always = cluster.worker === undefined ? {} : { worker: cluster.worker.id };
  const bounded = createLog({ write, now, level: settings.logLevel, redact, always });
  endOnBugs(bounded);
  if (cluster.worker !== undefined) await runWorker(settings, bounded, process);
  else if (processes > 1) await runPrimary(settings, bounded, processes);
  else await runAlone(settings, bounded);
} catch (error) {
  write(redact(`rugwatch proxy: ${error instanceof Error ? error.message : String(error)}\n`));
  process.exitCode = error instanceof SettingsError ? WRONG_USE : FAILED;
  // One of several would live on: its channel to the first one is open.
  if (cluster.worker !== undefined) process.exit();
}

/** The only process. */
async function runAlone(settings: Settings, { log, flush }: BoundedLog): Promise<void> {
  log(toSettingsEntry(settings, 1));
  const server = await startServer({ settings, objects: openStore(settings.publicStore), now, log });
  // Whoever reads that it listens may end it at once.
  const forget = onStop({ log, flush, close: () => server.close(), kill: () => undefined });
  log({ level: "info", message: `listening on ${server.url}` });
  if (server.metricsUrl !== null) log({ level: "info", message: `metrics on ${server.metricsUrl}` });
  onReload(() => {
    forget();
    return server.close();
  });
}

/** The first of several: it starts the others. */
async function runPrimary(settings: Settings, { log, flush }: BoundedLog, count: number): Promise<void> {
  log(toSettingsEntry(settings, count));
  await assertPortFree(settings);
  const limiter = createMemoryLimiter({ perMinute: settings.rateLimitPerMinute, now: steadyNow });
  const onGivenUp = () => {
    flush();
    process.exit(FAILED);
  };
  const { metricsUrl, close, kill } = await startProcesses({ count, settings, limiter, now, log, onGivenUp });
  onStop({ log, flush, close, kill });
  if (metricsUrl !== null) log({ level: "info", message: `metrics on ${metricsUrl}` });
}

/** One of several: the first process counts and measures for all, and says when to end. */
async function runWorker(settings: Settings, { log, flush }: BoundedLog, channel: NodeJS.Process): Promise<void> {
  const end = () => {
    flush();
    process.exit();
  };
  let stop: () => void = end;
  // Before anybody else listens to the channel: a message that only they hear is lost.
  process.on("message", (message) => isStopMessage(message) && stop());
  // Ctrl-C reaches all processes of a terminal, and the first one passes it on.
  process.on("SIGINT", () => undefined).on("SIGTERM", () => stop());
  const metrics = settings.metricsPort === null ? undefined : await openSharedMetrics(channel);
  const fallback = createMemoryLimiter({ perMinute: settings.rateLimitPerMinute, now: steadyNow });
  const limiter = createPrimaryLimiter({ channel, fallback, now: steadyNow, log });
  const server = await startServer({
    settings: { ...settings, metricsPort: null },
    objects: openStore(settings.publicStore),
    now,
    log,
    limiter,
    ...(metrics !== undefined && { metrics }),
  });
  stop = () => void server.close().then(end);
  log({ level: "info", message: `listening on ${server.url}` });
}

/** The metrics of this process, which the first one adds to those of the others. */
async function openSharedMetrics(channel: NodeJS.Process): Promise<Metrics> {
  const { createMetrics } = await loadMetrics();
  const metrics = createMetrics({ now, steadyNow });
  shareMetrics(metrics, channel);
  return metrics;
}

interface Stoppable {
  log: BoundedLog["log"];
  flush: () => void;
  close: () => Promise<void>;
  /** Ends at once what `close` waits for. */
  kill: () => void;
}

/** Ends the process as signals ask, see operations/stop-signals.ts. Gives what undoes this. */
function onStop({ log, flush, close, kill }: Stoppable): () => void {
  const read = createStopSignals(steadyNow);
  const end = (code: number) => {
    flush();
    process.exit(code);
  };
  const stop = (signal: NodeJS.Signals) => {
    const wish = read(signal);
    log({ level: "info", message: `${signal}: ${wish}` });
    if (wish === "closing") void close().then(() => end(0));
    if (wish !== "ending at once") return;
    kill();
    end(FAILED);
  };
  process.on("SIGINT", stop).on("SIGTERM", stop);
  return () => process.off("SIGINT", stop).off("SIGTERM", stop);
}

/** What went wrong where nobody looked leaves the process in a state that nobody knows: it ends, and is started again. */
function endOnBugs({ log, flush }: BoundedLog): void {
  process.on("uncaughtException", (error) => {
    log({ level: "error", message: "a bug: ending", error });
    flush();
    process.exit(FAILED);
  });
}

/** What vite-node, and nothing else, offers of a module's life: `npm run dev` runs this file again in the same process. */
function onReload(listener: () => Promise<void>): void {
  type DevelopmentMeta = ImportMeta & { hot?: { on(event: string, listener: () => Promise<void>): void } };
  (import.meta as DevelopmentMeta).hot?.on("vite:beforeFullReload", listener);
}
