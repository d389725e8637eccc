/** Most characters shown of a value. */
const SHOWN_MAX = 80;
const PATH_MAX = 200;

/** Where two JSON documents begin to differ. */
export interface JsonDifference {
  /** `data[3].commission`; empty: the document itself. */
  path: string;
  /** As JSON, cut to some 80 characters; null: there is no such value. */
  published: string | null;
  expected: string | null;
}

/** What lies at a path on either side; undefined: nothing. */
interface Pair {
  path: string;
  published: unknown;
  expected: unknown;
}

/**
 * The first place, in the order of the expected document, where two of them differ; null where both hold the same values,
 * so that only their spelling or the order of their fields differs.
 *
 * @param published bytes from outside: any.
 */
export function findJsonDifference(published: Uint8Array, expected: Uint8Array): JsonDifference | null {
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

/** The pairs inside two arrays or two objects; null: they are compared as they are. */
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

/** Control characters escaped, as JSON does: what lies there may be anybody's, and a person reads this in a terminal. */
function toShown(value: unknown): string | null {
  if (value === undefined) return null;
  const text = toPrintable(JSON.stringify(value));
  return text.length <= SHOWN_MAX ? text : `${text.slice(0, SHOWN_MAX)}…`;
}

function toPrintable(text: string): string {
  return text.replaceAll(/[^\x20-\x7e]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`);
}
