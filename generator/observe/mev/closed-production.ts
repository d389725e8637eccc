import { z } from "zod";
import { countSchema } from "../../contract/values.ts";
import type { ClosedEpoch, PanelProduction } from "../../entries/entry.ts";
import { COMMITMENT } from "../../rpc/epoch.ts";
import { RpcError } from "../../rpc/error.ts";
import type { RpcReader } from "../../rpc/reader.ts";
import { assertNotBehind } from "../session.ts";
import { askWitnesses, assertAnswered, type Panel } from "../witnesses.ts";

/* Which identities made blocks in a closed epoch: a missing
   tip account is MEV switched off only where one did. */

type Blocks = Extract<PanelProduction["answers"][number], { state: "ok" }>["blocks"];

/** A node that hangs must not hold up the snapshot. */
const PART_OF_THE_TIME = 1 / 3;

const answerSchema = z.object({
  context: z.object({ slot: countSchema }),
  value: z.object({
    byIdentity: z.record(z.string(), z.unknown()),
    range: z.object({ firstSlot: countSchema, lastSlot: countSchema }),
  }),
});
const blocksSchema = z
  .tuple([countSchema, countSchema])
  .refine(([leaderSlots, blocksProduced]) => blocksProduced <= leaderSlots);

/** @throws {RpcError} when no witness answers */
export async function readClosedProduction(
  options: { closed: ClosedEpoch } & Panel,
): Promise<PanelProduction> {
  const { closed } = options;
  const answers = await askWitnesses(options, async (reader, endpoint) => {
    const answer = await readBlocks(reader.within(PART_OF_THE_TIME), closed);
    assertNotBehind(endpoint, answer.slot, "getBlockProduction");
    return answer;
  });
  assertAnswered(answers);
  return { ...closed, answers };
}

/**
 * Agave knows the last 1,048,576 slots (`SlotHistory`),
 * and refuses a range that it does not know whole.
 * @returns in the order of the identities; also the answer's slot
 * @throws {RpcError} also `shape` for other slots than those asked for
 */
export async function readBlocks(
  reader: RpcReader,
  { firstSlot, lastSlot, identities }: Pick<ClosedEpoch, "firstSlot" | "lastSlot" | "identities">,
): Promise<{ slot: number; blocks: Blocks }> {
  const params = [{ commitment: COMMITMENT, range: { firstSlot, lastSlot } }];
  const { context, value } = await reader.call({
    method: "getBlockProduction",
    params,
    schema: answerSchema,
  });
  const { range } = value;
  if (range.firstSlot !== firstSlot || range.lastSlot !== lastSlot) {
    const message = `${reader.label} getBlockProduction: counts of slots ${range.firstSlot} to ${range.lastSlot}, not of ${firstSlot} to ${lastSlot}`;
    throw new RpcError({ kind: "shape", message });
  }
  const counted = new Map(Object.entries(value.byIdentity));
  const blocks = identities.map((identity): Blocks[number] => {
    if (!counted.has(identity)) return [0, 0];
    return blocksSchema.safeParse(counted.get(identity)).data ?? null;
  });
  return { slot: context.slot, blocks };
}
