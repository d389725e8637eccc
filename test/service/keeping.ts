import { createProjection, type Projection } from "../../generator/service/projection.ts";
import { toObjectKey } from "../../generator/contract/objects.ts";
import { openJournal, type Journal } from "../../generator/journal/journal.ts";
import type { Entry } from "../../generator/entries/entry.ts";
import { countOperations, type OperationCounts } from "../../generator/store/counting.ts";
import { openMemoryStore } from "../../generator/store/memory.ts";
import type { ObjectStore } from "../../generator/store/store.ts";
import { check, crowd, snapshot, timeAt } from "../ledger/story.ts";

export interface Generator {
  store: ObjectStore;
  counts: OperationCounts;
  journal: Journal;
  /** The clock, in minutes of the story. */
  minute: number;
  append(...entries: Entry[]): Promise<string[]>;
  makeKeeper(): Projection;
}

export function makeGenerator(below: ObjectStore = openMemoryStore()): Generator {
  const { store, counts } = countOperations(below);
  const journal = openJournal({ store, network: "mainnet", series: 1 });
  const generator: Generator = {
    store,
    counts,
    journal,
    minute: 0,
    append: (...entries) => Promise.all(entries.map((entry) => journal.append(entry))),
    makeKeeper: () =>
      createProjection({ network: "mainnet", series: 1, journal, now: () => Date.parse(timeAt(generator.minute)) }),
  };
  return generator;
}

export const CROWD = crowd(12);
export const others = (minute: number, bps: number) => check(minute, [{ name: "rugger", bps }, ...CROWD]);
export const first = (minute: number) => snapshot(minute, [{ name: "rugger", bps: 500 }, ...CROWD]);

export const calm = (from: number, to: number) => [
  first(from),
  ...Array.from({ length: to - from }, (_, index) => others(from + 1 + index, 500)),
];

export const keysOf = (projection: Projection) => {
  const { references, since } = projection.changed();
  return { since, keys: references.map(({ kind, names }) => toObjectKey("mainnet", kind, names)).sort() };
};
