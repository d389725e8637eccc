/**
 * What a client finds at each path of each document: `validators: data[].rank` → `integer`. Alternatives are separated by
 * bars: types, the values of an enumeration in quotes, `null`, and `absent` for a field that may be missing.
 */
export type Shape = Record<string, string>;

const BAR = " | ";
const MODIFIERS = ["null", "absent"];

/** What would break a client that was written against the frozen shape; empty when nothing does. */
export function findBreaks(frozen: Shape, current: Shape): string[] {
  return Object.entries(frozen).flatMap(([path, was]) => {
    const is = current[path];
    if (is === undefined) return [`${path} was removed or renamed (was ${was})`];
    return findTypeBreaks(was, is).map((what) => `${path} ${what} (was ${was}, is ${is})`);
  });
}

/**
 * The frozen shape and what is new beside it: paths, and values of enumerations. It can only grow.
 *
 * @throws Error that lists the breaks when the current shape breaks the frozen one
 */
export function extendShape(frozen: Shape, current: Shape): Shape {
  const breaks = findBreaks(frozen, current);
  if (breaks.length > 0) throw new Error(`The shape of v1 may only grow:\n${breaks.join("\n")}`);
  const kept = Object.entries(frozen).map(([path, was]) => [path, extendType(was, current[path] ?? was)] as const);
  const extended = { ...current, ...Object.fromEntries(kept) };
  return Object.fromEntries(Object.entries(extended).toSorted(([a], [b]) => (a < b ? -1 : 1)));
}

/** Alternatives in one order, whatever order the schema has them in. */
export function joinAlternatives(alternatives: string[]): string {
  const place = (one: string) => `${String(MODIFIERS.indexOf(one) + 1)}${one}`;
  return [...new Set(alternatives)].toSorted((a, b) => (place(a) < place(b) ? -1 : 1)).join(BAR);
}

function findTypeBreaks(was: string, is: string): string[] {
  const before = toAlternatives(was);
  const after = toAlternatives(is);
  const breaks: string[] = [];
  if (before.types.symmetricDifference(after.types).size > 0) breaks.push("was retyped");
  else if (!before.values.isSubsetOf(after.values)) breaks.push("lost a value");
  if (after.nullable && !before.nullable) breaks.push("was made nullable");
  if (after.optional && !before.optional) breaks.push("was made optional");
  return breaks;
}

/** Values are added. A `null` that went is kept: clients were told to expect it, and it may come back. */
function extendType(frozen: string, current: string): string {
  return joinAlternatives([...frozen.split(BAR), ...toAlternatives(current).values]);
}

/** The values of an enumeration count as the type `enum`, so that it never equals a free string. */
function toAlternatives(type: string) {
  const all = type.split(BAR);
  const values = new Set(all.filter((one) => one.startsWith("'")));
  const types = new Set(all.map((one) => (values.has(one) ? "enum" : one)).filter((one) => !MODIFIERS.includes(one)));
  return { types, values, nullable: all.includes("null"), optional: all.includes("absent") };
}
