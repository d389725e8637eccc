import { hash } from "node:crypto";
import type { CacheClass } from "../../generator/contract/cache.ts";

/** A successful answer, ready to be sent as often as it is asked for. */
export interface Answer {
  /** JSON in UTF-8. */
  body: Uint8Array;
  /** Strong, quoted, by content: equal bytes from any process have equal ETags. */
  etag: string;
  cache: CacheClass;
}

/** An answer, and whether it is old because its source does not answer. */
export interface Reading<Value> {
  value: Value;
  stale: boolean;
}

const encoder = new TextEncoder();

export function toAnswer(content: Uint8Array | string, cache: CacheClass): Answer {
  const body = typeof content === "string" ? encoder.encode(content) : content;
  return { body, etag: `"${hash("sha256", body, "base64url")}"`, cache };
}
