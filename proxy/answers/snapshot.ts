import { LRUCache } from "lru-cache";
import type { CommissionEvent } from "../../generator/contract/event.ts";
import type { Network } from "../../generator/contract/networks.ts";
import type { SnapshotIndex } from "../../generator/contract/snapshot-index.ts";
import { toAnswer, type Answer } from "./answer.ts";
import type { CacheClass } from "../../generator/contract/cache.ts";
import { toSearchTable, type SearchTable } from "./search-table.ts";

/** Bytes of answers kept with one snapshot: a popular page is put together once. */
const ANSWERS_MAX_BYTES = 16 * 1024 * 1024;

/** One network's index made ready: every item is JSON text already, so an answer is a join. */
export interface Snapshot {
  index: SnapshotIndex;
  /** By rank. */
  validators: readonly string[];
  /** Newest first. */
  events: readonly SnapshotEvent[];
  /** Oldest epoch first. */
  rugsPerEpoch: readonly string[];
  search: SearchTable;
  /** Answers given from this snapshot before, by route and parameters. They go when the snapshot goes. */
  answers: LRUCache<string, Answer>;
}

export interface SnapshotEvent {
  epoch: number;
  severity: CommissionEvent["severity"];
  json: string;
}

export function toSnapshot(index: SnapshotIndex): Snapshot {
  return {
    index,
    validators: index.validators.map((validator) => JSON.stringify(validator)),
    events: index.events.map((event) => ({
      epoch: event.epoch,
      severity: event.severity,
      json: JSON.stringify(event),
    })),
    rugsPerEpoch: index.rugsPerEpoch.map((epoch) => JSON.stringify(epoch)),
    search: toSearchTable(index),
    answers: new LRUCache({ maxSize: ANSWERS_MAX_BYTES, sizeCalculation: ({ body }) => body.byteLength }),
  };
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
  /** Names the route and every parameter of the answer. */
  key: string;
  cache: CacheClass;
  /** The answer's body, as JSON text. */
  toJson: () => string;
}

/** The answer under a key, put together the first time it is asked for. */
export function getAnswer(snapshot: Snapshot, { key, cache, toJson }: AnswerOptions): Answer {
  const known = snapshot.answers.get(key);
  if (known !== undefined) return known;
  const answer = toAnswer(toJson(), cache);
  snapshot.answers.set(key, answer);
  return answer;
}
