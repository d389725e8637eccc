import { getU16 } from "../ledger/columns.ts";
import type { Ledger } from "../ledger/ledger.ts";
import { payingStateEpoch } from "../ledger/effects.ts";
import type { View } from "./view.ts";

export interface AppliedQuestion {
  ordinal: number;
  epoch: number;
  /** The inflation commission at the end of an epoch in basis points, forward-filled; null: not known then. */
  announcedAt: (epoch: number) => number | null;
}

/** What the rewards earned in an epoch pay, in basis points (design §4, «appliedCommission»); null: not known, or nothing is paid. */
export function appliedBasisPoints(
  view: Pick<View, "ledger" | "unsettled">,
  { ordinal, epoch, announcedAt }: AppliedQuestion,
): number | null {
  const stateEpoch = payingStateEpoch(view.ledger, { epoch, ordinal });
  if (stateEpoch === null) return null;
  const isUnsettled = view.unsettled().get(ordinal)?.has(stateEpoch) === true;
  return isUnsettled ? null : announcedAt(stateEpoch);
}

/** By ordinal the epochs that ended while a change was being made, and no transaction proves at which rate. */
export function findUnsettled({
  events,
  withdrawn,
  proved,
}: Pick<Ledger, "events" | "withdrawn" | "proved">): ReadonlyMap<number, ReadonlySet<number>> {
  const unsettled = new Map<number, Set<number>>();
  // A ruling takes an event back, not the values on its two sides.
  for (const { ordinal, madeIn } of [...events, ...withdrawn]) {
    const epochs = unsettled.get(ordinal) ?? new Set();
    for (let epoch = madeIn.earliest; epoch < madeIn.latest; epoch += 1)
      if (getU16(proved, epoch, ordinal) === null) epochs.add(epoch);
    if (epochs.size > 0) unsettled.set(ordinal, epochs);
  }
  return unsettled;
}
