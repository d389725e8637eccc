import { entriesOf, type StoryItem } from "../story/fold.ts";
import { expect } from "vitest";
import type { Entry } from "../../generator/entries/entry.ts";
import { readTimeless, type Site } from "./documents.ts";
import { MINUTE } from "./harness.ts";
import { append, makeStation, makeStores, publish, type Stores } from "./offline.ts";

const nowAfter = (entries: readonly Entry[]) =>
  Math.max(...entries.map(({ time }) => Date.parse(time))) + MINUTE;

export const toSite = (stores: Stores): Site => ({
  publicStore: stores.publicStore,
  network: "mainnet",
});

export async function publishAtOnce(items: readonly StoryItem[]): Promise<Stores> {
  const stores = makeStores();
  const context = makeStation({ ...stores, now: nowAfter(entriesOf(items)), holder: "only" });
  await append(context, items);
  await publish(context);
  return stores;
}

/** Others may be left over from before a late entry: only pruning deletes. */
export async function expectSame(found: Stores, expected: Map<string, string>): Promise<void> {
  const published = await readTimeless(toSite(found));
  expect(new Map([...published].filter(([key]) => expected.has(key)))).toEqual(expected);
}
