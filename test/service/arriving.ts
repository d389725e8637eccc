import { expect } from "vitest";
import type { Entry } from "../../generator/entries/entry.ts";
import { readTimeless, type Site } from "./documents.ts";
import { MINUTE } from "./harness.ts";
import { append, makeStation, makeStores, publish, type Stores } from "./offline.ts";

/** A little after the last entry: the clock of whoever publishes. */
export const nowAfter = (entries: readonly Entry[]) =>
  Math.max(...entries.map(({ time }) => Date.parse(time))) + MINUTE;

export const toSite = (stores: Stores): Site => ({ publicStore: stores.publicStore, network: "mainnet" });

/** What is published when all entries are there from the start. */
export async function publishAtOnce(entries: readonly Entry[]): Promise<Stores> {
  const stores = makeStores();
  const context = makeStation({ ...stores, now: nowAfter(entries), holder: "only" });
  await append(context, entries);
  await publish(context);
  return stores;
}

/**
 * A late entry can undo what was published before it came, an epoch or a validator that is not believed any more. Nothing is
 * deleted but by a pruning, so a document of it may be left over; all that there should be must be there, byte for byte.
 */
export async function expectSame(found: Stores, expected: Map<string, string>): Promise<void> {
  const published = await readTimeless(toSite(found));
  expect(new Map([...published].filter(([key]) => expected.has(key)))).toEqual(expected);
}
