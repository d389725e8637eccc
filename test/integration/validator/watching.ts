import { run } from "../../../generator/service/run.ts";
import type { Cadence } from "../../../generator/service/schedule.ts";
import { createOperator, type Operator } from "./operator.ts";

/** A generator that observes a validator, as it does in production, only more often. */
export interface Watching extends Operator {
  /** What failed; the generator goes on. */
  errors: unknown[];
  /** Once it has accepted its first snapshot. */
  begun: Promise<undefined>;
  /** Ends it after what it is doing. */
  stop(): Promise<void>;
  /** Ends it, and takes away what it published. */
  close(): Promise<void>;
}

/** Its epochs are so short that a minute would be several of them. */
const CADENCE: Cadence = { checkMilliseconds: 3_000, snapshotMilliseconds: 9_000 };

/**
 * `generate run`.
 * @param urls of the endpoints, separated by commas
 */
export async function watch(urls: string, cadence = CADENCE): Promise<Watching> {
  const operator = await createOperator(urls);
  const stopping = new AbortController();
  const errors: unknown[] = [];
  const begun = Promise.withResolvers<undefined>();
  const running = run({
    ...operator.options,
    signal: stopping.signal,
    forMilliseconds: null,
    cadence,
    onReport: ({ accepted }) => {
      if (accepted === true) begun.resolve(undefined);
    },
    onError: (error) => void errors.push(error),
  });
  async function stop(): Promise<void> {
    stopping.abort(new Error("the test is over"));
    await running;
  }
  return {
    ...operator,
    errors,
    begun: begun.promise,
    stop,
    async close() {
      await stop();
      await operator.remove();
    },
  };
}
