import type { Operation, Parameter } from "./description.ts";

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

/** What came of a request; null: nothing was answered. */
export type Outcome = Received | null;

export interface Received {
  status: number;
  /** All that the page may read, names in lower case. */
  headers: ReadonlyMap<string, string>;
  body: Body;
  /** From the request to the end of the body, as the reader's clock has it. */
  milliseconds: number;
}

const DEADLINE_MILLISECONDS = 20_000;

/** Sends a request past the browser's cache, so that what is shown is the API's word. */
export async function send({ target, headers }: Trial, signal: AbortSignal): Promise<Outcome> {
  const start = performance.now();
  try {
    const response = await fetch(target, {
      cache: "no-store",
      headers: headers.map(([name, value]): [string, string] => [name, value]),
      signal: AbortSignal.any([signal, AbortSignal.timeout(DEADLINE_MILLISECONDS)]),
    });
    const body = await readBody(response);
    const { status } = response;
    return { status, headers: new Map(response.headers), body, milliseconds: performance.now() - start };
  } catch {
    // Not reached, given up, or cut in the middle: fetch tells pages none of them apart.
    return null;
  }
}

/** A body as far as it is shown. */
interface Body {
  /** Pretty where it is whole and JSON, else as it came; null: no text. */
  text: string | null;
  /** Bytes that were read, after decompression. */
  bytes: number;
  /** Whether that is all of it. */
  isWhole: boolean;
}

/** More than the longest list; a page with a larger text in it is slow to scroll. */
const BYTES_MAX = 1_000_000;
/** Media types that are text to be read. */
const TEXT = /^text\/|[/+](?:json|xml)\b/;

/** Reads a body to the end or to a million bytes, whichever comes first. */
export async function readBody(response: Response, bytesMax = BYTES_MAX): Promise<Body> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  let isWhole = true;
  const reader = response.body?.getReader();
  for (let next = await reader?.read(); next?.done === false; next = await reader?.read()) {
    chunks.push(next.value);
    bytes += next.value.length;
    if (bytes <= bytesMax) continue;
    isWhole = false;
    await reader?.cancel();
    break;
  }
  const type = response.headers.get("content-type") ?? "";
  if (!TEXT.test(type)) return { text: bytes === 0 ? "" : null, bytes, isWhole };
  // A character that is cut at the end becomes a sign that says so.
  const text = new TextDecoder().decode(concatenate(chunks, bytes));
  return { text: isWhole && type.includes("json") ? toPretty(text) : text, bytes, isWhole };
}

/** The first lines of a text, and how many follow. */
export function fold(text: string, linesMax: number): { shown: string; more: number } {
  const lines = text.split("\n");
  return { shown: lines.slice(0, linesMax).join("\n"), more: Math.max(0, lines.length - linesMax) };
}

/** JSON with a field a line. Documents have no numbers that do not fit into ours: lamports are texts. */
function toPretty(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    // No JSON after all: shown as it came.
    return text;
  }
}

function concatenate(chunks: readonly Uint8Array[], length: number): Uint8Array {
  const all = new Uint8Array(length);
  let at = 0;
  for (const chunk of chunks) {
    all.set(chunk, at);
    at += chunk.length;
  }
  return all;
}
