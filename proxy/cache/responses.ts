import type { IncomingMessage } from "node:http";
import type { Answer, Cached } from "../answer.ts";
import { createPlace, MEMORY, toSize, type OnPlace } from "./memory.ts";
import type { Variants } from "./variants.ts";

export interface Source {
  cached: Cached<Answer>;
  variants: Variants;
}

/** Answers that are still fresh, by target. Coding and conditions are decided for each request. */
export function createResponses(now: () => number, onPlace: OnPlace | undefined) {
  const held = createPlace<Source & { since: number }>(
    "responses",
    MEMORY.responsesMaxBytes,
    onPlace,
  );
  return {
    find({ method, url = "", headers }: IncomingMessage): Source | null {
      if ((method !== "GET" && method !== "HEAD") || headers["if-match"] !== undefined) return null;
      const found = held.get(url);
      if (found === undefined) return null;
      const time = now();
      // `time < since`: the clock was set back.
      if (time < found.cached.freshUntil && time >= found.since) return found;
      held.delete(url);
      return null;
    },
    add({ url = "" }: IncomingMessage, { cached, variants }: Source): void {
      const since = now();
      if (cached.freshUntil <= since) return;
      held.set(url, { cached, variants, since }, toSize(url.length + cached.value.body.byteLength));
    },
  };
}
