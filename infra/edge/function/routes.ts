import type { ParameterKey } from "../../../generator/contract/parameters.ts";
import { table } from "./table.ts";

/** A path of the API, and what it takes. */
export interface Match {
  /** Parameters of the path, in their order, and the texts that stand for them. */
  inPath: { key: ParameterKey; text: string }[];
  /** Parameters of the query, in the order in which they are checked. */
  inQuery: ParameterKey[];
  /** Whether the answer is an object, where no parameter of the query but the network says otherwise. */
  isObject: boolean;
}

/** undefined: the API has no such path. */
export function findRoute(path: string): Match | undefined {
  const segments = path.split("/");
  const isMatch = (template: string) => isPathOf(template, segments);
  const object = table.objects.find(isMatch);
  const template = object || table.live.find(isMatch);
  if (template === undefined) return undefined;
  const keys = template.slice(template.indexOf("?") + 1);
  return {
    inPath: toTexts(template, segments),
    inQuery: keys === "" ? [] : (keys.split("&") as ParameterKey[]),
    isObject: object !== undefined,
  };
}

function isPathOf(template: string, segments: readonly string[]): boolean {
  const patterns = toPatterns(template);
  return (
    patterns.length === segments.length &&
    patterns.every((pattern, place) => {
      const segment = segments[place] || "";
      if (!isParameter(pattern)) return pattern === segment;
      const ending = toEnding(pattern);
      return segment.length > ending.length && segment.endsWith(ending);
    })
  );
}

function toTexts(template: string, segments: readonly string[]): Match["inPath"] {
  const texts: Match["inPath"] = [];
  toPatterns(template).forEach((pattern, place) => {
    if (!isParameter(pattern)) return;
    const segment = segments[place] || "";
    const key = pattern.slice(1, pattern.indexOf("}")) as ParameterKey;
    texts.push({ key: key, text: segment.slice(0, segment.length - toEnding(pattern).length) });
  });
  return texts;
}

/** The segments of a template's path. */
function toPatterns(template: string): string[] {
  return template.slice(0, template.indexOf("?")).split("/");
}

function isParameter(pattern: string): boolean {
  return pattern.charAt(0) === "{";
}

/** `.csv` of `{epoch}.csv`. */
function toEnding(pattern: string): string {
  return pattern.slice(pattern.indexOf("}") + 1);
}
