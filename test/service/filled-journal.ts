import { explain, type ExplainOptions, type Explanation } from "../../generator/service/explain.ts";
import { publish } from "../../generator/service/publishing.ts";
import type { CommandOptions } from "../../generator/service/for-each-network.ts";
import { makeSettings, storesIn } from "./settings.ts";
import { openJournal, type Journal } from "../../generator/journal/journal.ts";
import { startSeries } from "../../generator/journal/series.ts";
import type { Entry } from "../../generator/entries/entry.ts";
import { GENESIS_HASHES } from "../../generator/rpc/genesis.ts";
import { openStore } from "../../generator/store/open.ts";
import { timeAt } from "../story/clock.ts";
import { makeDirectory } from "../store/directory.ts";
import type { Site } from "./documents.ts";

export interface FilledJournal extends Site {
  command: CommandOptions & { network: "mainnet" };
  journal: Journal;
  close: () => Promise<void>;
}

/** Publishes like a command of minute 60. */
export async function openFilledJournal(...entries: Entry[]): Promise<FilledJournal> {
  const { directory, remove } = await makeDirectory();
  const settings = makeSettings(storesIn(directory));
  const stateStore = openStore(settings.stateStore);
  const genesis = GENESIS_HASHES.mainnet ?? "";
  await startSeries(stateStore, { network: "mainnet", genesis, since: timeAt(0) });
  const journal = openJournal({ store: stateStore, network: "mainnet", series: 1 });
  for (const entry of entries) await journal.append(entry);
  const now = () => Date.parse(timeAt(60));
  const clock = {
    now,
    timer: now,
    sleepUntil: () => Promise.reject(new Error("nothing is waited for")),
  };
  const signal = new AbortController().signal;
  const command = { settings, clock, network: "mainnet" as const, newSeries: false, signal };
  await publish(command);
  return {
    command,
    journal,
    network: "mainnet",
    publicStore: openStore(settings.publicStore),
    close: remove,
  };
}

export const explainAs = (
  { settings, clock, signal }: CommandOptions,
  event: string,
  changes: Partial<ExplainOptions> = {},
): Promise<Explanation> =>
  explain({
    settings,
    network: "mainnet",
    event,
    now: clock.now,
    onProgress: () => undefined,
    signal,
    ...changes,
  });
