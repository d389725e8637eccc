import { z } from "zod";
import type { View } from "./endpoints.ts";
import { toJson } from "./json.ts";
import { RpcError } from "./rpc-error.ts";
import { parseParams } from "./rpc-params.ts";

const blockTimeParams = z.tuple([z.int().min(0)]);

/** Whole seconds since 1970 of a slot of the story. @throws {RpcError} −32602 for a slot that has not come yet */
export function getBlockTime({ cluster, state }: View, params: unknown): string {
  const [slot] = parseParams(blockTimeParams, params);
  if (slot > state.moment.slot) throw new RpcError("invalidParams", `Block not available for slot ${slot}`);
  const { ordinal, slotIndex } = cluster.calendar.momentOfSlot(slot);
  return toJson(Math.floor(cluster.calendar.timeOf(ordinal, slotIndex) / 1000));
}
