import type { ListedTransaction, ShownTransaction } from "../../cluster/rpc/view.ts";
import type { Carried, Chain } from "./chain.ts";

export interface HistoryPlan {
  /** Slots kept; 0: none. */
  keepsSlots: number;
  tellsIndex: boolean;
  tellsTime: boolean;
  /** Percent of questions about transactions left unanswered. */
  failing: number;
}

export const FAILED = { InstructionError: [0, "MissingRequiredSignature"] };

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
  return own.filter((one) => one.slot <= slot && one.slot >= first).map(toRow);
}

export function toRow(carried: Carried): ListedTransaction {
  return {
    signature: carried.sign().signature,
    slot: carried.slot,
    err: carried.failed ? FAILED : null,
    blockTime: null,
    index: null,
  };
}

/** null: the node does not know it. */
export function tellTransaction(
  chain: Chain,
  plan: HistoryPlan,
  { signature, slot }: { signature: string; slot: number },
): ShownTransaction | null {
  const carried = chain.find(signature);
  const isKept = carried !== null && carried.slot <= slot && carried.slot >= firstKept(plan, slot);
  return toTold(isKept ? carried : null, plan);
}

export function toTold(
  carried: Carried | null,
  { tellsIndex, tellsTime }: Pick<HistoryPlan, "tellsIndex" | "tellsTime">,
): ShownTransaction | null {
  if (carried === null) return null;
  const { slot, index, blockTime, failed, version, inner, loaded, sign } = carried;
  return {
    slot,
    index: tellsIndex ? index : null,
    blockTime: tellsTime ? blockTime : null,
    err: failed ? FAILED : null,
    version,
    bytes: sign().bytes,
    inner,
    loaded: { writable: loaded, readonly: [] },
    meta: {},
  };
}
