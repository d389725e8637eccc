import cluster, { type Worker } from "node:cluster";
import { AggregatorRegistry, Counter, Gauge, Registry } from "prom-client";
import type { Limiter } from "../limits/limiter.ts";
import { serveLimiter } from "../limits/process-limiter.ts";
import type { Settings } from "../config.ts";
import type { Log } from "../log/entry.ts";
import { startMetricsServer, type MetricsServer } from "./metrics-server.ts";
import { createRestarts, DEATHS_MAX } from "./restarts.ts";
import { CLOSE_MILLISECONDS } from "./shutdown.ts";
import { STOP_MESSAGE } from "./worker.ts";

interface ProcessesOptions {
  count: number;
  settings: Settings;
  /** Counts for all processes. */
  limiter: Limiter;
  now: () => number;
  log: Log;
  /** Called when they die faster than it is worth starting them again; all are stopped by then. */
  onGivenUp: () => void;
}

/** Processes that serve one port together. */
export interface Processes {
  /** Where the metrics of all of them are; null: nowhere. */
  metricsUrl: string | null;
  /** Lets each of them end as one alone would, and resolves when all are gone. May be called again. */
  close: () => Promise<void>;
  /** Ends all of them at once. */
  kill: () => void;
}

/** Beyond the time that a process takes to end it is ended. */
const KILL_MARGIN_MILLISECONDS = 2_000;

/**
 * Starts processes that share the port, the limit and the metrics, and another one for each that dies. This first process
 * serves nobody itself: it hands out connections, counts, and adds up.
 */
export async function startProcesses(options: ProcessesOptions): Promise<Processes> {
  const { count, settings, limiter, now, log, onGivenUp } = options;
  const restarts = createRestarts({ now });
  const timers = new Set<NodeJS.Timeout>();
  const metrics = createPrimaryMetrics();
  const metricsServer = await startMetrics(settings, metrics.read, log);
  let closing: Promise<void> | undefined;

  function start(): void {
    const worker = cluster.fork();
    const number = worker.id;
    const { pid } = worker.process;
    if (pid !== undefined) log({ level: "info", message: `process ${number} started`, fields: { number, pid } });
    serveLimiter(worker, limiter);
    worker.on("error", (error) => {
      log({
        level: "warn",
        message: `cannot ${pid === undefined ? "start" : "reach"} process ${number}`,
        error,
        fields: { number },
      });
      // One that the system did not let begin has no exit.
      if (pid === undefined) startAgain();
    });
    worker.once("exit", (code, signal) => {
      // The types know no null, but an exit has either a code or a signal.
      const fields = { number, code: code as number | null, signal: signal as string | null };
      if (closing === undefined) log({ level: "warn", message: `process ${number} has ended`, fields });
      startAgain();
    });
  }

  /** After a death, unless all are to end. */
  function startAgain(): void {
    if (closing !== undefined) return;
    metrics.countDeath();
    const delay = restarts.afterDeath();
    if (delay === null) {
      log({ level: "error", message: `${DEATHS_MAX} processes have ended within a minute: giving up` });
      void close().then(onGivenUp);
      return;
    }
    const timer = setTimeout(() => {
      timers.delete(timer);
      start();
    }, delay);
    timers.add(timer);
  }

  async function closeAll(): Promise<void> {
    for (const timer of timers) clearTimeout(timer);
    const last = settings.drainSeconds * 1_000 + CLOSE_MILLISECONDS + KILL_MARGIN_MILLISECONDS;
    await Promise.all(getWorkers().map((worker) => stop(worker, last)));
    await metricsServer?.close();
  }

  const close = () => (closing ??= closeAll());
  for (let started = 0; started < count; started++) start();
  return {
    metricsUrl: metricsServer?.url ?? null,
    close,
    kill: () => {
      for (const worker of getWorkers()) worker.process.kill("SIGKILL");
    },
  };
}

/** Tells a worker to end, and ends it if it has not by then. */
async function stop(worker: Worker, milliseconds: number): Promise<void> {
  if (worker.isDead()) return;
  const gone = new Promise((resolve) => worker.once("exit", resolve));
  const timer = setTimeout(() => worker.process.kill("SIGKILL"), milliseconds);
  // One that is gone already cannot be told, and need not be.
  worker.send(STOP_MESSAGE, () => undefined);
  await gone;
  clearTimeout(timer);
}

function getWorkers(): Worker[] {
  return Object.values(cluster.workers ?? {}).filter((worker) => worker !== undefined);
}

function createPrimaryMetrics() {
  const aggregator = new AggregatorRegistry();
  const registry = new Registry();
  const deaths = new Counter({
    name: "rugwatch_process_deaths_total",
    help: "Processes that ended without having been told to, or could not be started.",
    registers: [registry],
  });
  new Gauge({
    name: "rugwatch_processes",
    help: "Processes that serve the port.",
    registers: [registry],
    collect() {
      this.set(getWorkers().filter((worker) => worker.isConnected()).length);
    },
  });
  return {
    countDeath: () => deaths.inc(),
    read: async () => `${await registry.metrics()}\n${await aggregator.clusterMetrics()}`,
  };
}

function startMetrics(settings: Settings, read: () => Promise<string>, log: Log): Promise<MetricsServer | null> {
  const { metricsPort: port, metricsHost: host } = settings;
  if (port === null) return Promise.resolve(null);
  const onError = (error: unknown) => log({ level: "warn", message: "cannot add up the metrics", error });
  return startMetricsServer({ port, host, read, contentType: Registry.PROMETHEUS_CONTENT_TYPE, onError });
}
