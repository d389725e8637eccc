import { openJournal } from "../../generator/journal/journal.ts";
import { toName } from "../../generator/journal/names.ts";
import type { ReadEntry } from "../../generator/journal/reading.ts";
import type { ObjectStore } from "../../generator/store/store.ts";

export interface Log {
  entries: ReadEntry[];
  /** Gaps, entries that cannot be read, and those that do not hold the hash of the one before. */
  faults: string[];
}

/** The journal of mainnet, by one that knows nothing of it. */
export async function readLog(store: ObjectStore): Promise<Log> {
  const journal = openJournal({ store, network: "mainnet", series: 1 });
  const { names } = await journal.list(null);
  const log: Log = { entries: [], faults: [] };
  let hash: string | null = null;
  for await (const read of journal.read(names)) {
    const number = log.entries.length + log.faults.length + 1;
    if ("unreadable" in read) log.faults.push(`${read.name} cannot be read: ${read.unreadable}`);
    else if (read.name !== toName(number)) log.faults.push(`${read.name} is the entry ${number}`);
    else if (read.previous !== hash)
      log.faults.push(`${read.name} does not hold the hash of the entry before it`);
    if ("entry" in read) log.entries.push(read);
    hash = "hash" in read ? read.hash : null;
  }
  return log;
}
