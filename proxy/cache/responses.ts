import type { IncomingMessage } from "node:http";
import { LRUCache } from "lru-cache";
import type { Source } from "../http/reply.ts";
import { MEMORY, type OnPlace } from "./memory.ts";

/** What was answered a moment ago, by target. */
export interface Responses {
  /** What the same request would be answered from, while that reading is fresh; else null. */
  find(request: IncomingMessage): Source | null;
  /** Takes what would still be answered the same, if the target is asked for again in this moment. */
  add(request: IncomingMessage, source: Source): void;
}

interface ResponsesOptions {
  /** Milliseconds since the epoch. */
  now: () => number;
  onPlace?: OnPlace | undefined;
}

/**
 * Answers that can be given again without the app. A reading is fresh until its next one is due, so no age is told of it; what
 * depends on a header, coding or condition, is still decided for each request.
 */
export function createResponses({ now, onPlace }: ResponsesOptions): Responses {
  const sources = new LRUCache<string, Source & { since: number }>({ maxSize: MEMORY.responsesMaxBytes });
  onPlace?.({ name: "responses", maxBytes: MEMORY.responsesMaxBytes, getBytes: () => sources.calculatedSize });
  return {
    find({ method, url = "", headers }) {
      if ((method !== "GET" && method !== "HEAD") || headers["if-match"] !== undefined) return null;
      const found = sources.get(url);
      if (found === undefined) return null;
      const time = now();
      // A clock that was set back must not keep an answer for an hour.
      if (time < found.reading.freshUntil && time >= found.since) return found;
      sources.delete(url);
      return null;
    },
    add({ url = "" }, { reading, variants }) {
      const since = now();
      if (reading.freshUntil <= since) return;
      const size = MEMORY.entryBytes + url.length + reading.value.body.byteLength;
      sources.set(url, { reading, variants, since }, { size });
    },
  };
}
