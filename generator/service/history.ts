import type { HistoryEntry, HistoryPoint } from "../entries/entry.ts";
import { messageOf } from "../contract/error-message.ts";
import { RpcError } from "../rpc/error.ts";
import type { Clock } from "./context.ts";
import type { AcceptedObservation } from "../ledger/acceptance/acceptance-record.ts";
import { parseEndpointUrl } from "../rpc/endpoint-address.ts";
import { firstSlotOf } from "../chain/epoch-schedule.ts";
import { readEpochSchedule } from "../observe/epoch-schedule.ts";
import { createDispatcher } from "../rpc/http.ts";
import { createRpc } from "../rpc/rpc.ts";
import { readValidatorHistory } from "../observe/mev/validator-history.ts";

/** Closed epochs, first and last included. */
export interface EpochSpan {
  first: number;
  last: number;
}

type Validators = HistoryEntry["validators"];

interface HistoryReading {
  /** Vote accounts, in the order of asking. */
  votes: readonly string[];
  /** A vote account for which the source has answered before, to test whether it still answers. */
  witness: string | null;
  /** @throws {RpcError} */
  read: (vote: string) => Promise<HistoryPoint[]>;
  /** Keeps a batch, so that a stop loses little. */
  keep: (validators: Validators) => Promise<void>;
  clock: Clock;
  signal: AbortSignal;
  onProgress: (progress: HistoryProgress) => void;
}

/** Counts of vote accounts. */
export interface HistoryCounts {
  asked: number;
  withHistory: number;
  failed: number;
  /** null: all were asked. */
  stopped: string | null;
}

/** Progress of reading histories; `total` counts vote accounts. */
export interface HistoryProgress extends HistoryCounts {
  total: number;
  /** At the pace so far. */
  millisecondsLeft: number;
  /** In the source's words. */
  lastFailure: string | null;
}

/** About three a second: all users share the vendor's limit of a thousand a minute. */
const PACE_MILLISECONDS = 300;
const BATCH_VALIDATORS = 25;
/** The source fails the same way for an unknown validator and when it is down. */
const FAILURES_IN_A_ROW = 10;

type Answer = { points: HistoryPoint[] } | { failure: string } | "stopped";

/** Reads one history after another until done, stopped, or the source is down. */
export async function readHistories(reading: HistoryReading): Promise<HistoryCounts> {
  const { votes, read, keep, clock, signal, onProgress } = reading;
  const counts: HistoryCounts = { asked: 0, withHistory: 0, failed: 0, stopped: null };
  const startedAt = clock.now();
  let nextAt = startedAt;
  let { witness } = reading;
  let batch: Validators = [];
  let failuresInRow = 0;
  let lastFailure: string | null = null;

  /** A failure of the source is returned as an answer. */
  async function ask(vote: string): Promise<Answer> {
    try {
      await clock.sleepUntil(nextAt, signal);
      nextAt = clock.now() + PACE_MILLISECONDS;
      return { points: await read(vote) };
    } catch (error) {
      if (signal.aborted) return "stopped";
      if (!(error instanceof RpcError)) throw error;
      return { failure: error.message };
    }
  }

  /** Whether the source is up and merely has no data on so many validators. */
  async function isAnswering(): Promise<boolean> {
    const answer = witness === null ? "stopped" : await ask(witness);
    return answer !== "stopped" && "points" in answer;
  }

  async function endBatch(): Promise<void> {
    if (batch.length > 0) await keep(batch);
    batch = [];
    const millisecondsLeft =
      ((clock.now() - startedAt) / counts.asked) * (votes.length - counts.asked);
    onProgress({ ...counts, lastFailure, total: votes.length, millisecondsLeft });
  }

  for (const vote of votes) {
    const answer = await ask(vote);
    if (answer === "stopped") break;
    counts.asked += 1;
    if ("points" in answer) {
      failuresInRow = 0;
      if (answer.points.length > 0) counts.withHistory += 1;
      batch.push({ vote, points: answer.points });
      witness ??= vote;
    } else {
      counts.failed += 1;
      lastFailure = answer.failure;
      failuresInRow += 1;
    }
    if (counts.asked % BATCH_VALIDATORS === 0) await endBatch();
    if (failuresInRow < FAILURES_IN_A_ROW) continue;
    if (!(await isAnswering())) {
      counts.stopped = `the source failed ${FAILURES_IN_A_ROW} times in a row, at last with: ${lastFailure ?? ""}`;
      break;
    }
    failuresInRow = 0;
  }
  if (signal.aborted) counts.stopped = messageOf(signal.reason);
  if (counts.asked % BATCH_VALIDATORS !== 0) await endBatch();
  return counts;
}

/** For one validator, retries included. */
const HISTORY_MILLISECONDS = 60_000;
const SCHEDULE_MILLISECONDS = 40_000;

interface HistorySource {
  /** Without path and query: they may hold a secret. */
  origin: string;
  /** @throws {RpcError} */
  read: (vote: string) => Promise<HistoryPoint[]>;
  close: () => Promise<void>;
}

/** @throws {Error} when the address is no http(s) URL */
export function openHistorySource(options: {
  mevUrl: string;
  span: EpochSpan;
  clock: Clock;
  signal: AbortSignal;
}): HistorySource {
  const { mevUrl, span, clock, signal } = options;
  const url = parseEndpointUrl(mevUrl, "The MEV address");
  const dispatcher = createDispatcher();
  const sleep = (milliseconds: number) => clock.sleepUntil(clock.now() + milliseconds, signal);
  const vendor = { url, dispatcher, now: clock.timer, sleep, random: Math.random, signal };
  return {
    origin: url.origin,
    read(vote) {
      const deadline = clock.timer() + HISTORY_MILLISECONDS;
      return readValidatorHistory(vendor, {
        vote,
        firstEpoch: span.first,
        lastEpoch: span.last,
        deadline,
      });
    },
    close: () => dispatcher.destroy(),
  };
}

/**
 * First slots by the schedule of an endpoint that agrees with an accepted observation, so that it
 * is of the same cluster.
 * @throws {RpcError} when there is none
 */
export async function readFirstSlots(options: {
  rpcUrls: string[];
  span: EpochSpan;
  accepted: AcceptedObservation;
  clock: Clock;
  signal: AbortSignal;
}): Promise<HistoryEntry["epochs"]> {
  const { rpcUrls, span, accepted, clock, signal } = options;
  const { epoch, absoluteSlot, slotIndex, slotsInEpoch } = accepted;
  const known = { epoch, firstSlot: absoluteSlot - slotIndex, slotsInEpoch };
  const rpc = createRpc({ endpoints: rpcUrls, now: clock.timer, signal });
  try {
    const deadline = clock.timer() + SCHEDULE_MILLISECONDS;
    const readers = rpc.endpoints.map((endpoint) => endpoint.until(deadline));
    const schedule = await readEpochSchedule(readers, known);
    const epochs = Array.from(
      { length: span.last - span.first + 1 },
      (_, index) => span.first + index,
    );
    return epochs.map((each) => [each, firstSlotOf(schedule, each)]);
  } finally {
    await rpc.close();
  }
}
