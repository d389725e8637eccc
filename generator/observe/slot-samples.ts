import { z } from "zod";
import { countSchema } from "../contract/values.ts";
import { SLOT_SAMPLES_MAX, type SnapshotEntry } from "../entries/entry.ts";
import type { RpcReader } from "../rpc/rpc.ts";

/** `[slot, numSlots, samplePeriodSeconds]` */
export type SlotSample = Extract<SnapshotEntry["slotSamples"], { state: "ok" }>["value"][number];

const sampleSchema = z.object({ slot: countSchema, numSlots: countSchema, samplePeriodSecs: countSchema });
const answerSchema = z.array(z.unknown()).max(SLOT_SAMPLES_MAX).pipe(z.array(sampleSchema));

/**
 * getRecentPerformanceSamples of the last hour, newest first: how many slots passed in each of the node's own periods, of
 * about a minute each. What is plausible of it is judged by the fold.
 * @throws {RpcError}
 */
export async function readSlotSamples(reader: RpcReader): Promise<SlotSample[]> {
  const params = [SLOT_SAMPLES_MAX];
  const answer = await reader.call({ method: "getRecentPerformanceSamples", params, schema: answerSchema });
  return answer
    .map(({ slot, numSlots, samplePeriodSecs }): SlotSample => [slot, numSlots, samplePeriodSecs])
    .sort(([a], [b]) => b - a);
}
