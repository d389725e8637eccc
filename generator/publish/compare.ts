import type { Digest } from "../contract/export.ts";
import type { Network } from "../contract/networks.ts";
import { FORMS } from "../contract/forms.ts";
import { OBJECTS, toNetworkPrefixes, toObjectKey, type ObjectReference } from "../contract/objects.ts";
import type { ObjectStore } from "../store/store.ts";
import { getOrDamaged } from "../store/damaged.ts";
import { toSha256 } from "./diff.ts";
import { toItems } from "./items.ts";
import { findJsonDifference, type JsonDifference } from "./json-difference.ts";
import type { Render } from "./publish.ts";
import { forEachLimited } from "./upload.ts";

const CONCURRENCY = 16;

export interface Difference {
  key: string;
  /** missing: should be there. different: has other bytes. unexpected: nothing of the network belongs there. */
  what: "missing" | "different" | "unexpected";
  /** Of a different one that is JSON: where first; null where only its spelling differs. */
  where?: JsonDifference | null;
}

export interface CompareRequest {
  publicStore: ObjectStore;
  network: Network;
  /** All documents there should be. */
  references: Iterable<ObjectReference>;
  /** The document of a reference; null: there should be none. Called lazily. */
  render: Render;
  /** What is known to lie there of an earlier state, and is not compared (owed.ts); nothing by default. */
  owed?: ReadonlyMap<string, Digest | null>;
}

/**
 * Compares every document, byte by byte, with what lies in the public store, by key. The status is left out: it alone
 * carries the time of its own making. What is unexpected is what a pruning may delete.
 *
 * @throws {StoreError}
 */
export async function compareWithPublished(request: CompareRequest): Promise<Difference[]> {
  const { publicStore, network, references, render, owed } = request;
  const unexpected = await listPublished(publicStore, network);
  const differences: Difference[] = [];
  // A list is told of what there should be, not of what lies there. Items are begun in order: those that it names before it.
  const digests = new Map<string, Digest>();
  await forEachLimited(toItems(network, references), {
    concurrency: CONCURRENCY,
    work: async ({ key, reference }) => {
      const left = owed?.get(key);
      if (left !== undefined) {
        if (left !== null) digests.set(key, left);
        unexpected.delete(key);
        return;
      }
      const body = render(reference, (listed) => digests.get(listed) ?? null);
      if (body === null) return;
      digests.set(key, { bytes: body.byteLength, sha256: toSha256(body) });
      unexpected.delete(key);
      const published = await getOrDamaged(publicStore, key);
      if (published === null) differences.push({ key, what: "missing" });
      else if ("damaged" in published) differences.push({ key, what: "different" });
      else if (Buffer.compare(published.body, body) !== 0) {
        const isJson = FORMS[OBJECTS[reference.kind].form].holds === "json";
        differences.push({
          key,
          what: "different",
          ...(isJson && { where: findJsonDifference(published.body, body) }),
        });
      }
    },
  });
  for (const key of unexpected) differences.push({ key, what: "unexpected" });
  return differences.sort((one, other) => (one.key < other.key ? -1 : 1));
}

/** Keys of all objects of a network but its status. */
export async function listPublished(publicStore: ObjectStore, network: Network): Promise<Set<string>> {
  const keys = new Set<string>();
  for (const prefix of toNetworkPrefixes(network)) for await (const { key } of publicStore.list(prefix)) keys.add(key);
  keys.delete(toObjectKey(network, "status", {}));
  return keys;
}

/** A difference for a person, in a line. */
export function toDifferenceLine({ key, what, where }: Difference): string {
  if (where === undefined) return `${what}: ${key}`;
  if (where === null) return `${what}: ${key}: the same values, spelt otherwise`;
  const { path, published, expected } = where;
  const [is, should] = [published, expected].map((value) => value ?? "nothing");
  return `${what}: ${key}: at ${path === "" ? "its root" : path} is ${is}, the journal says ${should}`;
}
