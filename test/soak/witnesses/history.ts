import type { ListedTransaction, ShownTransaction } from "../../cluster/rpc/view.ts";
import { toListed, toShown } from "../../cluster/transactions/shown-history.ts";
import type { Carried, Chain } from "./chain.ts";

export interface HistoryPlan {
  /** Slots kept; 0: none. */
  keepsSlots: number;
  tellsIndex: boolean;
  tellsTime: boolean;
  /** Percent of questions about transactions left unanswered. */
  failing: number;
}

/** The oldest slot of which the node knows transactions. */
export function firstKept({ keepsSlots }: HistoryPlan, slot: number): number {
  return Math.max(0, slot - keepsSlots);
}

/** Newest first, as a node at a slot lists them. */
export function listRows(
  chain: Chain,
  plan: HistoryPlan,
  { address, slot }: { address: string; slot: number },
): ListedTransaction[] {
  const first = firstKept(plan, slot);
  const own = chain.byAddress.get(address) ?? [];
  return own
    .filter(({ order }) => order.slot <= slot && order.slot >= first)
    .map(({ signed }) => toRow(signed()));
}

/** A row of its list. */
export function toRow(carried: Carried): ListedTransaction {
  return toListed(carried, { blockTime: null, index: null });
}

/** null: the node does not know it. */
export function tellTransaction(
  chain: Chain,
  plan: HistoryPlan,
  { signature, slot }: { signature: string; slot: number },
): ShownTransaction | null {
  const carried = chain.find(signature);
  const isKept = carried !== null && carried.slot <= slot && carried.slot >= firstKept(plan, slot);
  return isKept ? tell(carried, plan) : null;
}

/** As a node tells it. */
export function tell(
  carried: Carried,
  { tellsIndex, tellsTime }: Pick<HistoryPlan, "tellsIndex" | "tellsTime">,
): ShownTransaction {
  const { blockTime, index } = carried;
  return toShown(carried, {
    blockTime: tellsTime ? blockTime : null,
    index: tellsIndex ? index : null,
  });
}
