import type { CommissionEvent, Verified } from "../../generator/contract/event.ts";
import { toCount, toPercent } from "./amounts.ts";

type Transaction = NonNullable<CommissionEvent["transaction"]>;

const WORDS: Readonly<Record<string, string>> = {
  signature: "verified by signature, and told alike by most endpoints",
  "signature, one witness": "verified by signature; its slot is the word of one endpoint",
  witnesses: "told alike by most endpoints, not verified: a program signed, or a table names the account",
  "one witness": "the word of one endpoint, not verified: a program signed, or a table names the account",
} satisfies Record<Verified, string>;

/** How a transaction is known to be the validator's own, in words; what is new to this page as the API says it. */
export function toProofText(verified: string): string {
  return WORDS[verified] ?? verified;
}

/** No observation saw the change: its transaction alone tells of it. */
export function isSwept({ transaction, previousSlot }: Pick<CommissionEvent, "transaction" | "previousSlot">): boolean {
  return transaction !== null && previousSlot === null;
}

/** Every rate that a change went through: "5 % → 100 % in slot 1,000 → 0 % in slot 1,002". */
export function toStepsText(fromCommission: number | null, steps: Transaction["steps"]): string {
  const set = steps.map(({ commission, slot }) => `${toPercent(commission)} in slot ${toCount(slot)}`);
  return [toPercent(fromCommission), ...set].join(" → ");
}
