import type { Severity } from "../contract/event.ts";
import type { MevState } from "./records.ts";

/** The delegator keeps a tenth or less. */
const RUG_BASIS_POINTS = 9000;
const INFLATION_CAUTION_RISE_BASIS_POINTS = 1000;
const MEV_CAUTION_RISE_BASIS_POINTS = 2000;

/** Basis points, 0 to 10,000. */
export function inflationSeverity(from: number, to: number): Severity {
  if (to >= RUG_BASIS_POINTS && to > from) return "RUG";
  if (to - from >= INFLATION_CAUTION_RISE_BASIS_POINTS && to < RUG_BASIS_POINTS) return "CAUTION";
  return "INFO";
}

/** Basis points or disabled. */
export function mevSeverity(from: MevState, to: MevState): Severity {
  if (typeof to !== "number") return "INFO";
  if (typeof from !== "number") return to >= RUG_BASIS_POINTS ? "CAUTION" : "INFO";
  if (to >= RUG_BASIS_POINTS && to > from) return "RUG";
  if (to - from >= MEV_CAUTION_RISE_BASIS_POINTS && to < RUG_BASIS_POINTS) return "CAUTION";
  return "INFO";
}
