import { z } from "zod";
import { countSchema } from "../contract/values.ts";
import { withReaders } from "./retry.ts";
import type { Rpc } from "./rpc.ts";
import type { DatedAnswer, RpcReader } from "./reader.ts";

/** Cannot be rolled back. */
export const COMMITMENT = "finalized";

const epochInfoSchema = z
  .object({
    epoch: countSchema,
    slotIndex: countSchema,
    slotsInEpoch: z.int().min(1),
    absoluteSlot: countSchema,
  })
  .refine(
    ({ slotIndex, slotsInEpoch, absoluteSlot }) =>
      slotIndex < slotsInEpoch && slotIndex <= absoluteSlot,
    { error: "the slot lies outside its epoch" },
  );

export type EpochInfo = z.infer<typeof epochInfoSchema>;

/** @param onDate what it throws fails the reading */
export function readEpochInfo(
  reader: RpcReader,
  onDate?: (answer: DatedAnswer) => void,
): Promise<EpochInfo> {
  const params = [{ commitment: COMMITMENT }];
  return reader.call({ method: "getEpochInfo", params, schema: epochInfoSchema, onDate });
}

/**
 * @param deadline by the clock of `rpc`
 * @throws {RpcError} when no endpoint answers
 */
export function readLiveEpoch({
  rpc,
  deadline,
}: {
  rpc: Rpc;
  deadline: number;
}): Promise<EpochInfo> {
  const readers = rpc.endpoints.map((endpoint) => endpoint.until(deadline));
  return withReaders(readers, (reader) => readEpochInfo(reader));
}
