import { z } from "zod";
import { firstSlotOf, firstWarmupSlot, WARMUP_FIRST_EPOCH_SLOTS, type EpochSchedule } from "../chain/epoch-schedule.ts";
import { countSchema } from "../contract/values.ts";
import { withReaders } from "../rpc/failover.ts";
import type { Rpc, RpcReader } from "../rpc/rpc.ts";
import { RpcError } from "../rpc/error.ts";

const epochScheduleSchema = z
  .object({
    slotsPerEpoch: z.int().min(WARMUP_FIRST_EPOCH_SLOTS),
    firstNormalEpoch: z.int().min(0).max(32),
    firstNormalSlot: countSchema,
  })
  .refine(
    ({ firstNormalEpoch, firstNormalSlot }) => firstNormalSlot === firstWarmupSlot(firstNormalEpoch),
    "firstNormalSlot is not where a warm-up of firstNormalEpoch epochs ends",
  );

/** An epoch known from elsewhere, which a schedule must agree with. Slots. */
export interface KnownEpoch {
  epoch: number;
  firstSlot: number;
  slotsInEpoch: number;
}

/**
 * The epoch schedule of the first endpoint whose answer agrees with an epoch that was observed.
 * @param deadline reading of the clock that `rpc` was made with, in milliseconds
 * @throws {RpcError} when there is none
 */
export function readEpochSchedule(options: { rpc: Rpc; known: KnownEpoch; deadline: number }): Promise<EpochSchedule> {
  const { rpc, known, deadline } = options;
  const readers = rpc.endpoints.map((endpoint) => endpoint.until(deadline));
  return withReaders(readers, (reader) => readOne(reader, known));
}

async function readOne(reader: RpcReader, known: KnownEpoch): Promise<EpochSchedule> {
  const schedule = await reader.call({ method: "getEpochSchedule", schema: epochScheduleSchema });
  const { epoch, firstSlot, slotsInEpoch } = known;
  const said = firstSlotOf(schedule, epoch);
  const length = firstSlotOf(schedule, epoch + 1) - said;
  if (said === firstSlot && length === slotsInEpoch) return schedule;
  throw new RpcError({
    kind: "shape",
    message: `${reader.label} getEpochSchedule: epoch ${epoch} has ${length} slots from slot ${said} on, observed were ${slotsInEpoch} from slot ${firstSlot} on`,
  });
}
