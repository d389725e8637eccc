import type { CommissionEvent, Severity } from "../../../generator/contract/event.ts";
import type { Validator } from "../../../generator/contract/validator.ts";

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

/** What a validator changed of late. */
export interface Marks {
  /** Changes of inflation and MEV commission together. */
  changes: number;
  newest: CommissionEvent;
  /** Of all the changes. */
  worst: Severity;
  /** How often a commission turned round: a rise after a fall, or a fall after a rise, of the same commission. */
  turns: number;
}

/** Up, down and up again: a commission that turned so often is moved to and fro. Once may be a mistake put right. */
export const SERIAL_TURNS = 2;

const WORST_FIRST = ["RUG", "CAUTION", "INFO"] as const satisfies readonly Severity[];

/**
 * Marks of every validator that a list of events names. An event whose steps are events of their own is not one of them.
 *
 * @param events newest first, as documents have them
 */
export function toMarks(events: readonly CommissionEvent[]): Map<string, Marks> {
  const marks = new Map<string, Marks>();
  const counted = events.filter(({ replacedBy }) => replacedBy === null);
  for (const [votePubkey, of] of Map.groupBy(counted, (event) => event.votePubkey)) {
    const [newest] = of;
    if (newest === undefined) continue;
    const worst = WORST_FIRST.find((severity) => of.some((event) => event.severity === severity)) ?? "INFO";
    marks.set(votePubkey, { changes: of.length, newest, worst, turns: countTurns(of) });
  }
  return marks;
}

/** MEV that is switched on or off has no delta and is no turn. Backwards in time there are as many turns as forwards. */
function countTurns(events: readonly CommissionEvent[]): number {
  const last = new Map<CommissionEvent["source"], number>();
  let turns = 0;
  for (const { source, delta } of events) {
    const direction = Math.sign(delta ?? 0);
    if (direction === 0) continue;
    if (direction === -(last.get(source) ?? 0)) turns += 1;
    last.set(source, direction);
  }
  return turns;
}
