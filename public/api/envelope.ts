/** Why a document could not be read. */
export type Problem =
  /** The API says no: its code, its message, and when to ask again. */
  | { kind: "refused"; status: number; code: string; message: string; retryAfterSeconds: number | null }
  /** Nothing came back: no network, or no server. */
  | { kind: "unreachable" }
  /** What came back is no document of the API. */
  | { kind: "unreadable" };

/** An answer before anybody has looked into it. */
export interface Raw {
  status: number;
  /** Of the header of that name; null: none. */
  retryAfter: string | null;
  body: unknown;
}

/** Whether something is the document asked for: data, and a meta of the right network. Of no network: any object. */
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

/** What a reader is told of a problem: one sentence, which says what to do where there is something to do. */
export function toSentence(problem: Problem): string {
  if (problem.kind === "unreachable") return "The API cannot be reached. Check the connection, then try again.";
  if (problem.kind === "unreadable") return "The answer was no document of the API. Try again in a moment.";
  return problem.message;
}

function isOf(network: string, body: Record<string, unknown>): boolean {
  return "data" in body && isRecord(body["meta"]) && body["meta"]["network"] === network;
}

/** Retry-After in seconds (RFC 9110, 10.2.3); the API never sends a date. */
function readSeconds(text: string | null): number | null {
  return text !== null && /^\d{1,5}$/.test(text) ? Number(text) : null;
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null;
}
