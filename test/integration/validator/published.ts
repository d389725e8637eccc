import type { CommissionEvent } from "../../../generator/contract/event.ts";
import { NODES_DIFFER_SLOTS } from "../../../generator/chain/slots.ts";
import type { Stay } from "./changes.ts";

interface Truth {
  /** In rising order, so that every fall is false. */
  stays: readonly Stay[];
  /** Basis points before the first of them. */
  before: number;
}

/**
 * Held against the chain: what each event's sides
 * were, when they changed, and by which transaction.
 */
export function findFalse(events: readonly CommissionEvent[], { stays, before }: Truth): string[] {
  const held: Stay[] = [
    { basisPoints: before, slot: 0, until: stays[0]?.slot ?? Infinity },
    ...stays,
  ];
  return events.flatMap((event) => {
    const { fromCommission, toCommission, previousSlot, slot, transaction } = event;
    const [from, to] = [fromCommission, toCommission].map((percent) =>
      held.find(({ basisPoints }) => basisPoints === toBasisPoints(percent)),
    );
    const name = `${fromCommission} % → ${toCommission} % in slots ${previousSlot} to ${slot}`;
    if (from === undefined || to === undefined) return [`${name}: a side was never held`];
    if (from.slot >= to.slot) return [`${name}: the commission never fell`];
    if (transaction !== null && transaction.slot !== to.slot)
      return [
        `${name}: the transaction in slot ${transaction.slot} did not set it, that in ${to.slot} did`,
      ];
    // A list tells the newest final state, which a check's
    // slot, asked beside it, may be a little behind.
    if (
      to.slot > slot + NODES_DIFFER_SLOTS ||
      to.until <= (previousSlot ?? to.slot - 1) - NODES_DIFFER_SLOTS
    )
      return [`${name}: it was held in ${to.slot} to ${to.until - 1}`];
    return [];
  });
}

export function toBasisPoints(percent: number | null): number | null {
  return percent === null ? null : Math.round(percent * 100);
}
