import type { Carried, Chain, InnerGroup } from "./chain.ts";

export interface HistoryPlan {
  /** Slots kept; 0: none. */
  keepsSlots: number;
  tellsIndex: boolean;
  tellsTime: boolean;
  /** Percent of questions about transactions left unanswered. */
  failing: number;
}

export interface ListedRow {
  signature: string;
  slot: number;
  err: unknown;
}

export interface ToldTransaction {
  slot: number;
  index: number | null;
  /** Seconds since 1970. */
  blockTime: number | null;
  err: unknown;
  bytes: Uint8Array;
  inner: InnerGroup[];
  loaded: { writable: string[]; readonly: string[] };
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
): ListedRow[] {
  const first = firstKept(plan, slot);
  const own = chain.byAddress.get(address) ?? [];
  return own.filter((one) => one.slot <= slot && one.slot >= first).map(toRow);
}

export function toRow(carried: Carried): ListedRow {
  return {
    signature: carried.sign().signature,
    slot: carried.slot,
    err: carried.failed ? FAILED : null,
  };
}

/** null: the node does not know it. */
export function tellTransaction(
  chain: Chain,
  plan: HistoryPlan,
  { signature, slot }: { signature: string; slot: number },
): ToldTransaction | null {
  const carried = chain.find(signature);
  const isKept = carried !== null && carried.slot <= slot && carried.slot >= firstKept(plan, slot);
  return toTold(isKept ? carried : null, plan);
}

export function toTold(
  carried: Carried | null,
  { tellsIndex, tellsTime }: Pick<HistoryPlan, "tellsIndex" | "tellsTime">,
): ToldTransaction | null {
  if (carried === null) return null;
  const { slot, index, blockTime, failed, inner, loaded, sign } = carried;
  return {
    ...{
      slot,
      index: tellsIndex ? index : null,
      blockTime: tellsTime ? blockTime : null,
      err: failed ? FAILED : null,
    },
    ...{ bytes: sign().bytes, inner, loaded: { writable: loaded, readonly: [] } },
  };
}

export function writeRows(
  rows: readonly ListedRow[],
  { limit, before }: { limit: number; before?: string },
): unknown[] {
  const start =
    before === undefined ? 0 : rows.findIndex(({ signature }) => signature === before) + 1;
  const page = before !== undefined && start === 0 ? [] : rows.slice(start, start + limit);
  return page.map((row) => ({
    ...row,
    memo: null,
    blockTime: null,
    confirmationStatus: "finalized",
  }));
}

export function writeTransaction(told: ToldTransaction | null): unknown {
  if (told === null) return null;
  const { slot, index, blockTime, err, bytes, inner, loaded } = told;
  return {
    slot,
    ...(index !== null && { transactionIndex: index }),
    blockTime,
    transaction: [Buffer.from(bytes).toString("base64"), "base64"],
    meta: { err, innerInstructions: inner, loadedAddresses: loaded },
  };
}
