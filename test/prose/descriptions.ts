/** A text of the API's description, and where it stands. */
export interface Description {
  /** JSON pointer (RFC 6901). */
  pointer: string;
  text: string;
}

const TEXTS = new Set(["summary", "description"]);
/** Examples are data, not our words. */
const DATA = new Set(["example", "examples"]);

/** Every summary and description of an OpenAPI document. */
export function readDescriptions(node: unknown, pointer = ""): Description[] {
  if (typeof node !== "object" || node === null) return [];
  return Object.entries(node).flatMap(([name, value]: [string, unknown]) => {
    const at = `${pointer}/${name.replaceAll("~", "~0").replaceAll("/", "~1")}`;
    if (TEXTS.has(name) && typeof value === "string") return [{ pointer: at, text: value }];
    return DATA.has(name) ? [] : readDescriptions(value, at);
  });
}
