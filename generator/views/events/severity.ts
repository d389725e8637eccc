import type { Severity } from "../../contract/event.ts";
import { CAUTION_POINTS, RUG_BASIS_POINTS } from "../../contract/severity.ts";
import type { MevState } from "../../ledger/records.ts";

/** Severity of a change of inflation commission; both rates in basis points. */
export function inflationSeverity(from: number, to: number): Severity {
  if (to >= RUG_BASIS_POINTS && to > from) return "RUG";
  if (to - from >= 100 * CAUTION_POINTS.COMMISSION && to < RUG_BASIS_POINTS) return "CAUTION";
  return "INFO";
}

/**
 * Severity of a change of MEV commission. Enabling it at a RUG's rate is a caution, as no lower
 * rate was announced.
 */
export function mevSeverity(from: MevState, to: MevState): Severity {
  if (typeof to !== "number") return "INFO";
  if (typeof from !== "number") return to >= RUG_BASIS_POINTS ? "CAUTION" : "INFO";
  if (to >= RUG_BASIS_POINTS && to > from) return "RUG";
  if (to - from >= 100 * CAUTION_POINTS.MEV && to < RUG_BASIS_POINTS) return "CAUTION";
  return "INFO";
}
