import { RUG_PERCENT } from "../../../generator/contract/severity.ts";
import type { Validator } from "../../../generator/contract/validator.ts";
import { type Query, readWhole } from "../../format/url.ts";

type Level = Validator["verdict"];

/** Best first, as people choose. */
export const LEVELS = ["good", "caution", "bad", "unknown"] as const satisfies readonly Level[];

/** Of a rate, in percent. */
export interface Bound {
  side: "most" | "least";
  rate: number;
}

/** That a choice offers. */
export const BOUNDS: readonly Bound[] = [
  ...[0, 5, 8, 10, 20].map((rate) => ({ side: "most" as const, rate })),
  { side: "least", rate: RUG_PERCENT },
];

export interface Filter {
  /** Empty: any. */
  verdicts: readonly Level[];
  /** null: any. */
  inflation: Bound | null;
  /** null: any. */
  mev: Bound | null;
}

/**
 * Names of the parameters. `commissionMax` is stricter than the API's: it bounds the paid and the
 * next rate too.
 */
const PARAMETERS = {
  inflation: { most: "commissionMax", least: "appliedMin" },
  mev: { most: "mevMax", least: "mevMin" },
} as const;

type Bounded = keyof typeof PARAMETERS;

export function readFilter(query: Query): Filter {
  const asked = (query["verdict"] ?? "").split(",");
  return {
    verdicts: LEVELS.filter((level) => asked.includes(level)),
    inflation: readBound(query, "inflation"),
    mev: readBound(query, "mev"),
  };
}

/** One bound a rate: `most` where the address has both. */
function readBound(query: Query, of: Bounded): Bound | null {
  for (const side of ["most", "least"] as const) {
    const text = query[PARAMETERS[of][side]];
    const rate = readWhole(text, { min: 0, max: 100, otherwise: null });
    if (rate !== null) return { side, rate };
  }
  return null;
}

/** @param bound null: any */
export function toBoundParameters(of: Bounded, bound: Bound | null): Record<string, number | null> {
  const rateOf = (side: Bound["side"]) => (bound?.side === side ? bound.rate : null);
  const { most, least } = PARAMETERS[of];
  return { [most]: rateOf("most"), [least]: rateOf("least") };
}

export function isFiltered({ verdicts, inflation, mev }: Filter): boolean {
  return verdicts.length > 0 || inflation !== null || mev !== null;
}

type Filtered = Pick<
  Validator,
  | "verdict"
  | "activeStake"
  | "commission"
  | "appliedCommission"
  | "nextAppliedCommission"
  | "mevCommission"
  | "mevVendorEnabled"
>;

/** What is not known is within no bound. */
export function isWithin(validator: Filtered, { verdicts, inflation, mev }: Filter): boolean {
  return (
    (verdicts.length === 0 || verdicts.includes(validator.verdict)) &&
    (inflation === null || isInflationWithin(validator, inflation)) &&
    (mev === null || isMevWithin(validator, mev))
  );
}

/** At most counts the highest: that paid now, that of the next epoch, and the announced one. */
function isInflationWithin(validator: Filtered, { side, rate }: Bound): boolean {
  const { commission, appliedCommission, nextAppliedCommission } = validator;
  if (side === "least") return takes(validator, appliedCommission, rate);
  const rates = [commission, appliedCommission, nextAppliedCommission];
  return commission !== null && rates.every((each) => each === null || each <= rate);
}

/** Without MEV nothing is taken of it. */
function isMevWithin(validator: Filtered, { side, rate }: Bound): boolean {
  const { mevCommission, mevVendorEnabled } = validator;
  if (side === "least") return takes(validator, mevCommission, rate);
  const most = mevCommission ?? (mevVendorEnabled ? null : 0);
  return most !== null && most <= rate;
}

/** Without stake nobody pays it. */
function takes({ activeStake }: Filtered, taken: number | null, atLeast: number): boolean {
  return taken !== null && taken >= atLeast && activeStake.lamports !== "0";
}
