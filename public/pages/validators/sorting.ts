import type { Validator } from "../../../generator/contract/validator.ts";

export const SORTS = [
  "stake",
  "name",
  "verdict",
  "commission",
  "applied",
  "mev",
  "client",
  "location",
  "delinquent",
] as const;
export type Sort = (typeof SORTS)[number];
export type Order = "asc" | "desc";

export const FIRST_ORDER = {
  stake: "desc",
  name: "asc",
  verdict: "desc",
  commission: "desc",
  applied: "desc",
  mev: "desc",
  client: "asc",
  location: "asc",
  delinquent: "desc",
} as const satisfies Record<Sort, Order>;

/** undefined: not known; comes last in either order. */
type Value = string | number | undefined;

/** undefined: not known. */
const WEIGHTS = { bad: 2, caution: 1, good: 0, unknown: undefined } as const satisfies Record<
  Validator["verdict"],
  number | undefined
>;
/** Below every time. */
const VOTING = Number.MIN_SAFE_INTEGER;

/** "Validator 9" before "Validator 10" */
const collator = new Intl.Collator("en", { numeric: true, sensitivity: "base" });

/** Ties keep the order of rank. */
export function sortValidators(
  validators: readonly Validator[],
  { sort, order }: { sort: Sort; order: Order },
): Validator[] {
  const sign = order === "asc" ? 1 : -1;
  const valued = validators.map((validator) => ({ validator, value: VALUES[sort](validator) }));
  valued.sort(
    (one, other) =>
      compare(one.value, other.value, sign) || one.validator.rank - other.validator.rank,
  );
  return valued.map(({ validator }) => validator);
}

const VALUES = {
  // Ranks follow exact lamports.
  stake: ({ rank }) => -rank,
  name: ({ name }) => name ?? undefined,
  verdict: ({ verdict }) => WEIGHTS[verdict],
  commission: ({ commission }) => commission ?? undefined,
  applied: ({ appliedCommission }) => appliedCommission ?? undefined,
  mev: ({ mevCommission }) => mevCommission ?? undefined,
  client: ({ client, version }) => (client === null ? undefined : `${client} ${version ?? ""}`),
  location: ({ location }) => toPlace(location),
  delinquent: ({ delinquent, delinquentSince }) => toDelinquency(delinquent, delinquentSince),
} as const satisfies Record<Sort, (validator: Validator) => Value>;

function compare(one: Value, other: Value, sign: number): number {
  if (one === undefined || other === undefined)
    return Number(one === undefined) - Number(other === undefined);
  if (typeof one === "number" && typeof other === "number") return sign * (one - other);
  return sign * collator.compare(String(one), String(other));
}

function toPlace(location: Validator["location"]): Value {
  const parts = [location?.country, location?.city, location?.dataCenter].filter(
    (part) => part != null,
  );
  return parts.length === 0 ? undefined : parts.join(" ");
}

function toDelinquency(delinquent: boolean, since: string | null): number {
  if (!delinquent) return VOTING;
  return since === null ? VOTING + 1 : -Date.parse(since);
}
