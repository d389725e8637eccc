import { hash } from "node:crypto";
import { findGenerations } from "./generations.ts";

/** An answer as it came over the wire, not decoded. */
export interface WireAnswer {
  path: string;
  status: number;
  headers: Record<string, string | string[] | undefined>;
  body: Uint8Array;
}

/** Older than this, an answer must say that it is stale: held.ts waits for a newer one from then on. */
const UNMARKED_MAX_SECONDS = 60;

export interface Checked {
  /** What is wrong with it; null: nothing. */
  fault: string | null;
  /** Of the snapshot it was made from; null: it carries no mark. */
  generation: number | null;
  /** null: not said to be stale. */
  staleSeconds: number | null;
}

/** Whether an answer is whole: its bytes are what its headers say, and all of one snapshot. */
export function checkAnswer({ path, status, headers, body }: WireAnswer): Checked {
  const text = Buffer.from(body).toString();
  const generations = findGenerations(text);
  const age = headers["age"] === undefined ? 0 : Number(headers["age"]);
  const isStale = headers["x-data-stale"] === "true";
  const fault = findFault();
  return {
    fault: fault === null ? null : `${path}: ${fault}`,
    generation: generations[0] ?? null,
    staleSeconds: isStale ? age : null,
  };

  function findFault(): string | null {
    const length = headers["content-length"];
    if (length !== String(body.byteLength)) return `${body.byteLength} bytes, Content-Length ${String(length)}`;
    if (!isJson(text)) return "the body is not whole JSON";
    if (generations.length > 1) return `torn: of the snapshots ${generations.join(", ")}`;
    if (generations.some((generation) => generation > 900_000)) return "of a snapshot that must never be served";
    if (status === 503) return headers["retry-after"] === undefined ? "503 without Retry-After" : null;
    if (status !== 200) return null;
    if (headers["etag"] !== `"${hash("sha256", body, "base64url")}"`) return "the ETag is not that of the body";
    if (!Number.isSafeInteger(age) || age < 0) return `Age ${String(headers["age"])}`;
    if (age >= UNMARKED_MAX_SECONDS + 1 && !isStale) return `${age} s old and not marked stale`;
    return null;
  }
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
