import { agrees } from "./commission.ts";
import type { Commission, Moment, Word } from "./records.ts";

/** A rate as an answer shows it, and at which slot. */
export interface Shown {
  commission: Commission;
  moment: Moment;
}

/** Of a vote account: "none" if the node finds none, "not read" if it does not answer or its layout is unknown. */
export type AccountRate = Shown | "none" | "not read";

export interface WitnessRate extends Shown {
  of: Word<unknown>["of"];
}

/**
 * What one witness says of a rate: the exact one of its own list, which its bank answers. An account comes from the
 * accounts database, which under load gives a former value or none under a right slot: it only makes exact what the same
 * witness's list shows in percent. A witness that contradicts itself says nothing.
 * @param list null: not listed, or not readable
 * @returns null: nothing
 */
export function toWitnessRate(list: Shown | null, account: AccountRate): WitnessRate | null {
  if (list === null) return null;
  if (list.commission.exact || account === "not read") return { ...list, of: "list" };
  if (account === "none" || !agrees(list.commission, account.commission)) return null;
  return { ...account, of: "account" };
}
