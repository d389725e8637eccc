import type { Registry } from "prom-client";
import { withDeadline } from "../held/deadline.ts";
import { isOfKind } from "../process-message.ts";
import type { Metrics } from "./metrics.ts";

/*
 * The first of several processes asks the others for their metrics, over the channel that Node keeps between them. The
 * library's own way (AggregatorRegistry.clusterMetrics) has no metrics of anybody while one of them hangs.
 */

/** What a process measured, as the library hands it over. */
export type Measured = Awaited<ReturnType<Registry["getMetricsAsJSON"]>>;

/** One end of the channel between two processes: `process` in the worker, the `Worker` in the primary. */
export interface MetricsChannel {
  /** Missing where nobody started this process. The callback keeps a closed channel from being an unhandled error. */
  send?: (message: Question | Reply, callback: (error: Error | null) => void) => boolean;
  on(event: "message", listener: (message: unknown) => void): unknown;
  off(event: "message", listener: (message: unknown) => void): unknown;
}

interface Question {
  rugwatch: "measure";
  question: number;
}

interface Reply {
  rugwatch: "measured";
  question: number;
  /** null: it could not be read. */
  measured: Measured | null;
}

/** A process answers within milliseconds; one that has not by then hangs. */
export const METRICS_DEADLINE_MILLISECONDS = 2_000;

/** In a worker: answers the first process. */
export function shareMetrics({ registry }: Pick<Metrics, "registry">, channel: MetricsChannel): void {
  const ignore = () => undefined; // A first process that is gone needs no answer.
  channel.on("message", (message) => {
    if (isQuestion(message)) void reply(message);
  });

  async function reply({ question }: Question): Promise<void> {
    const measured = await registry.getMetricsAsJSON().catch(() => null);
    channel.send?.({ rugwatch: "measured", question, measured }, ignore);
  }
}

/** In the primary: asks a worker. Rejects when it does not answer in time, or cannot. */
export function createMetricsQuestions(): (worker: MetricsChannel) => Promise<Measured> {
  let asked = 0;

  return async (worker) => {
    const question = ++asked;
    const answer = Promise.withResolvers<Measured>();
    const listen = (message: unknown) => {
      // A process that hung answers in the end what it was asked long ago.
      if (!isReply(message) || message.question !== question) return;
      if (message.measured === null) answer.reject(new Error("it cannot read them"));
      else answer.resolve(message.measured);
    };
    worker.on("message", listen);
    worker.send?.({ rugwatch: "measure", question }, (error) => error !== null && answer.reject(error));
    try {
      return await withDeadline(answer.promise, METRICS_DEADLINE_MILLISECONDS);
    } finally {
      worker.off("message", listen);
    }
  };
}

function isQuestion(message: unknown): message is Question {
  return isOfKind(message, "measure");
}

function isReply(message: unknown): message is Reply {
  return isOfKind(message, "measured");
}
