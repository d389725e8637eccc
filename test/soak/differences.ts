import { isDeepStrictEqual } from "node:util";
import { toObjectKey } from "../../generator/contract/object-keys.ts";
import { OBJECTS } from "../../generator/contract/objects.ts";
import type { Entry } from "../../generator/entries/entry.ts";
import { readManifest, toManifestKey } from "../../generator/publish/manifest.ts";
import { once } from "../cluster/once.ts";
import type { Stores } from "./forked-store.ts";
import { readLog, type Log } from "./log.ts";

const STATUS_KEY = toObjectKey("mainnet", "status", {});

/** Stores that nothing writes to meanwhile. What is compared is read once, when it is asked for. */
export interface ReadOnce {
  stores: Stores;
  compared: [prefix: string, read: () => Promise<unknown>][];
}

export function readOnce(stores: Stores): ReadOnce {
  const log = once(() => readLog(stores.stateStore));
  return {
    stores,
    compared: [
      ["journal/", once(() => log().then(toJournal))],
      [STATUS_KEY, once(() => readStatus(stores))],
      [toManifestKey("mainnet"), once(() => readPublished(stores, log))],
    ],
  };
}

/**
 * Ignores checkpoints (a cache) and the status's list of repaired damage. The same entry may
 * be stored whole or as its difference from another, so that hashes differ: entries are
 * compared, and whether their chain is whole. Here who died over what follows its observation
 * makes the same one again: it is refused as any that is no later than the newest.
 */
export async function findDifferences(one: ReadOnce, other: ReadOnce): Promise<string[]> {
  const differences = (["publicStore", "stateStore"] as const).flatMap((which) => {
    const [found, expected] = [one.stores[which].etags(), other.stores[which].etags()];
    const keys = [...new Set([...found.keys(), ...expected.keys()])];
    return keys.filter(
      (key) => !key.startsWith("checkpoints/") && found.get(key) !== expected.get(key),
    );
  });
  const readOther = new Map(other.compared);
  const different = await Promise.all(
    one.compared.map(async ([prefix, read]) => {
      const ofPrefix = differences.filter((key) => key.startsWith(prefix));
      const isSame =
        ofPrefix.length > 0 && isDeepStrictEqual(await read(), await readOther.get(prefix)?.());
      return isSame ? [] : ofPrefix;
    }),
  );
  const isCompared = (key: string) => one.compared.some(([prefix]) => key.startsWith(prefix));
  return [...differences.filter((key) => !isCompared(key)), ...different.flat()];
}

function toJournal({ entries, faults }: Log) {
  const texts = entries.map(({ entry }) => toText(entry));
  const distinct = [...new Set(texts)];
  return { faults, distinct, isRepeated: texts.length > distinct.length + 1 };
}

function toText(entry: Entry): string {
  return JSON.stringify(entry, (_, value: unknown) =>
    typeof value === "bigint" ? value.toString() : value,
  );
}

async function readStatus({ publicStore }: Stores) {
  const object = await publicStore.get(STATUS_KEY);
  if (object === null) return null;
  const { data } = OBJECTS.status.schema.parse(JSON.parse(new TextDecoder().decode(object.body)));
  return {
    ...data,
    quarantined: [],
    journal: null,
    refused: [],
    observations: data.observations.accepted,
  };
}

async function readPublished({ stateStore }: Stores, log: () => Promise<Log>) {
  const { manifest } = await readManifest(stateStore, "mainnet");
  if (manifest === null) return null;
  const { entries } = await log();
  const { through } = manifest.journal;
  const isNewest = through === entries.at(-1)?.name;
  return {
    ...manifest,
    journal: { isNewest },
    documents: { ...manifest.documents, [STATUS_KEY]: null },
  };
}
