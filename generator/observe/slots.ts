import { z } from "zod";
import { countSchema } from "../contract/values.ts";
import { COMMITMENT } from "../rpc/epoch.ts";
import type { RpcReader } from "../rpc/reader.ts";
import { RpcError } from "../rpc/error.ts";
import { SLOT_SAMPLES_MAX, type SnapshotEntry } from "../entries/entry.ts";
import {
  firstSlotOf,
  firstWarmupSlot,
  WARMUP_FIRST_EPOCH_SLOTS,
  type EpochSchedule,
} from "../chain/epoch-schedule.ts";
import { withReaders } from "../rpc/retry.ts";

/** `[identity, leaderSlots, blocksProduced]` */
type ProductionRow = [string, number, number];

const productionSchema = z.object({
  value: z.object({
    byIdentity: z.record(z.string(), z.unknown()),
    range: z.object({ firstSlot: countSchema }),
  }),
});
const countsSchema = z.tuple([countSchema, countSchema]);

/**
 * Counts only the present identity of a validator that changed it.
 * @throws {RpcError} also `behind` for counts of another epoch
 */
export async function readBlockProduction(
  reader: RpcReader,
  { identities, epochFirstSlot }: { identities: ReadonlySet<string>; epochFirstSlot: number },
): Promise<ProductionRow[]> {
  const params = [{ commitment: COMMITMENT }];
  const { value } = await reader.call({
    method: "getBlockProduction",
    params,
    schema: productionSchema,
  });
  const { firstSlot } = value.range;
  if (firstSlot !== epochFirstSlot) {
    const message = `${reader.label} getBlockProduction: counts begin at slot ${firstSlot}, not at ${epochFirstSlot}, the first of the epoch`;
    throw new RpcError({ kind: "behind", message });
  }
  return Object.entries(value.byIdentity)
    .flatMap(([identity, raw]): ProductionRow[] => {
      const counts = countsSchema.safeParse(raw);
      return identities.has(identity) && counts.success ? [[identity, ...counts.data]] : [];
    })
    .sort(([a], [b]) => (a < b ? -1 : 1));
}

/** `[slot, numSlots, samplePeriodSeconds]` */
type SlotSample = Extract<SnapshotEntry["slotSamples"], { state: "ok" }>["value"][number];

const sampleSchema = z.object({
  slot: countSchema,
  numSlots: countSchema,
  samplePeriodSecs: countSchema,
});
const samplesSchema = z.array(z.unknown()).max(SLOT_SAMPLES_MAX).pipe(z.array(sampleSchema));

/** Newest first, a minute each. The fold judges what is plausible. */
export async function readSlotSamples(reader: RpcReader): Promise<SlotSample[]> {
  const params = [SLOT_SAMPLES_MAX];
  const answer = await reader.call({
    method: "getRecentPerformanceSamples",
    params,
    schema: samplesSchema,
  });
  return answer
    .map(({ slot, numSlots, samplePeriodSecs }): SlotSample => [slot, numSlots, samplePeriodSecs])
    .sort(([a], [b]) => b - a);
}

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
