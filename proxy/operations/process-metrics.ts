import { AggregatorRegistry, Counter, Gauge, Registry } from "prom-client";
import { createMetricsQuestions, type Measured, type MetricsChannel } from "./metrics-channel.ts";

/** What is needed of a process that serves the port. */
export interface ServingProcess extends MetricsChannel {
  isConnected(): boolean;
}

interface ProcessMetricsOptions<Process extends ServingProcess> {
  /** Those that serve the port by now. */
  getServing: () => Process[];
  /** Told of each that does not say what it measured. */
  onSilent: (process: Process, error: unknown) => void;
}

/** The metrics of several processes together, in the terms of Prometheus. */
export interface ProcessMetrics {
  contentType: string;
  /** A process ended without having been told to, or could not be started. */
  countDeath: () => void;
  /** The metrics of all, in Prometheus' text format. */
  read: () => Promise<string>;
}

/**
 * Adds up what the processes measured. For one that hangs stands what it told last: without it the sums would fall and
 * rise again, which Prometheus takes for a restart and counts twice
 * (https://prometheus.io/docs/prometheus/latest/querying/functions/#rate).
 */
export function createProcessMetrics<Process extends ServingProcess>(
  options: ProcessMetricsOptions<Process>,
): ProcessMetrics {
  const { getServing, onSilent } = options;
  const registry = new Registry();
  const ask = createMetricsQuestions();
  const lastMeasured = new WeakMap<Process, Measured>();
  const deaths = new Counter({
    name: "rugwatch_process_deaths_total",
    help: "Processes that ended without having been told to, or could not be started.",
    registers: [registry],
  });
  const serving = new Gauge({
    name: "rugwatch_processes",
    help: "Processes that serve the port.",
    registers: [registry],
  });
  const silent = new Gauge({
    name: "rugwatch_processes_silent",
    help: "Of these, how many did not say in time what they measured: they hang, and their last word stands for them.",
    registers: [registry],
  });

  /** Whether the process has told what it measured. */
  async function measure(process: Process): Promise<boolean> {
    try {
      lastMeasured.set(process, await ask(process));
      return true;
    } catch (error) {
      // One that has ended meanwhile is not silent.
      if (!process.isConnected()) return true;
      onSilent(process, error);
      return false;
    }
  }

  return {
    contentType: registry.contentType,
    countDeath: () => deaths.inc(),
    async read() {
      const processes = getServing().filter((process) => process.isConnected());
      const told = await Promise.all(processes.map(measure));
      serving.set(processes.length);
      silent.set(told.filter((hasTold) => !hasTold).length);
      const all = AggregatorRegistry.aggregate(processes.flatMap((process) => [lastMeasured.get(process) ?? []]));
      return `${await registry.metrics()}\n${await all.metrics()}`;
    },
  };
}
