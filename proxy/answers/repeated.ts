import { LRUCache } from "lru-cache";
import { MEMORY } from "../memory.ts";
import type { Answer } from "./answer.ts";

/** Answers by what was asked; the one that was not asked for for longest goes first. */
export type Answers = LRUCache<string, Answer>;

/** Answers of which most are asked for once. */
export interface RepeatedAnswers {
  /** The answer, if it was kept. */
  get(key: string): Answer | undefined;
  /** Says what was answered. It is kept if the same was asked for a moment ago. */
  offer(key: string, answer: Answer): void;
  /** Bytes that the kept answers take. */
  readonly bytes: number;
}

/** After about so many other texts one is forgotten: milliseconds later under the heaviest load, days later under none. */
const ASKED_MAX = 512;

/** @param maxBytes what the answers take at most, {@link MEMORY.entryBytes} of each included */
export function createAnswers(maxBytes: number): Answers {
  return new LRUCache({ maxSize: maxBytes, sizeCalculation: ({ body }) => MEMORY.entryBytes + body.byteLength });
}

/**
 * Keeps answers from the second asking on. If all were kept, each would live just long enough to be moved among the old
 * objects, and be pushed out there: collecting those stops the process for 20 to 35 ms, once a second under load. To put an
 * answer to a search together again takes some 10 µs.
 */
export function createRepeatedAnswers(maxBytes: number): RepeatedAnswers {
  const kept = createAnswers(maxBytes);
  /** Hashes, each at a place of its own: texts would be held just as long as the answers. */
  const asked = new Uint32Array(ASKED_MAX);
  return {
    get: (key) => kept.get(key),
    offer(key, answer) {
      const hash = toHash(key);
      if (asked[hash % ASKED_MAX] === hash) kept.set(key, answer);
      else asked[hash % ASKED_MAX] = hash;
    },
    get bytes() {
      return kept.calculatedSize;
    },
  };
}

/** FNV-1a, http://www.isthe.com/chongo/tech/comp/fnv/ : two texts of one hash only mean that one is kept a little early. */
function toHash(text: string): number {
  let hash = 0x811c9dc5;
  for (let at = 0; at < text.length; at += 1) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193);
  return hash >>> 0;
}
