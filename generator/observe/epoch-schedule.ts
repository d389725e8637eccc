import { z } from "zod";
import { countSchema } from "../contract/values.ts";
import type { RpcReader } from "../rpc/reader.ts";
import { RpcError } from "../rpc/error.ts";
import {
  firstSlotOf,
  firstWarmupSlot,
  WARMUP_FIRST_EPOCH_SLOTS,
  type EpochSchedule,
} from "../chain/epoch-schedule.ts";
import { withReaders } from "../rpc/retry.ts";

const epochScheduleSchema = z
  .object({
    slotsPerEpoch: z.int().min(WARMUP_FIRST_EPOCH_SLOTS),
    firstNormalEpoch: z.int().min(0).max(32),
    firstNormalSlot: countSchema,
  })
  .refine(
    ({ firstNormalEpoch, firstNormalSlot }) =>
      firstNormalSlot === firstWarmupSlot(firstNormalEpoch),
    "firstNormalSlot is not where a warm-up of firstNormalEpoch epochs ends",
  );

/** An epoch of the observed cluster; `firstSlot` is absolute. */
export interface KnownEpoch {
  epoch: number;
  firstSlot: number;
  slotsInEpoch: number;
}

/** After this long another endpoint is asked for the schedule, a small answer. */
const SCHEDULE_MILLISECONDS = 2_000;

/** @throws {RpcError} when no endpoint agrees with the observed epoch */
export function readEpochSchedule(readers: RpcReader[], known: KnownEpoch): Promise<EpochSchedule> {
  return withReaders(readers, (reader) => readOne(reader, known), SCHEDULE_MILLISECONDS);
}

async function readOne(reader: RpcReader, known: KnownEpoch): Promise<EpochSchedule> {
  const schedule = await reader.call({ method: "getEpochSchedule", schema: epochScheduleSchema });
  const { epoch, firstSlot, slotsInEpoch } = known;
  const beginning = firstSlotOf(schedule, epoch);
  const length = firstSlotOf(schedule, epoch + 1) - beginning;
  if (beginning === firstSlot && length === slotsInEpoch) return schedule;
  throw new RpcError({
    kind: "shape",
    message: `${reader.label} getEpochSchedule: epoch ${epoch} begins at slot ${beginning} and has ${length} slots, but ${slotsInEpoch} from slot ${firstSlot} on were observed`,
  });
}
