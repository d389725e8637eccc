import { LRUCache } from "lru-cache";
import type { CacheClass } from "../../generator/contract/cache.ts";
import type { SnapshotIndex } from "../../generator/contract/snapshot-index.ts";
import { toAnswer, type Answer } from "./answer.ts";
import { MEMORY } from "./memory.ts";
import { toSearchTable, type SearchTable } from "./search-table.ts";

/** One network's index made ready. */
export interface Snapshot {
  index: SnapshotIndex;
  search: SearchTable;
  /** Answers given from this snapshot before. They go when the snapshot goes. */
  answers: Answers;
  /** Answers to searches, apart: whoever searches for one text after the other pushes out other texts, and no page. */
  searches: RepeatedAnswers;
}

export type Answers = LRUCache<string, Answer>;

/** Answers of which most are asked for once. */
export interface RepeatedAnswers {
  get(key: string): Answer | undefined;
  /** Says what was answered. It is kept if the same was asked for a moment ago. */
  offer(key: string, answer: Answer): void;
  /** Bytes that the kept answers take. */
  readonly bytes: number;
}

/** Bytes of answers to searches kept with one snapshot, of those that all its answers may take. */
const SEARCHES_MAX_BYTES = 4 * 1024 * 1024;

export function toSnapshot(index: SnapshotIndex): Snapshot {
  return {
    index,
    search: toSearchTable(index),
    answers: createAnswers(MEMORY.answersOfNetworkMaxBytes - SEARCHES_MAX_BYTES),
    searches: createRepeatedAnswers(SEARCHES_MAX_BYTES),
  };
}

/** Bytes that the answers kept with a snapshot take. */
export function countAnswerBytes({ answers, searches }: Snapshot): number {
  return answers.calculatedSize + searches.bytes;
}

interface AnswerOptions {
  /** Names the route and every parameter of the answer. */
  key: string;
  cache: CacheClass;
  /** The answer's body, JSON in UTF-8. */
  toBody: () => Uint8Array | string;
}

/** The answer under a key, put together the first time it is asked for. */
export function getAnswer(answers: Answers, { key, cache, toBody }: AnswerOptions): Answer {
  const known = answers.get(key);
  if (known !== undefined) return known;
  const answer = toAnswer(toBody(), cache);
  answers.set(key, answer);
  return answer;
}

function createAnswers(maxSize: number): Answers {
  return new LRUCache({ maxSize, sizeCalculation: ({ body }) => MEMORY.entryBytes + body.byteLength });
}

/** After about so many other texts one is forgotten: milliseconds later under the heaviest load. */
const ASKED_MAX = 512;

/**
 * Keeps answers from the second asking on. If all were kept, each would live just long enough to be moved among the old
 * objects, and collecting those stops the process for 20 to 35 ms. To put an answer to a search together again takes 10 µs.
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

/** FNV-1a: two texts of one hash only mean that one is kept a little early. */
function toHash(text: string): number {
  let hash = 0x811c9dc5;
  for (let at = 0; at < text.length; at += 1) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193);
  return hash >>> 0;
}
