import { z } from "zod";
import type { Epoch, EpochReading } from "../contract/epoch.ts";
import { countSchema } from "../contract/values.ts";
import { withReaders } from "./failover.ts";
import type { DatedAnswer, Rpc, RpcReader } from "./rpc.ts";

/** Everything is read at the commitment that can no longer be rolled back. */
export const COMMITMENT = "finalized";

const epochInfoSchema = z
  .object({ epoch: countSchema, slotIndex: countSchema, slotsInEpoch: z.int().min(1), absoluteSlot: countSchema })
  .refine(({ slotIndex, slotsInEpoch, absoluteSlot }) => slotIndex < slotsInEpoch && slotIndex <= absoluteSlot, {
    error: "the slot lies outside its epoch",
  });

/** Where the cluster is. Counts are slots. */
export type EpochInfo = z.infer<typeof epochInfoSchema>;

/**
 * getEpochInfo of one endpoint.
 * @param onDate is told when the answer was made, where the endpoint says so; what it throws fails the reading
 * @throws {RpcError}
 */
export function readEpochInfo(reader: RpcReader, onDate?: (answer: DatedAnswer) => void): Promise<EpochInfo> {
  const params = [{ commitment: COMMITMENT }];
  return reader.call({ method: "getEpochInfo", params, schema: epochInfoSchema, onDate });
}

/**
 * getEpochInfo of the first endpoint that answers, for showing progress: one epoch reading is not checked against others.
 * @param deadline reading of the clock that `rpc` was made with, in milliseconds
 * @throws {RpcError} when none answers
 */
export function readLiveEpoch({ rpc, deadline }: { rpc: Rpc; deadline: number }): Promise<EpochInfo> {
  const readers = rpc.endpoints.map((endpoint) => endpoint.until(deadline));
  return withReaders(readers, (reader) => readEpochInfo(reader));
}

/**
 * Progress of the epoch of a reading now, carried on by the measured slot time to the epoch's last slot and not beyond: only
 * the cluster knows when the next one began, and how long it is. Without a measured slot time the reading is shown as it is:
 * no nominal slot time is ever assumed.
 * @param now milliseconds since 1970
 * @param live whether the reading was made for this answer; false by default
 */
export function estimateEpoch(options: { reading: EpochReading; now: number; live?: boolean }): Epoch {
  const { reading, now, live = false } = options;
  const { epoch, slotsInEpoch, slotMilliseconds } = reading;
  const elapsedSlots = Math.min(countElapsedSlots(reading, now), slotsInEpoch - 1 - reading.slotIndex);
  const slotIndex = reading.slotIndex + elapsedSlots;
  const observedAt = Date.parse(reading.observedAt);
  return {
    epoch,
    slotIndex,
    slotsInEpoch,
    absoluteSlot: reading.absoluteSlot + elapsedSlots,
    progressPercent: Math.round((slotIndex * 10_000) / slotsInEpoch) / 100,
    epochStartedAt: toTime(observedAt, -reading.slotIndex, slotMilliseconds),
    epochEndsAt: toTime(observedAt, slotsInEpoch - reading.slotIndex, slotMilliseconds),
    live,
  };
}

/**
 * The slot to be expected now, in whatever epoch it is; that of the reading where no slot time was measured.
 * @param now milliseconds since 1970
 */
export function estimateSlot({ reading, now }: { reading: EpochReading; now: number }): number {
  return reading.absoluteSlot + countElapsedSlots(reading, now);
}

function countElapsedSlots({ observedAt, slotMilliseconds }: EpochReading, now: number): number {
  if (slotMilliseconds === null) return 0;
  return Math.floor(Math.max(now - Date.parse(observedAt), 0) / slotMilliseconds);
}

/** Time so many slots after an instant; null where it cannot be told, or lies outside what a date can hold. */
function toTime(instant: number, slots: number, slotMilliseconds: number | null): string | null {
  if (slotMilliseconds === null) return null;
  const date = new Date(Math.round(instant + slots * slotMilliseconds));
  return Number.isNaN(date.getTime()) ? null : date.toISOString();
}
