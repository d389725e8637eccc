import { isDeepStrictEqual } from "node:util";
import { OBJECTS, toObjectKey } from "../../generator/contract/objects.ts";
import { openJournal } from "../../generator/journal/journal.ts";
import type { Stores } from "./forked-store.ts";

const STATUS_KEY = toObjectKey("mainnet", "status", {});

/**
 * Keys of the objects that are not the same in both. Checkpoints may differ: they are but a cache. So may how far entries are
 * packed, which is done piece by piece. And the status may tell of what was found damaged and mended.
 */
export async function findDifferences(one: Stores, other: Stores): Promise<string[]> {
  const differences = (["publicStore", "stateStore"] as const).flatMap((which) => {
    const [found, expected] = [one[which].etags(), other[which].etags()];
    const keys = [...new Set([...found.keys(), ...expected.keys()])];
    return keys.filter((key) => !key.startsWith("checkpoints/") && found.get(key) !== expected.get(key));
  });
  const isOfJournal = (key: string) => key.startsWith("journal/");
  if (differences.some(isOfJournal) && isDeepStrictEqual(await readJournal(one), await readJournal(other)))
    return (await withoutStatus(one, other, differences)).filter((key) => !isOfJournal(key));
  return withoutStatus(one, other, differences);
}

/** Every entry of the journal, or why it cannot be read, from wherever it lies: apart or in a pack. */
function readJournal({ stateStore }: Stores) {
  const journal = openJournal({ store: stateStore, network: "mainnet", series: 1 });
  return journal.names().then(({ names }) => Array.fromAsync(journal.read(names)));
}

/** Leaves out the status where both say the same. */
async function withoutStatus(one: Stores, other: Stores, differences: string[]): Promise<string[]> {
  if (!differences.includes(STATUS_KEY)) return differences;
  const [found, expected] = await Promise.all([readStatus(one), readStatus(other)]);
  return differences.filter((key) => key !== STATUS_KEY || !isDeepStrictEqual(found, expected));
}

/** The status but for what was found damaged; null: there is none. */
async function readStatus({ publicStore }: Stores) {
  const object = await publicStore.get(STATUS_KEY);
  if (object === null) return null;
  const { data } = OBJECTS.status.schema.parse(JSON.parse(new TextDecoder().decode(object.body)));
  return { ...data, quarantined: [] };
}
