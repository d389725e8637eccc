import type { Network } from "../contract/networks.ts";
import { toObjectKey, type ObjectKind, type ObjectReference } from "../contract/objects.ts";

/**
 * When a kind of document is put: what a list points at is there before the list, and the index, which the proxy answers
 * from, comes after all of them. Exports are large and of the past: what is new must not wait for them. The status says what
 * was published and is put by itself, after everything.
 */
const STAGES = {
  validator: 1,
  validatorEvents: 1,
  commissionHistory: 1,
  stakeHistory: 1,
  uptime: 1,
  location: 1,
  validators: 2,
  events: 2,
  epochEvents: 2,
  rugsPerEpoch: 2,
  stakeConcentration: 2,
  atomFeed: 2,
  jsonFeed: 2,
  index: 3,
  eventsCsv: 4,
  eventsParquet: 4,
  historyCsv: 4,
  historyParquet: 4,
  // It tells of the exports as they were put.
  exports: 5,
  status: null,
} as const satisfies Record<ObjectKind, number | null>;

/** A document that may have to be put. */
export interface Item {
  key: string;
  reference: ObjectReference;
  /** All items of a stage may be put at once, those of the next one only when they are there. */
  stage: number;
}

/** The documents to look at, each once, in the order in which they are put; the status is none of them. */
export function toItems(network: Network, references: Iterable<ObjectReference>): Item[] {
  const items = new Map<string, Item>();
  for (const reference of references) {
    const stage = STAGES[reference.kind];
    const key = toObjectKey(network, reference.kind, reference.names);
    if (stage !== null) items.set(key, { key, reference, stage });
  }
  return [...items.values()].sort((one, other) => one.stage - other.stage);
}
