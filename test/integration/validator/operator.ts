import { join } from "node:path";
import { createSystemClock, openContext } from "../../../generator/service/context.ts";
import { rebuild } from "../../../generator/service/rebuild.ts";
import { run } from "../../../generator/service/run.ts";
import type { Cadence } from "../../../generator/service/schedule.ts";
import type { CommandOptions } from "../../../generator/service/for-each-network.ts";
import { snapshot } from "../../../generator/service/observing.ts";
import { transactions, type TransactionsReport } from "../../../generator/service/transactions.ts";
import { readSettings } from "../../../generator/settings/settings.ts";
import type { Ledger } from "../../../generator/ledger/ledger.ts";
import type { Difference } from "../../../generator/publish/compare.ts";
import { openStore } from "../../../generator/store/open.ts";
import type { Site } from "../../service/documents.ts";
import { makeDirectory } from "../../store/directory.ts";

/** Runs the commands in temporary directories, on a network that learns its genesis. */
export interface Operator extends Site {
  options: CommandOptions;
  snapshot(): Promise<void>;
  searchHistory(): Promise<TransactionsReport>;
  verify(): Promise<Difference[]>;
  fold(): Promise<Ledger>;
  directory: string;
  /** Leaves the directory, with its journal, to whoever looks for the cause of a failure. */
  keep(): void;
  remove(): Promise<void>;
}

const NETWORK = "alpenglow";
const EPOCHS_MAX = 1_000;
const CALLS_PER_SECOND = 100;

/** @param urls separated by commas */
export async function createOperator(urls: string): Promise<Operator> {
  const { directory, remove } = await makeDirectory();
  const settings = readSettings({
    RUGWATCH_PUBLIC: `file:${join(directory, "public")}`,
    RUGWATCH_STATE: `file:${join(directory, "state")}`,
    ALPENGLOW_RPC_URLS: urls,
    // In each snapshot: an epoch is shorter than any time between two scans.
    STAKE_SCAN_MINUTES: "0",
  });
  const clock = createSystemClock();
  const { signal } = new AbortController();
  let isKept = false;
  const options: CommandOptions = { settings, clock, network: NETWORK, newSeries: false, signal };
  return {
    options,
    network: NETWORK,
    publicStore: openStore(settings.publicStore),
    async snapshot() {
      await snapshot(options);
    },
    searchHistory: () =>
      transactions({
        ...options,
        epochs: EPOCHS_MAX,
        callsPerSecond: CALLS_PER_SECOND,
        onProgress: () => undefined,
      }),
    async verify() {
      const differences: Difference[] = [];
      const onDifference = (difference: Difference) => void differences.push(difference);
      await rebuild({
        ...options,
        verify: true,
        prune: false,
        onDifference,
        onProgress: () => undefined,
      });
      return differences;
    },
    async fold() {
      const context = await openContext({
        network: NETWORK,
        settings,
        clock,
        locations: null,
        newSeries: false,
      });
      try {
        await context.projection.refresh();
        return context.projection.ledger();
      } finally {
        await context.close();
      }
    },
    directory,
    keep: () => void (isKept = true),
    remove: async () => (isKept ? undefined : remove()),
  };
}

/** A generator that observes a validator as in production, only more often. */
export interface Watching extends Operator {
  errors: unknown[];
  /** Resolves with the first accepted snapshot. */
  begun: Promise<undefined>;
  stop(): Promise<void>;
  /** Also removes what it published. */
  close(): Promise<void>;
}

/** A minute would be several of these short epochs. */
const CADENCE: Cadence = { checkMilliseconds: 3_000, snapshotMilliseconds: 9_000 };

/** @param urls separated by commas */
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
