import type { Operation, Parameter } from "./description.ts";

/** Empty values are left out of the request. */
export type Values = Readonly<Record<string, string>>;

export interface Trial {
  target: string;
  headers: readonly [name: string, value: string][];
}

export function toTrial(
  { path, parameters }: Pick<Operation, "path" | "parameters">,
  values: Values,
): Trial {
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

/** null: no answer. */
export type Outcome = Received | null;

export interface Received {
  status: number;
  headers: ReadonlyMap<string, string>;
  body: Body;
  milliseconds: number;
}

const DEADLINE_MILLISECONDS = 20_000;

/** To show the API's own answer. */
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
    return {
      status,
      headers: new Map(response.headers),
      body,
      milliseconds: performance.now() - start,
    };
  } catch {
    return null;
  }
}

interface Body {
  /** Pretty-printed if complete and JSON; null: not text. */
  text: string | null;
  bytes: number;
  isWhole: boolean;
}

const BYTES_MAX = 1_000_000;
const TEXT = /^text\/|[/+](?:json|xml)\b/;

/** @param bytesMax reads at most one chunk more */
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
  const text = new TextDecoder().decode(concatenate(chunks, bytes));
  return { text: isWhole && type.includes("json") ? toPretty(text) : text, bytes, isWhole };
}

export function fold(text: string, linesMax: number): { shown: string; more: number } {
  const lines = text.split("\n");
  return { shown: lines.slice(0, linesMax).join("\n"), more: Math.max(0, lines.length - linesMax) };
}

function toPretty(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
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
