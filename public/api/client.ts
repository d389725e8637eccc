import type { DocumentAddress } from "./documents.ts";

export interface Held<Document> {
  document: Document;
  /** The API sent its last copy (X-Data-Stale). */
  isStale: boolean;
  /** Of performance.now(). */
  readAt: number;
}

export type Answer<Document> = { held: Held<Document> } | { problem: Problem };

const REMEMBERED_MAX = 100;
const DEADLINE_MILLISECONDS = 15_000;

const remembered = new Map<string, Held<unknown>>();
const running = new Map<
  string,
  { answer: Promise<Answer<unknown>>; readers: number; abort: AbortController }
>();

export function recall<Document>({ url }: DocumentAddress<Document>): Held<Document> | null {
  return (remembered.get(url) as Held<Document> | undefined) ?? null;
}

export interface Request<Document> {
  /** Never rejects. */
  answer: Promise<Answer<Document>>;
  leave: () => void;
}

/** `isFresh` revalidates the browser's cache. Readers of one address share a request. */
export function read<Document>(
  address: DocumentAddress<Document>,
  { isFresh = false } = {},
): Request<Document> {
  const { url } = address;
  let request = running.get(url);
  if (request === undefined) {
    const abort = new AbortController();
    const end = () => running.get(url)?.abort === abort && running.delete(url);
    request = {
      answer: ask(address, { isFresh, signal: abort.signal }).finally(end),
      readers: 0,
      abort,
    };
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

async function ask<Document>(
  address: DocumentAddress<Document>,
  asking: Asking,
): Promise<Answer<Document>> {
  const raw = await fetchRaw(address.url, asking);
  if (raw === null) return { problem: { kind: "unreachable" } };
  const read = readEnvelope(raw, address.network);
  if ("problem" in read) return read;
  const held = {
    document: read.document as Document,
    isStale: raw.isStale,
    readAt: performance.now(),
  };
  remember(address.url, held);
  return { held };
}

async function fetchRaw(
  url: string,
  { isFresh, signal }: Asking,
): Promise<(Raw & { isStale: boolean }) | null> {
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
  | {
      kind: "refused";
      status: number;
      code: string;
      message: string;
      retryAfterSeconds: number | null;
    }
  | { kind: "unreachable" }
  | { kind: "unreadable" };

interface Raw {
  status: number;
  retryAfter: string | null;
  body: unknown;
}

/** Without a network, any object is a document. */
export function readEnvelope(
  raw: Raw,
  network: string | null,
): { document: unknown } | { problem: Problem } {
  const { status, body } = raw;
  if (status === 200 && isRecord(body) && (network === null || isOf(network, body)))
    return { document: body };
  if (status !== 200 && isRecord(body) && isRecord(body["error"])) {
    const { code, message } = body["error"];
    if (typeof code === "string" && typeof message === "string")
      return {
        problem: {
          kind: "refused",
          status,
          code,
          message,
          retryAfterSeconds: readSeconds(raw.retryAfter),
        },
      };
  }
  return { problem: { kind: "unreadable" } };
}

/** Of the rate limit, "Too many requests." alone: the shell says when the rest loads. */
export function toSentence(problem: Problem): string {
  if (isLimit(problem)) return "Too many requests.";
  if (problem.kind === "unreachable")
    return "The API does not answer. Check your connection, then try again.";
  if (problem.kind === "unreadable")
    return "The API sent something that this page cannot read. Try again in a minute.";
  return problem.message;
}

export function isLimit(problem: Problem): boolean {
  return problem.kind === "refused" && problem.code === "rate_limited";
}

/** Whether the API has nothing of what was asked for; null: there is no problem. */
export function isNotFound(problem: Problem | null): boolean {
  return problem?.kind === "refused" && problem.status === 404;
}

function isOf(network: string, body: Record<string, unknown>): boolean {
  return "data" in body && isRecord(body["meta"]) && body["meta"]["network"] === network;
}

/** RFC 9110, 10.2.3; the API never sends a date. */
function readSeconds(text: string | null): number | null {
  return text !== null && /^\d{1,5}$/.test(text) ? Number(text) : null;
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null;
}
