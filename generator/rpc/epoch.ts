import { z } from "zod";
import { countSchema } from "../contract/values.ts";
import { withReaders } from "./retry.ts";
import type { Rpc } from "./rpc.ts";
import type { DatedAnswer, RpcReader } from "./reader.ts";

/** Commitment of every reading: what is finalized cannot be rolled back. */
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

/** The running epoch and slot, as `getEpochInfo` answers. */
export type EpochInfo = z.infer<typeof epochInfoSchema>;

/**
 * Reads the running epoch.
 * @param onDate receives the dates of the answer; if it throws, the reading fails
 * @throws {RpcError}
 */
export function readEpochInfo(
  reader: RpcReader,
  onDate?: (answer: DatedAnswer) => void,
): Promise<EpochInfo> {
  const params = [{ commitment: COMMITMENT }];
  return reader.call({ method: "getEpochInfo", params, schema: epochInfoSchema, onDate });
}

/**
 * Reads the running epoch from the first endpoint that answers, for the proxy's `/epoch`.
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
