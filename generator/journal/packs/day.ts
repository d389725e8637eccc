import { parseEntry, type Stored } from "../entries.ts";
import type { JournalPlace } from "../names.ts";
import { openPack, type OpenPack } from "./content.ts";
import { fromPackKey, toPackPrefix } from "./key.ts";

/** The packs of one UTC day, read together from the first entry to the last. */
export interface PacksOfDay {
  /** Gets them, the first time it is called. Those that cannot be read are left out. @throws {StoreError} */
  open(): Promise<void>;
  /** Whether an open one says that it holds an entry. */
  name(name: string): boolean;
  /**
   * The entry, from any that holds it; or why it cannot be read; null: none of them names it. Each name at most once, in
   * their order.
   */
  take(name: string): Promise<Stored | null>;
  /** Must be called when nothing more is read. */
  close(): Promise<void>;
}

/** Does no I/O yet. */
export function openPacksOfDay(place: JournalPlace, day: string): PacksOfDay {
  let holders: Map<string, OpenPack[]> | null = null;
  const opened: OpenPack[] = [];

  return {
    async open() {
      if (holders !== null) return;
      const found = new Map<string, OpenPack[]>();
      for await (const { key } of place.store.list(toPackPrefix(place, day))) {
        const head = fromPackKey(place, key);
        const pack = head === null ? null : await openPack(place, head);
        if (pack === null || "unreadable" in pack) continue;
        opened.push(pack);
        for (const name of pack.names) found.set(name, [...(found.get(name) ?? []), pack]);
      }
      holders = found;
    },

    name: (name) => holders?.has(name) ?? false,

    async take(name) {
      let result: Stored | null = null;
      for (const pack of holders?.get(name) ?? []) {
        const line = await pack.take(name);
        const read = line instanceof Uint8Array ? parseEntry(place, name, line) : line;
        if (!("unreadable" in read)) return read;
        result = read;
      }
      return result;
    },

    async close() {
      for (const pack of opened) await pack.close();
    },
  };
}
