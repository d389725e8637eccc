import type { Network } from "../../generator/contract/networks.ts";
import type { SnapshotIndex } from "../../generator/contract/snapshot-index.ts";
import { MEMORY } from "../memory.ts";
import { toAnswer, type Answer } from "./answer.ts";
import type { CacheClass } from "../../generator/contract/cache.ts";
import { toFragments, type Fragments } from "./fragments.ts";
import { createAnswers, createRepeatedAnswers, type Answers, type RepeatedAnswers } from "./repeated.ts";
import { toSearchTable, type SearchTable } from "./search-table.ts";

/** One network's index made ready: every item is bytes already, so an answer is put together by copying. */
export interface Snapshot {
  index: SnapshotIndex;
  /** In the order of the index. */
  fragments: Record<"validators" | "events" | "rugsPerEpoch", Fragments>;
  search: SearchTable;
  /** Answers given from this snapshot before. They go when the snapshot goes. */
  answers: Answers;
  /** Answers to searches, apart: whoever searches for one text after the other pushes out other texts, and no page. */
  searches: RepeatedAnswers;
}

/** Bytes of answers to searches kept with one snapshot, of those that all answers may take: what many people type at once. */
const SEARCHES_MAX_BYTES = 4 * 1024 * 1024;

export function toSnapshot(index: SnapshotIndex): Snapshot {
  return {
    index,
    fragments: {
      validators: toFragments(index.validators),
      events: toFragments(index.events),
      rugsPerEpoch: toFragments(index.rugsPerEpoch),
    },
    search: toSearchTable(index),
    answers: createAnswers(MEMORY.answersOfNetworkMaxBytes - SEARCHES_MAX_BYTES),
    searches: createRepeatedAnswers(SEARCHES_MAX_BYTES),
  };
}

/** Bytes that the answers kept with a snapshot take, of {@link MEMORY.answersOfNetworkMaxBytes}. */
export function countAnswerBytes({ answers, searches }: Snapshot): number {
  return answers.calculatedSize + searches.bytes;
}

/** The index of a network of which nothing is published yet: its lists are empty, not missing. */
export function toEmptyIndex(network: Network): SnapshotIndex {
  return {
    network,
    snapshotAt: null,
    latestEpoch: null,
    epoch: null,
    networkStake: { lamports: "0", sol: 0 },
    validators: [],
    unlisted: [],
    events: [],
    rugsPerEpoch: [],
    rugsGlobal: {
      totalRuggedValidators: 0,
      repeatOffenders: 0,
      epochsTracked: 0,
      peakEpoch: null,
      peakValidators: 0,
      averagePerEpoch: 0,
      commissionEvents: 0,
      mevEvents: 0,
    },
  };
}

interface AnswerOptions {
  /** Names the route, unless the answers are of one route only, and every parameter of the answer. */
  key: string;
  cache: CacheClass;
  /** The answer's body, JSON in UTF-8. */
  toBody: () => Uint8Array;
}

/** The answer under a key, put together the first time it is asked for. */
export function getAnswer(answers: Answers, { key, cache, toBody }: AnswerOptions): Answer {
  const known = answers.get(key);
  if (known !== undefined) return known;
  const answer = toAnswer(toBody(), cache);
  answers.set(key, answer);
  return answer;
}
