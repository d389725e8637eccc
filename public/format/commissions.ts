import type { CommissionEvent } from "../../generator/contract/event.ts";
import { toPercent } from "./amounts.ts";

type Sides = Pick<CommissionEvent, "fromCommission" | "toCommission" | "fromDisabled" | "toDisabled">;

/** Both sides of a change as people read them: "5 %", "off" where MEV is disabled, "not known". */
export function toSides({ fromCommission, toCommission, fromDisabled, toDisabled }: Sides): [from: string, to: string] {
  return [fromDisabled ? "off" : toPercent(fromCommission), toDisabled ? "off" : toPercent(toCommission)];
}

/** Whether delegators pay more by the change. MEV that is switched on costs nobody what they had. */
export function isRise({ delta }: Pick<CommissionEvent, "delta">): boolean {
  return delta !== null && delta > 0;
}

/** What the commission is taken of. */
export const SOURCE_NAMES = { COMMISSION: "Inflation", MEV: "MEV" } as const satisfies Record<
  CommissionEvent["source"],
  string
>;
