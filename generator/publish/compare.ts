import type { Digest } from "../contract/export.ts";
import type { Network } from "../contract/networks.ts";
import { FORMS } from "../contract/forms.ts";
import { fromObjectKey, toNetworkPrefixes, toObjectKey } from "../contract/object-keys.ts";
import { OBJECTS, type ObjectReference } from "../contract/objects.ts";
import type { ObjectStore } from "../store/store.ts";
import { getOrDamaged } from "../store/damaged.ts";
import type { CountRows, Render } from "./publish.ts";
import { forEachLimited, toItems, toSha256 } from "./upload.ts";

const CONCURRENCY = 16;

const QUOTED_MAX = 80;
const PATH_MAX = 200;

/** A stored document that differs from what the journal produces. */
export interface Difference {
  key: string;
  /** unexpected: the network has no such document. */
  what: "missing" | "different" | "unexpected";
  /** The first difference; null: the same values, written differently. */
  where?: JsonDifference | null;
}

interface JsonDifference {
  /** `data[3].commission`; empty: the document itself. */
  path: string;
  /** JSON, cut; null: no value. */
  published: string | null;
  expected: string | null;
}

interface CompareRequest {
  publicStore: ObjectStore;
  network: Network;
  references: Iterable<ObjectReference>;
  /** null: the document should not exist. */
  render: Render;
  countRows: CountRows;
  /** Documents that are not compared (deferred.ts). */
  deferred?: ReadonlyMap<string, Digest | null>;
}

/**
 * Renders every document and compares it with the stored one. It writes nothing. Used by
 * `rebuild --verify`.
 */
export async function compareWithPublished(request: CompareRequest): Promise<Difference[]> {
  const { publicStore, network, references, render, countRows, deferred } = request;
  const unexpected = await listPublished(publicStore, network);
  const differences: Difference[] = [];
  // Lists are rendered after the documents they name.
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
      const body = render(reference, (listed) => digests.get(listed) ?? null);
      if (body === null) return;
      const rows = countRows(reference);
      digests.set(key, {
        bytes: body.byteLength,
        sha256: toSha256(body),
        ...(rows !== null && { rows }),
      });
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

/** Leaves out the status and the wallet index, which do not come from the journal. */
export async function listPublished(
  publicStore: ObjectStore,
  network: Network,
): Promise<Set<string>> {
  const keys = new Set<string>();
  for (const prefix of toNetworkPrefixes(network))
    for await (const { key } of publicStore.list(prefix))
      if (!isOfWalletIndex(network, key)) keys.add(key);
  keys.delete(toObjectKey(network, "status", {}));
  return keys;
}

/** Whether a key belongs to the wallet index, which is not made from the journal. */
export function isOfWalletIndex(network: Network, key: string): boolean {
  const kind = fromObjectKey(network, key)?.kind;
  return kind === "wallets" || kind === "walletShard";
}

/** A difference as one line for the command line. */
export function toDifferenceLine({ key, what, where }: Difference): string {
  if (where === undefined) return `${what}: ${key}`;
  if (where === null) return `${what}: ${key}: the same values, written differently`;
  const { path, published, expected } = where;
  const [is, should] = [published, expected].map((value) => value ?? "nothing");
  return `${what}: ${key}: at ${path === "" ? "its root" : path} is ${is}, the journal says ${should}`;
}

interface Pair {
  path: string;
  published: unknown;
  expected: unknown;
}

/** null: only the notation or the order of fields differs. */
function findJsonDifference(published: Uint8Array, expected: Uint8Array): JsonDifference | null {
  const pair = { path: "", published: toValue(published), expected: toValue(expected) };
  const found = findFirst(pair);
  if (found === null) return null;
  return {
    path: toPrintable(found.path).slice(0, PATH_MAX),
    published: toText(found.published),
    expected: toText(found.expected),
  };
}

/** Uses no recursion: a foreign document may be nested deeper than the stack. */
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

function toValue(bytes: Uint8Array): unknown {
  const text = new TextDecoder().decode(bytes);
  try {
    return JSON.parse(text);
  } catch {
    return `no JSON: ${text.slice(0, QUOTED_MAX)}`;
  }
}

/** Cleaned, because text of others goes to a terminal here. */
function toText(value: unknown): string | null {
  if (value === undefined) return null;
  const text = toPrintable(JSON.stringify(value));
  return text.length <= QUOTED_MAX ? text : `${text.slice(0, QUOTED_MAX)}…`;
}

function toPrintable(text: string): string {
  return text.replaceAll(
    /[^\x20-\x7e]/g,
    (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}
