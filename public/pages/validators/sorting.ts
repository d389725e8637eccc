import type { Validator } from "../../../generator/contract/validator.ts";
import type { Marks } from "./marks.ts";

export const SORTS = ["stake", "name", "commission", "client", "location", "changes", "delinquent"] as const;
export type Sort = (typeof SORTS)[number];
export type Order = "asc" | "desc";

/** What each is sorted by when it is chosen: what people look for first. */
export const FIRST_ORDER = {
  stake: "desc",
  name: "asc",
  commission: "desc",
  client: "asc",
  location: "asc",
  changes: "desc",
  delinquent: "desc",
} as const satisfies Record<Sort, Order>;

/** undefined: not known, which comes last in either order. */
type Value = string | number | undefined;

const NO_CHANGES = 0;
/** Below every time, and with room to count on. */
const VOTING = Number.MIN_SAFE_INTEGER;

/** One collator: strings are compared as people do, "Validator 9" before "Validator 10", the same in every browser's language. */
const collator = new Intl.Collator("en", { numeric: true, sensitivity: "base" });

/**
 * All validators by something. Ties are by rank, whatever the order.
 *
 * @param marks changes of late by vote account; without them all have none
 */
export function sortValidators(
  validators: readonly Validator[],
  { sort, order }: { sort: Sort; order: Order },
  marks: ReadonlyMap<string, Marks> = new Map(),
): Validator[] {
  const sign = order === "asc" ? 1 : -1;
  const toValue = (validator: Validator) => VALUES[sort](validator, marks.get(validator.votePubkey));
  const valued = validators.map((validator) => ({ validator, value: toValue(validator) }));
  valued.sort((one, other) => compare(one.value, other.value, sign) || one.validator.rank - other.validator.rank);
  return valued.map(({ validator }) => validator);
}

const VALUES = {
  // The rank is the order of exact lamports.
  stake: ({ rank }) => -rank,
  name: ({ name }) => name ?? undefined,
  commission: ({ commission }) => commission ?? undefined,
  client: ({ client, version }) => (client === null ? undefined : `${client} ${version ?? ""}`),
  location: ({ location }) => toPlace(location),
  changes: (_, marks) => marks?.changes ?? NO_CHANGES,
  // The one that is delinquent for longest is the most delinquent.
  delinquent: ({ delinquent, delinquentSince }) => toDelinquency(delinquent, delinquentSince),
} as const satisfies Record<Sort, (validator: Validator, marks: Marks | undefined) => Value>;

function compare(one: Value, other: Value, sign: number): number {
  if (one === undefined || other === undefined) return Number(one === undefined) - Number(other === undefined);
  if (typeof one === "number" && typeof other === "number") return sign * (one - other);
  return sign * collator.compare(String(one), String(other));
}

function toPlace(location: Validator["location"]): Value {
  const parts = [location?.country, location?.city, location?.dataCenter].filter((part) => part != null);
  return parts.length === 0 ? undefined : parts.join(" ");
}

function toDelinquency(delinquent: boolean, since: string | null): number {
  if (!delinquent) return VOTING;
  return since === null ? VOTING + 1 : -Date.parse(since);
}
