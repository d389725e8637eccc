import { z } from "zod";
import { waitUntil } from "./rpc.ts";
import type { Validator } from "./validator.ts";

export interface Step {
  epoch: number;
  /** From 0. */
  slotIndex: number;
  act: () => Promise<unknown>;
}

export interface Story {
  steps: readonly Step[];
  until: number;
  meanwhile: () => Promise<void>;
}

/** Often enough for credits in every epoch. */
const MEANWHILE_SLOTS = 4;
const SLOT_SECONDS = 60;

export async function play(
  { ask, slotsPerEpoch }: Validator,
  { steps, until, meanwhile }: Story,
): Promise<void> {
  const slotOf = ({ epoch, slotIndex }: Step) => epoch * slotsPerEpoch + slotIndex;
  const left = [...steps].sort((one, other) => slotOf(one) - slotOf(other));
  const begun: Promise<PromiseSettledResult<unknown>[]>[] = [];
  const end = until * slotsPerEpoch;
  for (let slot = 0, final = 0; final < end || left.length > 0;) {
    const after = slot;
    slot = await waitUntil(`a slot after ${after}`, SLOT_SECONDS, async () => {
      const newest = await ask("getSlot", [{ commitment: "processed" }], z.int());
      return newest >= Math.min(after + MEANWHILE_SLOTS, left[0] ? slotOf(left[0]) : Infinity)
        ? newest
        : null;
    });
    while (left[0] !== undefined && slotOf(left[0]) <= slot)
      begun.push(Promise.allSettled([left.shift()?.act()]));
    await meanwhile();
    final = await ask("getSlot", [{ commitment: "finalized" }], z.int());
  }
  const reasons = (await Promise.all(begun))
    .flat()
    .flatMap((one) => (one.status === "rejected" ? [one.reason as unknown] : []));
  if (reasons.length > 0) throw new AggregateError(reasons, reasons.map(String).join("; "));
}
