import type { DocumentAddress } from "./documents.ts";

/** A document as it was read. */
export interface Held<Document> {
  document: Document;
  /** The API could not reach its source and gave what it held (X-Data-Stale). */
  isStale: boolean;
}

export type Answer<Document> = { held: Held<Document> } | { problem: Problem };

/** Some ten pages of the site. */
const REMEMBERED_MAX = 100;
const DEADLINE_MILLISECONDS = 15_000;

const remembered = new Map<string, Held<unknown>>();
const running = new Map<string, { answer: Promise<Answer<unknown>>; readers: number; abort: AbortController }>();

/** The last answer for an address, be it old. */
export function recall<Document>({ url }: DocumentAddress<Document>): Held<Document> | null {
  return (remembered.get(url) as Held<Document> | undefined) ?? null;
}

export interface Request<Document> {
  /** Never rejects. */
  answer: Promise<Answer<Document>>;
  /** The request ends when nobody waits for it any more. */
  leave: () => void;
}

/**
 * Reads a document. The browser's own cache obeys Cache-Control and revalidates by ETag; `isFresh` revalidates at once. Readers of
 * one address share one request.
 */
export function read<Document>(address: DocumentAddress<Document>, { isFresh = false } = {}): Request<Document> {
  const { url } = address;
  let request = running.get(url);
  if (request === undefined) {
    const abort = new AbortController();
    const end = () => running.get(url)?.abort === abort && running.delete(url);
    request = { answer: ask(address, { isFresh, signal: abort.signal }).finally(end), readers: 0, abort };
    running.set(url, request);
  }
  const shared = request;
  shared.readers += 1;
  const leave = () => {
    shared.readers -= 1;
    if (shared.readers > 0 || running.get(url) !== shared) return;
    running.delete(url);
    shared.abort.abort();
  };
  return { answer: shared.answer as Promise<Answer<Document>>, leave };
}

interface Asking {
  isFresh: boolean;
  signal: AbortSignal;
}

async function ask<Document>(address: DocumentAddress<Document>, asking: Asking): Promise<Answer<Document>> {
  const raw = await fetchRaw(address.url, asking);
  if (raw === null) return { problem: { kind: "unreachable" } };
  const read = readEnvelope(raw, address.network);
  if ("problem" in read) return read;
  const held = { document: read.document as Document, isStale: raw.isStale };
  remember(address.url, held);
  return { held };
}

async function fetchRaw(url: string, { isFresh, signal }: Asking): Promise<(Raw & { isStale: boolean }) | null> {
  try {
    const response = await fetch(url, {
      cache: isFresh ? "no-cache" : "default",
      headers: { accept: "application/json" },
      signal: AbortSignal.any([signal, AbortSignal.timeout(DEADLINE_MILLISECONDS)]),
    });
    const { status, headers } = response;
    const isStale = headers.get("x-data-stale") === "true";
    const body: unknown = await response.json().catch(() => null);
    return { status, retryAfter: headers.get("retry-after"), body, isStale };
  } catch {
    // fetch rejects alike for every cause.
    return null;
  }
}

function remember(url: string, held: Held<unknown>): void {
  remembered.delete(url);
  remembered.set(url, held);
  const [oldest] = remembered.keys();
  if (remembered.size > REMEMBERED_MAX && oldest !== undefined) remembered.delete(oldest);
}

export type Problem =
  /** An error of the API. */
  | { kind: "refused"; status: number; code: string; message: string; retryAfterSeconds: number | null }
  | { kind: "unreachable" }
  | { kind: "unreadable" };

interface Raw {
  status: number;
  retryAfter: string | null;
  body: unknown;
}

/**
 * Takes a body for a document only if it has data, and a meta of the right network; without a network any object will do.
 */
export function readEnvelope(raw: Raw, network: string | null): { document: unknown } | { problem: Problem } {
  const { status, body } = raw;
  if (status === 200 && isRecord(body) && (network === null || isOf(network, body))) return { document: body };
  if (status !== 200 && isRecord(body) && isRecord(body["error"])) {
    const { code, message } = body["error"];
    if (typeof code === "string" && typeof message === "string")
      return { problem: { kind: "refused", status, code, message, retryAfterSeconds: readSeconds(raw.retryAfter) } };
  }
  return { problem: { kind: "unreadable" } };
}

/** A problem in a sentence that says what to do. */
export function toSentence(problem: Problem): string {
  if (problem.kind === "unreachable") return "The API cannot be reached. Check the connection, then try again.";
  if (problem.kind === "unreadable") return "The answer was no document of the API. Try again in a moment.";
  return problem.message;
}

function isOf(network: string, body: Record<string, unknown>): boolean {
  return "data" in body && isRecord(body["meta"]) && body["meta"]["network"] === network;
}

/** Seconds only (RFC 9110, 10.2.3): the API never sends a date. */
function readSeconds(text: string | null): number | null {
  return text !== null && /^\d{1,5}$/.test(text) ? Number(text) : null;
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null;
}
