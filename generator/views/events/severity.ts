import type { Severity } from "../../contract/event.ts";
import { CAUTION_POINTS, RUG_BASIS_POINTS } from "../../contract/severity.ts";
import type { MevState } from "../../ledger/records.ts";

export function inflationSeverity(from: number, to: number): Severity {
  if (to >= RUG_BASIS_POINTS && to > from) return "RUG";
  if (to - from >= 100 * CAUTION_POINTS.COMMISSION && to < RUG_BASIS_POINTS) return "CAUTION";
  return "INFO";
}

export function mevSeverity(from: MevState, to: MevState): Severity {
  if (typeof to !== "number") return "INFO";
  if (typeof from !== "number") return to >= RUG_BASIS_POINTS ? "CAUTION" : "INFO";
  if (to >= RUG_BASIS_POINTS && to > from) return "RUG";
  if (to - from >= 100 * CAUTION_POINTS.MEV && to < RUG_BASIS_POINTS) return "CAUTION";
  return "INFO";
}
