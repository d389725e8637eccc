import cluster, { type Worker } from "node:cluster";
import type { Limiter } from "../limits/limiter.ts";
import { serveLimiter } from "../limits/process-limiter.ts";
import type { Settings } from "../config.ts";
import type { Log } from "../log/entry.ts";
import { loadProcessMetrics } from "./load-metrics.ts";
import { startMetricsServer } from "./metrics-server.ts";
import { createRestarts, DEATHS_MAX } from "./restarts.ts";
import { CLOSE_MILLISECONDS } from "./shutdown.ts";
import { STOP_MESSAGE } from "./stop-message.ts";

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
  const serving = new Set<Worker>();
  const metrics = await startMetrics({ settings, getServing: () => [...serving], log });
  let closing: Promise<void> | undefined;

  function start(): void {
    const worker = cluster.fork();
    const number = worker.id;
    const { pid } = worker.process;
    if (pid !== undefined) log({ level: "info", message: `process ${number} started`, fields: { number, pid } });
    serveLimiter(worker, limiter);
    worker.once("listening", () => serving.add(worker));
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
      serving.delete(worker);
      const fields = { number, code: code as number | null, signal: signal as string | null };
      if (closing === undefined) log({ level: "warn", message: `process ${number} has ended`, fields });
      startAgain();
    });
  }

  /** After a death, unless all are to end. */
  function startAgain(): void {
    if (closing !== undefined) return;
    metrics?.countDeath();
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
    await metrics?.close();
  }

  const close = () => (closing ??= closeAll());
  for (let started = 0; started < count; started++) start();
  return {
    metricsUrl: metrics?.url ?? null,
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

interface MetricsOptions extends Pick<ProcessesOptions, "settings" | "log"> {
  getServing: () => Worker[];
}

/** The metrics of all processes on a port of their own; null: nobody wants any. */
async function startMetrics({ settings, getServing, log }: MetricsOptions) {
  const { metricsPort: port, metricsHost: host } = settings;
  if (port === null) return null;
  const { createProcessMetrics } = await loadProcessMetrics();
  const { contentType, countDeath, read } = createProcessMetrics({
    getServing,
    onSilent({ id: number, process: { pid } }, error) {
      const fields = pid === undefined ? { number } : { number, pid };
      log({ level: "warn", message: `process ${number} does not tell its metrics`, error, fields });
    },
  });
  const onError = (error: unknown) => log({ level: "warn", message: "cannot add up the metrics", error });
  return { countDeath, ...(await startMetricsServer({ port, host, read, contentType, onError })) };
}
