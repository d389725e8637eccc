import { z } from "zod";
import type { Network } from "../contract/networks.ts";
import { timeSchema } from "../contract/values.ts";
import type { ObjectStore } from "../store/store.ts";

/** A cluster's life from one genesis to the next. */
export interface Series {
  /** From 1. */
  series: number;
  /** Genesis hash, Base58. */
  genesis: string;
  /** When it began to be journaled; ISO 8601. */
  since: string;
}

const seriesSchema = z.array(
  z.object({ series: z.int().min(1).max(9999), genesis: z.string().min(1).max(64), since: timeSchema }),
);

/**
 * The series of a network, newest last; none when it was never observed.
 *
 * @throws {StoreError}
 * @throws {Error} when what is there cannot be read: to go on with a guess could mix two clusters in one journal.
 */
export async function readSeries(store: ObjectStore, network: Network): Promise<Series[]> {
  const object = await store.get(toSeriesKey(network));
  if (object === null) return [];
  try {
    return seriesSchema.parse(JSON.parse(new TextDecoder().decode(object.body)));
  } catch (cause) {
    throw new Error(`${toSeriesKey(network)} in ${store.name} cannot be read`, { cause });
  }
}

/**
 * Begins the next series of a network. Where the newest one has the same genesis, it goes on: so two generators that meet a
 * new cluster at once agree.
 *
 * @throws {Error} when another generator began the network's first series with another genesis at the same time.
 */
export async function startSeries(
  store: ObjectStore,
  { network, genesis, since }: { network: Network; genesis: string; since: string },
): Promise<Series> {
  const known = await readSeries(store, network);
  const newest = known.at(-1);
  if (newest?.genesis === genesis) return newest;
  const next = { series: (newest?.series ?? 0) + 1, genesis, since };
  const body = new TextEncoder().encode(JSON.stringify(seriesSchema.parse([...known, next])));
  const expect = known.length === 0 ? "absent" : "any";
  const written = await store.put(toSeriesKey(network), body, { expect, contentType: "application/json" });
  if (written !== null) return next;
  const first = (await readSeries(store, network)).at(-1);
  if (first?.genesis === genesis) return first;
  throw new Error(`another generator has just begun a series of ${network} with another genesis`);
}

function toSeriesKey(network: Network): string {
  return `series/${network}.json`;
}
