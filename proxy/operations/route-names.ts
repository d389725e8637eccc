import { ENDPOINTS } from "../../generator/contract/endpoints.ts";

/** Paths for those who run the proxy; they are no part of the API and outside of its rate limit. */
export const HEALTH_PATHS = { live: "/healthz", ready: "/readyz" } as const;

/** What a path is counted under when it is none of ours: never the path itself, or strangers could make up new counters. */
export const UNKNOWN_ROUTE = "unknown";

const TEMPLATES: readonly string[] = [
  ...Object.values(ENDPOINTS).map(({ path }) => path),
  ...Object.values(HEALTH_PATHS),
];
/** Handed out as they are here: the text cut out of a target would have to be hashed anew by whoever counts by it. */
const FIXED = new Map(TEMPLATES.filter((template) => !template.includes("{")).map((template) => [template, template]));
const WITH_NAMES = TEMPLATES.filter((template) => template.includes("{")).map((template) => ({
  template,
  pattern: new RegExp(`^${template.replaceAll(/\{\w+\}/g, "[^/?]+")}$`),
}));

/** The template of the route that a request target belongs to, such as `/api/v1/validators/{votePubkey}`. */
export function toRouteName(target: string): string {
  const queryAt = target.indexOf("?");
  const path = queryAt === -1 ? target : target.slice(0, queryAt);
  return findTemplate(path) ?? findTemplate(readAsRouter(path)) ?? UNKNOWN_ROUTE;
}

function findTemplate(path: string): string | undefined {
  return FIXED.get(path) ?? WITH_NAMES.find(({ pattern }) => pattern.test(path))?.template;
}

/** Longer than any path of ours in another spelling: what is not read takes no time. */
const SPELLING_MAX_CHARACTERS = 512;

/** A path as the router reads it: without dots, backslashes or an origin, and decoded. Unchanged if that cannot be. */
function readAsRouter(path: string): string {
  if (path.length > SPELLING_MAX_CHARACTERS) return path;
  try {
    return decodeURI(new URL(/^https?:/i.test(path) ? path : `http://proxy${path}`).pathname);
  } catch {
    return path;
  }
}
