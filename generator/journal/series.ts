import { z } from "zod";
import type { Network } from "../contract/networks.ts";
import { timeSchema } from "../contract/values.ts";
import type { ObjectStore } from "../store/store.ts";
import { toSeriesPrefix } from "./names.ts";

/** A cluster's life from one genesis to the next. */
export interface Series {
  series: number;
  genesis: string;
  /** When it was first journaled. */
  since: string;
}

const SERIES_MAX = 9999;

const seriesSchema = z.object({
  series: z.int().min(1).max(SERIES_MAX),
  genesis: z.string().min(1).max(64),
  since: timeSchema,
});

/**
 * Series of a network, newest last; empty if it was never observed.
 * @throws {Error} when one is missing, unreadable or foreign: a guess could mix two clusters
 */
export async function readSeries(store: ObjectStore, network: Network): Promise<Series[]> {
  const known: Series[] = [];
  for await (const { key } of store.list(`series/${network}/`)) {
    const expected = toSeriesKey(network, known.length + 1);
    if (key !== expected) throw new Error(`${key} is in ${store.name} where ${expected} should be`);
    known.push(await readOne(store, key, known.length + 1));
  }
  return known;
}

async function readOne(store: ObjectStore, key: string, number: number): Promise<Series> {
  const object = await store.get(key);
  try {
    const one = seriesSchema.parse(JSON.parse(new TextDecoder().decode(object?.body)));
    if (one.series !== number) throw new Error(`it is of the series ${one.series}`);
    return one;
  } catch (cause) {
    throw new Error(`${key} in ${store.name} cannot be read`, { cause });
  }
}

/**
 * Starts a series, or continues the newest if it has this genesis, so that two generators that
 * meet a new cluster agree.
 * @throws {Error} when another generator just started it with another genesis
 */
export async function startSeries(
  store: ObjectStore,
  { network, genesis, since }: { network: Network; genesis: string; since: string },
): Promise<Series> {
  const known = await readSeries(store, network);
  const newest = known.at(-1);
  if (newest?.genesis === genesis) return newest;
  const next = seriesSchema.parse({ series: known.length + 1, genesis, since });
  const body = new TextEncoder().encode(JSON.stringify(next));
  const key = toSeriesKey(network, next.series);
  if ((await store.put(key, body, { expect: "absent", contentType: "application/json" })) !== null)
    return next;
  const begun = await readOne(store, key, next.series);
  if (begun.genesis === genesis) return begun;
  throw new Error(`another generator has just begun a series of ${network} with another genesis`);
}

/** `series/mainnet/0001.json` */
function toSeriesKey(network: Network, series: number): string {
  return `${toSeriesPrefix({ network, series }, "series").slice(0, -1)}.json`;
}
