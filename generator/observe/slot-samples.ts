import { z } from "zod";
import { countSchema } from "../contract/values.ts";
import type { RpcReader } from "../rpc/reader.ts";
import { SLOT_SAMPLES_MAX, type SnapshotEntry } from "../entries/entry.ts";

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
