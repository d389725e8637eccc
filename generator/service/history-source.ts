import type { HistoryEntry, HistoryPoint } from "../entries/entry.ts";
import type { Reading } from "../ledger/ledger.ts";
import { parseEndpointUrl } from "../rpc/endpoint-url.ts";
import { firstSlotOf } from "../chain/epoch-schedule.ts";
import { readEpochSchedule } from "../observe/epoch-schedule.ts";
import { createDispatcher } from "../rpc/http.ts";
import { createRpc } from "../rpc/rpc.ts";
import { readValidatorHistory } from "../observe/mev/validator-history.ts";
import type { Clock } from "./clock.ts";
import type { EpochSpan } from "./history-due.ts";

/** All that is asked about one validator, retries included. */
const HISTORY_MILLISECONDS = 60_000;
const SCHEDULE_MILLISECONDS = 40_000;

export interface HistorySource {
  /** Without path and query: they may hold a secret. */
  origin: string;
  /** @throws {RpcError} */
  read: (vote: string) => Promise<HistoryPoint[]>;
  close: () => Promise<void>;
}

/** The MEV vendor's history of a span of epochs. @throws {Error} when the address is no http(s) URL */
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
      return readValidatorHistory(vendor, { vote, firstEpoch: span.first, lastEpoch: span.last, deadline });
    },
    close: () => dispatcher.destroy(),
  };
}

/**
 * The first slot of each epoch of a span, by the schedule of an endpoint that agrees with an accepted observation: so it is
 * of the same cluster.
 * @throws {RpcError} when there is none
 */
export async function readFirstSlots(options: {
  rpcUrls: string[];
  span: EpochSpan;
  accepted: Reading;
  clock: Clock;
  signal: AbortSignal;
}): Promise<HistoryEntry["epochs"]> {
  const { rpcUrls, span, accepted, clock, signal } = options;
  const { epoch, absoluteSlot, slotIndex, slotsInEpoch } = accepted;
  const known = { epoch, firstSlot: absoluteSlot - slotIndex, slotsInEpoch };
  const rpc = createRpc({ endpoints: rpcUrls, now: clock.timer, signal });
  try {
    const schedule = await readEpochSchedule({ rpc, known, deadline: clock.timer() + SCHEDULE_MILLISECONDS });
    const epochs = Array.from({ length: span.last - span.first + 1 }, (_, index) => span.first + index);
    return epochs.map((each) => [each, firstSlotOf(schedule, each)]);
  } finally {
    await rpc.close();
  }
}
