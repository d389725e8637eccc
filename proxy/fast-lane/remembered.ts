import { LRUCache } from "lru-cache";
import type { Source } from "../http/respond.ts";
import { MEMORY, type OnPlace } from "../memory.ts";

/** What was answered a moment ago, by target. */
export interface Remembered {
  /** What this target was answered from, while that reading is fresh; else null. */
  find(target: string): Source | null;
  /** Takes what would still be answered the same, if the target is asked for again in this moment. */
  add(target: string, source: Source): void;
}

/**
 * @param now milliseconds since the epoch
 * @param onPlace told of the place where it is remembered
 */
export function createRemembered(now: () => number, onPlace?: OnPlace): Remembered {
  const sources = new LRUCache<string, Source & { since: number }>({ maxSize: MEMORY.fastLaneMaxBytes });
  onPlace?.({ name: "fast_lane", maxBytes: MEMORY.fastLaneMaxBytes, getBytes: () => sources.calculatedSize });
  return {
    find(target) {
      const found = sources.get(target);
      if (found === undefined) return null;
      const time = now();
      // A clock that was set back must not keep an answer for an hour.
      if (time < found.reading.freshUntil && time >= found.since) return found;
      sources.delete(target);
      return null;
    },
    add(target, source) {
      const since = now();
      if (source.reading.freshUntil <= since) return;
      const size = MEMORY.entryBytes + target.length + source.reading.value.body.byteLength;
      // A copy: a piece cut out of a head would keep the whole head in memory.
      sources.set(Buffer.from(target).toString(), { ...source, since }, { size });
    },
  };
}
