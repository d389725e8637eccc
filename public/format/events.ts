import type { Epoch } from "../../generator/contract/epoch.ts";
import type { CommissionEvent, Severity, Verified } from "../../generator/contract/event.ts";
import type { Incident } from "../../generator/contract/incident.ts";
import type { Pattern } from "../../generator/contract/pattern.ts";
import { toCount, toCounted, toPercent } from "./values.ts";

type Sides = Pick<
  CommissionEvent,
  "fromCommission" | "toCommission" | "fromDisabled" | "toDisabled"
>;

export function toSides({
  fromCommission,
  toCommission,
  fromDisabled,
  toDisabled,
}: Sides): [from: string, to: string] {
  return [
    fromDisabled ? "off" : toPercent(fromCommission),
    toDisabled ? "off" : toPercent(toCommission),
  ];
}

/** Switching MEV on has no delta, so it is no rise. */
export function isRise({ delta }: Pick<CommissionEvent, "delta">): boolean {
  return delta !== null && delta > 0;
}

/** The worst first. */
export const SEVERITIES = ["RUG", "CAUTION", "INFO"] as const satisfies readonly Severity[];

export function findWorst(events: readonly Pick<CommissionEvent, "severity">[]): Severity {
  return (
    SEVERITIES.find((severity) => events.some((event) => event.severity === severity)) ?? "INFO"
  );
}

type Placed = Pick<CommissionEvent, "severity" | "epoch">;

/** By epoch: a search may find an older one later. */
export function findNewest<Event extends Placed>(
  events: readonly Event[],
  severity: Severity,
): Event | null {
  const found = events.filter((event) => event.severity === severity);
  return found.reduce<Event | null>(
    (newest, event) => (newest === null || event.epoch > newest.epoch ? event : newest),
    null,
  );
}

export const SOURCE_NAMES = { COMMISSION: "Inflation", MEV: "MEV" } as const satisfies Record<
  CommissionEvent["source"],
  string
>;

type PaidFrom = Pick<CommissionEvent, "effectiveEpoch" | "effectiveEpochLatest">;

type Effect =
  | { kind: "unknown" }
  | { kind: "never" }
  | { kind: "steps" }
  /** null: one of several epochs. */
  | { kind: "since"; epochs: string; epochsAgo: number | null }
  /** null: the length of an epoch is not known. */
  | { kind: "from"; epochs: string; inMilliseconds: number | null };

export function toEffect(
  event: PaidFrom & Pick<CommissionEvent, "supersededBy" | "replacedBy">,
  epoch: Epoch | null,
  now: number | null,
): Effect {
  const { effectiveEpoch: first, effectiveEpochLatest: last, supersededBy, replacedBy } = event;
  if (replacedBy !== null) return { kind: "steps" };
  if (supersededBy !== null) return { kind: "never" };
  const epochs = toEpochs(event);
  if (first === null || last === null || epochs === null || epoch === null)
    return { kind: "unknown" };
  if (last <= epoch.epoch)
    return { kind: "since", epochs, epochsAgo: first === last ? epoch.epoch - first : null };
  const ahead = first - epoch.epoch;
  return { kind: "from", epochs, inMilliseconds: ahead > 0 ? toStartOf(epoch, first, now) : null };
}

/** A range where an epoch began within the window of the change. */
export function toEpochs({
  effectiveEpoch: first,
  effectiveEpochLatest: last,
}: PaidFrom): string | null {
  if (first === null || last === null) return null;
  if (first === last) return `epoch ${first}`;
  return last === first + 1 ? `epoch ${first} or ${last}` : `one of epochs ${first} to ${last}`;
}

/**
 * Milliseconds until a later epoch starts, if epochs keep the length of this one; null: not known.
 * @param now epoch milliseconds
 */
export function toStartOf(
  { epoch, epochStartedAt, epochEndsAt }: Epoch,
  later: number,
  now: number | null,
): number | null {
  if (epochStartedAt === null || epochEndsAt === null || now === null) return null;
  const end = Date.parse(epochEndsAt);
  return Math.max(0, end - now) + (later - epoch - 1) * (end - Date.parse(epochStartedAt));
}

/** "6 % ↔ 46 %" and "raised in 6 of the 11 epochs 1061 to 1071" */
export function toPatternBrief(pattern: Pattern): [rates: string, often: string] {
  const { from, to } = pattern;
  return [`${toPercent(from)} ↔ ${toPercent(to)}`, `raised in ${toSpanText(pattern)}`];
}

/**
 * "It raised its MEV commission in 6 of the 11 epochs 1061 to 1071, last from 10 % to 35 %, and
 * lowered it in between."
 */
export function toPatternText(pattern: Pattern): string {
  const { source, from, to } = pattern;
  const what = source === "MEV" ? "MEV commission" : "inflation commission";
  return `It raised its ${what} in ${toSpanText(pattern)}, last from ${toPercent(from)} to ${toPercent(to)}, and lowered it in between.`;
}

function toSpanText({ epochs, ofEpochs, firstEpoch, lastEpoch }: Pattern): string {
  return `${toCount(epochs)} of the ${toCount(ofEpochs)} epochs ${firstEpoch} to ${lastEpoch}`;
}

const MINUTE_MILLISECONDS = 60_000;

/**
 * "23 validators raised their inflation commission within 40 minutes".
 * @param member any of them
 */
export function toIncidentText(
  { validators, firstAt, lastAt }: Incident,
  member: CommissionEvent,
): string {
  const way = isRise(member) ? "raised" : "lowered";
  const minutes = Math.max(
    1,
    Math.ceil((Date.parse(lastAt) - Date.parse(firstAt)) / MINUTE_MILLISECONDS),
  );
  return `${toCount(validators)} validators ${way} their inflation commission within ${toCounted(minutes, "minute")}`;
}

type Transaction = NonNullable<CommissionEvent["transaction"]>;

const PROOF_WORDS: Readonly<Record<string, string>> = {
  signature: "signature verified; most endpoints agree on slot and success",
  "signature, one witness": "signature verified; only one endpoint gave the slot",
  witnesses:
    "not verified, because a program signed or a lookup table names the account; most " +
    "endpoints agree",
  "one witness":
    "not verified, because a program signed or a lookup table names the account; only one " +
    "endpoint gave it",
} satisfies Record<Verified, string>;

export function toProofText(verified: string): string {
  return PROOF_WORDS[verified] ?? verified;
}

export function isSwept({
  transaction,
  previousSlot,
}: Pick<CommissionEvent, "transaction" | "previousSlot">): boolean {
  return transaction !== null && previousSlot === null;
}

/** "5 % → 100 % in slot 1,000 → 0 % in slot 1,002" */
export function toStepsText(fromCommission: number | null, steps: Transaction["steps"]): string {
  const set = steps.map(
    ({ commission, slot }) => `${toPercent(commission)} in slot ${toCount(slot)}`,
  );
  return [toPercent(fromCommission), ...set].join(" → ");
}
