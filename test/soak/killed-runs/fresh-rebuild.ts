import { toObjectKey } from "../../../generator/contract/objects.ts";
import type { ObjectStore } from "../../../generator/store/store.ts";
import type { Generator } from "./processes.ts";
import type { Side } from "./site.ts";

/** Folders of the state store that are the journal: all else is made from them. */
const JOURNAL = ["series/", "journal/", "backdated/"];
const STATUS_KEY = toObjectKey("mainnet", "status", {});

/**
 * Copies a journal and nothing else to an empty place, rebuilds there, and compares every public object by its bytes; but
 * for the status, which carries the time of its own making.
 */
export async function compareWithRebuild(
  side: Side,
  { fresh, rebuild }: { fresh: Side; rebuild: () => Generator },
): Promise<{ objects: number; faults: string[] }> {
  for (const folder of JOURNAL) await copy(side.stateStore, fresh.stateStore, folder);
  const generator = rebuild();
  const code = await generator.ended;
  if (code !== 0) return { objects: 0, faults: [`the rebuild ended with ${code}: ${generator.output().trim()}`] };
  const [found, expected] = [await readAll(side.publicStore), await readAll(fresh.publicStore)];
  const keys = [...new Set([...found.keys(), ...expected.keys()])].filter((key) => key !== STATUS_KEY);
  const faults = keys.flatMap((key) => {
    const [one, other] = [found.get(key), expected.get(key)];
    if (one === undefined) return [`${key} is not published, and a rebuild makes it`];
    if (other === undefined) return [`${key} is published, and a rebuild does not make it`];
    return Buffer.compare(one, other) === 0 ? [] : [`${key} is not as a rebuild makes it`];
  });
  return { objects: keys.length, faults };
}

async function copy(from: ObjectStore, to: ObjectStore, folder: string): Promise<void> {
  for await (const { key } of from.list(folder)) {
    const object = await from.get(key);
    if (object === null) throw new Error(`${key} is gone`);
    await to.put(key, object.body, { expect: "absent", contentType: "application/octet-stream" });
  }
}

async function readAll(store: ObjectStore): Promise<Map<string, Uint8Array>> {
  const bodies = new Map<string, Uint8Array>();
  for await (const { key } of store.list("")) bodies.set(key, (await store.get(key))?.body ?? new Uint8Array());
  return bodies;
}
