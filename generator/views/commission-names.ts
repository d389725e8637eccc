import type { Source } from "../contract/event.ts";

/** Names of the commissions as sentences use them. */
export const COMMISSIONS = {
  COMMISSION: "inflation commission",
  MEV: "MEV commission",
} as const satisfies Record<Source, string>;
