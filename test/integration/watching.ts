import { join } from "node:path";
import { createSystemClock } from "../../generator/commands/clock.ts";
import { run } from "../../generator/commands/run.ts";
import { readConfig } from "../../generator/config.ts";
import { openStore } from "../../generator/store/open.ts";
import type { Site } from "../commands/documents.ts";
import { makeDirectory } from "../store/directory.ts";

/** A generator that observes a validator, as it does in production, only more often. */
export interface Watching extends Site {
  /** What failed; the generator goes on. */
  errors: unknown[];
  /** Ends it after what it is doing. */
  stop(): Promise<void>;
  /** Ends it, and takes away what it published. */
  close(): Promise<void>;
}

/** Its epochs are so short that a minute would be several of them. */
const CADENCE = { checkMilliseconds: 3_000, snapshotMilliseconds: 9_000 };

/** `generate run` on a network that learns its genesis, in temporary directories. */
export async function watch(url: string): Promise<Watching> {
  const { directory, remove } = await makeDirectory();
  const config = readConfig({
    RUGWATCH_PUBLIC: `file:${join(directory, "public")}`,
    RUGWATCH_STATE: `file:${join(directory, "state")}`,
    ALPENGLOW_RPC_URLS: url,
  });
  const stopping = new AbortController();
  const errors: unknown[] = [];
  const running = run({
    config,
    clock: createSystemClock(),
    network: "alpenglow",
    newSeries: false,
    signal: stopping.signal,
    forMilliseconds: null,
    cadence: CADENCE,
    onReport: () => undefined,
    onError: (error) => void errors.push(error),
  });
  async function stop(): Promise<void> {
    stopping.abort(new Error("the test is over"));
    await running;
  }
  return {
    network: "alpenglow",
    publicStore: openStore(config.publicStore),
    errors,
    stop,
    async close() {
      await stop();
      await remove();
    },
  };
}
