import type { Operation, Parameter } from "../description/description.ts";

/** Texts of parameters by name; what is empty is left out of the request. */
export type Values = Readonly<Record<string, string>>;

/** What is sent. */
export interface Trial {
  /** Path and query, on this host. */
  target: string;
  headers: readonly [name: string, value: string][];
}

/** The request that an operation makes of values that are within their bounds. */
export function toTrial({ path, parameters }: Pick<Operation, "path" | "parameters">, values: Values): Trial {
  const at = (place: Parameter["place"]) =>
    parameters
      .filter((parameter) => parameter.place === place)
      .map(({ name }): [string, string] => [name, values[name] ?? ""])
      .filter(([, value]) => value !== "");
  const filled = at("path").reduce(
    (text, [name, value]) => text.replace(`{${name}}`, () => encodeURIComponent(value)),
    path,
  );
  const query = new URLSearchParams(at("query")).toString();
  return { target: query === "" ? filled : `${filled}?${query}`, headers: at("header") };
}

/** The same request for a shell. */
export function toCurl({ target, headers }: Trial, origin: string): string {
  return [
    "curl",
    ...headers.flatMap(([name, value]) => ["-H", quote(`${name}: ${value}`)]),
    quote(origin + target),
  ].join(" ");
}

/** One word of a POSIX shell (2.2.2): within single quotes everything stands for itself but the single quote. */
function quote(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}
