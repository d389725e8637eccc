import type { Digest } from "../contract/export.ts";
import type { Network } from "../contract/networks.ts";
import { FORMS } from "../contract/forms.ts";
import { fromObjectKey, OBJECTS, toNetworkPrefixes, toObjectKey, type ObjectReference } from "../contract/objects.ts";
import type { ObjectStore } from "../store/store.ts";
import { getOrDamaged } from "../store/damaged.ts";
import type { Render } from "./publish.ts";
import { forEachLimited, toItems, toSha256 } from "./upload.ts";

const CONCURRENCY = 16;

/** Most characters shown of a value. */
const SHOWN_MAX = 80;
const PATH_MAX = 200;

/** Of what lies in the store before it is read. */
const LIES_THERE: Digest = { bytes: 0, sha256: "" };

export interface Difference {
  key: string;
  /** missing: should be there. different: has other bytes. unexpected: nothing of the network belongs there. */
  what: "missing" | "different" | "unexpected";
  /** Of a different one that is JSON: where first; null where only its spelling differs. */
  where?: JsonDifference | null;
}

/** Where two JSON documents begin to differ. */
export interface JsonDifference {
  /** `data[3].commission`; empty: the document itself. */
  path: string;
  /** As JSON, cut to some 80 characters; null: there is no such value. */
  published: string | null;
  expected: string | null;
}

export interface CompareRequest {
  publicStore: ObjectStore;
  network: Network;
  /** All documents there should be. */
  references: Iterable<ObjectReference>;
  /** The document of a reference; null: there should be none. Called lazily. */
  render: Render;
  /** Of an earlier state, not compared (deferred.ts); nothing by default. */
  deferred?: ReadonlyMap<string, Digest | null>;
}

/**
 * Compares every document byte by byte. The status is left out: it alone carries the time of its making. What is
 * unexpected a pruning may delete.
 * @throws {StoreError}
 */
export async function compareWithPublished(request: CompareRequest): Promise<Difference[]> {
  const { publicStore, network, references, render, deferred } = request;
  const unexpected = await listPublished(publicStore, network);
  const differences: Difference[] = [];
  // A list is made from what there should be. Items are begun in order: those that it names before it.
  const digests = new Map<string, Digest>();
  await forEachLimited(toItems(network, references), {
    concurrency: CONCURRENCY,
    work: async ({ key, reference }) => {
      const left = deferred?.get(key);
      if (left !== undefined) {
        if (left !== null) digests.set(key, left);
        unexpected.delete(key);
        return;
      }
      // Some stay because they lie there: their own key is asked for.
      const lies = unexpected.has(key) ? LIES_THERE : null;
      const body = render(reference, (listed) => (listed === key ? lies : (digests.get(listed) ?? null)));
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

/** Keys of all objects of a network but its status and its wallet index, which the journal does not tell. */
export async function listPublished(publicStore: ObjectStore, network: Network): Promise<Set<string>> {
  const keys = new Set<string>();
  for (const prefix of toNetworkPrefixes(network))
    for await (const { key } of publicStore.list(prefix)) if (!isOfWalletIndex(network, key)) keys.add(key);
  keys.delete(toObjectKey(network, "status", {}));
  return keys;
}

/** Whether an object is of the wallet index, which the journal does not tell: a rebuild leaves it as it is. */
export function isOfWalletIndex(network: Network, key: string): boolean {
  const kind = fromObjectKey(network, key)?.kind;
  return kind === "wallets" || kind === "walletShard";
}

/** A difference for a person, in a line. */
export function toDifferenceLine({ key, what, where }: Difference): string {
  if (where === undefined) return `${what}: ${key}`;
  if (where === null) return `${what}: ${key}: the same values, written differently`;
  const { path, published, expected } = where;
  const [is, should] = [published, expected].map((value) => value ?? "nothing");
  return `${what}: ${key}: at ${path === "" ? "its root" : path} is ${is}, the journal says ${should}`;
}

/** What lies at a path on either side; undefined: nothing. */
interface Pair {
  path: string;
  published: unknown;
  expected: unknown;
}

/**
 * The first place, in the order of the expected document, where two differ; null where only spelling or order of fields
 * does.
 * @param published bytes from outside: any.
 */
function findJsonDifference(published: Uint8Array, expected: Uint8Array): JsonDifference | null {
  const pair = { path: "", published: toValue(published), expected: toValue(expected) };
  const found = findFirst(pair);
  if (found === null) return null;
  return {
    path: toPrintable(found.path).slice(0, PATH_MAX),
    published: toShown(found.published),
    expected: toShown(found.expected),
  };
}

/** Without recursion: a foreign document may be nested deeper than a stack is. */
function findFirst(whole: Pair): Pair | null {
  const pairs = [whole];
  for (let pair = pairs.pop(); pair !== undefined; pair = pairs.pop()) {
    const parts = toParts(pair);
    if (parts === null) {
      if (pair.published !== pair.expected) return pair;
    } else pairs.push(...parts.reverse());
  }
  return null;
}

/** Null: they are compared as they are. */
function toParts({ path, published, expected }: Pair): Pair[] | null {
  if (Array.isArray(published) && Array.isArray(expected)) {
    const length = Math.max(published.length, expected.length);
    return Array.from({ length }, (_, index) => ({
      path: `${path}[${index}]`,
      published: published[index] as unknown,
      expected: expected[index] as unknown,
    }));
  }
  if (!isObject(published) || !isObject(expected)) return null;
  const names = new Set([...Object.keys(expected), ...Object.keys(published)]);
  return [...names].map((name) => ({
    path: path === "" ? name : `${path}.${name}`,
    published: Object.hasOwn(published, name) ? published[name] : undefined,
    expected: Object.hasOwn(expected, name) ? expected[name] : undefined,
  }));
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** What bytes hold; where they are no JSON, their beginning as text. */
function toValue(bytes: Uint8Array): unknown {
  const text = new TextDecoder().decode(bytes);
  try {
    return JSON.parse(text);
  } catch {
    return `no JSON: ${text.slice(0, SHOWN_MAX)}`;
  }
}

/** What lies there may be anybody's, and a person reads this in a terminal. */
function toShown(value: unknown): string | null {
  if (value === undefined) return null;
  const text = toPrintable(JSON.stringify(value));
  return text.length <= SHOWN_MAX ? text : `${text.slice(0, SHOWN_MAX)}…`;
}

function toPrintable(text: string): string {
  return text.replaceAll(/[^\x20-\x7e]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`);
}
