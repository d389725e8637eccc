import type { Validator } from "../../../generator/contract/validator.ts";
import { type Query, readWhole } from "../../format/url.ts";

type Level = Validator["verdict"];

/** Best first, as people choose. */
export const LEVELS = ["good", "caution", "bad", "unknown"] as const satisfies readonly Level[];

/** Percent that a choice offers. */
export const RATES = [0, 5, 8, 10, 20] as const;

export interface Filter {
  /** Empty: any. */
  verdicts: readonly Level[];
  /** Percent; null: any. */
  commissionMax: number | null;
  /** Percent; null: any. */
  mevMax: number | null;
}

/** The parameters have the names that the API gives them. */
export function readFilter(query: Query): Filter {
  const asked = (query["verdict"] ?? "").split(",");
  return {
    verdicts: LEVELS.filter((level) => asked.includes(level)),
    commissionMax: readRate(query["commissionMax"]),
    mevMax: readRate(query["mevMax"]),
  };
}

function readRate(text: string | undefined): number | null {
  const rate = readWhole(text, { min: 0, max: 100, otherwise: -1 });
  return rate === -1 ? null : rate;
}

export function isFiltered({ verdicts, commissionMax, mevMax }: Filter): boolean {
  return verdicts.length > 0 || commissionMax !== null || mevMax !== null;
}

/**
 * What is not known is not at most anything. Of inflation commissions the highest counts: that paid
 * now, that of the next epoch, and the announced one. Without MEV nothing is taken of it.
 */
export function isWithin(
  validator: Pick<
    Validator,
    | "verdict"
    | "commission"
    | "appliedCommission"
    | "nextAppliedCommission"
    | "mevCommission"
    | "mevVendorEnabled"
  >,
  { verdicts, commissionMax, mevMax }: Filter,
): boolean {
  const { verdict, commission, appliedCommission, nextAppliedCommission } = validator;
  const { mevCommission, mevVendorEnabled } = validator;
  if (verdicts.length > 0 && !verdicts.includes(verdict)) return false;
  const mev = mevCommission ?? (mevVendorEnabled ? null : 0);
  if (mevMax !== null && (mev === null || mev > mevMax)) return false;
  if (commissionMax === null) return true;
  const rates = [commission, appliedCommission, nextAppliedCommission];
  const known = rates.filter((rate) => rate !== null);
  return commission !== null && known.every((rate) => rate <= commissionMax);
}
