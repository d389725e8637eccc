import { isDeepStrictEqual } from "node:util";
import { OBJECTS, toObjectKey } from "../../generator/contract/objects.ts";
import { openJournal } from "../../generator/journal/journal.ts";
import type { Stores } from "./forked-store.ts";

const STATUS_KEY = toObjectKey("mainnet", "status", {});

/** Ignores checkpoints (a cache), how far entries are packed, and the status's list of repaired damage. */
export async function findDifferences(one: Stores, other: Stores): Promise<string[]> {
  const differences = (["publicStore", "stateStore"] as const).flatMap((which) => {
    const [found, expected] = [one[which].etags(), other[which].etags()];
    const keys = [...new Set([...found.keys(), ...expected.keys()])];
    return keys.filter((key) => !key.startsWith("checkpoints/") && found.get(key) !== expected.get(key));
  });
  const isEqual = async <Value>(read: (stores: Stores) => Promise<Value>) =>
    isDeepStrictEqual(await read(one), await read(other));
  const isOfJournal = (key: string) => key.startsWith("journal/");
  const isSameJournal = differences.some(isOfJournal) && (await isEqual(readJournal));
  const isSameStatus = differences.includes(STATUS_KEY) && (await isEqual(readStatus));
  return differences.filter((key) => !(isSameJournal && isOfJournal(key)) && !(isSameStatus && key === STATUS_KEY));
}

async function readJournal({ stateStore }: Stores) {
  const journal = openJournal({ store: stateStore, network: "mainnet", series: 1 });
  return Array.fromAsync(journal.read((await journal.names()).names));
}

async function readStatus({ publicStore }: Stores) {
  const object = await publicStore.get(STATUS_KEY);
  if (object === null) return null;
  const { data } = OBJECTS.status.schema.parse(JSON.parse(new TextDecoder().decode(object.body)));
  return { ...data, quarantined: [] };
}
