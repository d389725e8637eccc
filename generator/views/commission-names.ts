import type { Source } from "../contract/event.ts";

/** In sentences. */
export const COMMISSIONS = {
  COMMISSION: "inflation commission",
  MEV: "MEV commission",
} as const satisfies Record<Source, string>;
