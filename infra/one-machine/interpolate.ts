/** `$$`, `${NAME}`, `${NAME:-default}` and `${NAME:?message}`, the forms of Compose's that compose.yaml uses. */
const REFERENCE = /\$(?:(\$)|\{(\w+)(?::([-?])([^}]*))?\})/g;

/**
 * A text of a compose file with its variables filled in.
 * @throws {Error} naming a variable that must be set and is unset or empty
 */
export function interpolate(text: string, variables: Readonly<Record<string, string>>): string {
  return text.replaceAll(REFERENCE, (_, dollar?: string, name: string = "", kind?: string, rest: string = "") => {
    if (dollar !== undefined) return "$";
    const value = variables[name] ?? "";
    if (value !== "" || kind === undefined) return value;
    if (kind === "-") return rest;
    throw new Error(`${name} is empty: ${rest}.`);
  });
}

/** The same in every text of a value as a YAML file has it; names of fields stay. */
export function interpolateAll(value: unknown, variables: Readonly<Record<string, string>>): unknown {
  if (typeof value === "string") return interpolate(value, variables);
  if (Array.isArray(value)) return value.map((item) => interpolateAll(item, variables));
  if (value === null || typeof value !== "object") return value;
  return Object.fromEntries(Object.entries(value).map(([name, field]) => [name, interpolateAll(field, variables)]));
}
