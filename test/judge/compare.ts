import type { Published } from "./worlds.ts";

export interface Difference {
  /** The key with `*` for its validator, epoch or number, and the field's path. */
  where: string;
  /** The document's key, and the field with the names of its items. */
  at: string;
  /** As JSON; null: not there. */
  old: string | null;
  new: string | null;
}

/** What tells of the run, not of the cluster. */
const OF_THE_RUN =
  /(?:^|\.)(?:generatedAt|generator|lease|foldVersion|renderVersion|entries|observation|digest|durationMs)(?:\.|$)/;

const PORT = /127\.0\.0\.1:\d+/g;

/** Field by field: items of a list are the same if they have one id, epoch, key or name. */
export function compare(old: Published, now: Published): Difference[] {
  const keys = [...new Set([...Object.keys(old), ...Object.keys(now)])].sort();
  return keys.flatMap((key) => {
    const [one, other] = [old, now].map((published) => flatten(published[key]?.replaceAll(PORT, "127.0.0.1")));
    if (one === undefined || other === undefined) return [];
    return [...new Set([...one.keys(), ...other.keys()])]
      .filter((path) => one.get(path) !== other.get(path) && !OF_THE_RUN.test(path))
      .map((path) => ({
        where: `${toPattern(key)} ${path.replaceAll(/\[[^\]]*\]/g, "[]")}`,
        at: `${key} ${path}`,
        old: one.get(path) ?? null,
        new: other.get(path) ?? null,
      }));
  });
}

function toPattern(key: string): string {
  return key.replaceAll(/[1-9A-HJ-NP-Za-km-z]{32,44}/g, "*").replaceAll(/\d+(?=\.|\/)/g, "*");
}

function flatten(text: string | undefined): Map<string, string> {
  const fields = new Map<string, string>();
  if (text === undefined) return fields;
  const document = parse(text);
  if (document === null) fields.set("text", JSON.stringify(text));
  else walk(document, "", fields);
  return fields;
}

function parse(text: string): object | null {
  if (!text.startsWith("{") && !text.startsWith("[")) return null;
  return JSON.parse(text) as object;
}

function walk(value: unknown, path: string, fields: Map<string, string>): void {
  if (typeof value !== "object" || value === null) {
    fields.set(path, JSON.stringify(value));
    return;
  }
  // So that an empty list or object differs from none.
  fields.set(path, Array.isArray(value) ? "list" : "object");
  const isList = Array.isArray(value);
  for (const [name, part] of Object.entries(value))
    walk(part, isList ? `${path}[${nameOf(part) ?? name}]` : path === "" ? name : `${path}.${name}`, fields);
}

const NAMES = ["id", "epoch", "votePubkey", "pubkey", "name", "day", "date", "at", "code"];

function nameOf(item: unknown): string | null {
  if (typeof item !== "object" || item === null) return null;
  const name = NAMES.find((each) => each in item);
  return name === undefined ? null : String((item as Record<string, unknown>)[name]);
}
