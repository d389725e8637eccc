import type { Epoch } from "../../generator/contract/epoch.ts";
import type { CommissionEvent, Severity, Verified } from "../../generator/contract/event.ts";
import type { Pattern } from "../../generator/contract/pattern.ts";
import { toCount, toPercent } from "./values.ts";

type Sides = Pick<CommissionEvent, "fromCommission" | "toCommission" | "fromDisabled" | "toDisabled">;

/** Both sides of a change: "5 %", "off" where MEV is disabled, "not known". */
export function toSides({ fromCommission, toCommission, fromDisabled, toDisabled }: Sides): [from: string, to: string] {
  return [fromDisabled ? "off" : toPercent(fromCommission), toDisabled ? "off" : toPercent(toCommission)];
}

/** Whether delegators pay more. Switching MEV on has no delta. */
export function isRise({ delta }: Pick<CommissionEvent, "delta">): boolean {
  return delta !== null && delta > 0;
}

const WORST_FIRST = ["RUG", "CAUTION", "INFO"] as const satisfies readonly Severity[];

/** The worst severity among events. */
export function findWorst(events: readonly Pick<CommissionEvent, "severity">[]): Severity {
  return WORST_FIRST.find((severity) => events.some((event) => event.severity === severity)) ?? "INFO";
}

export const SOURCE_NAMES = { COMMISSION: "Inflation", MEV: "MEV" } as const satisfies Record<
  CommissionEvent["source"],
  string
>;

type PaidFrom = Pick<CommissionEvent, "effectiveEpoch" | "effectiveEpochLatest">;

/** When a new rate is paid, as of a moment of the running epoch. */
type Effect =
  | { kind: "unknown" }
  /** Superseded before any rewards paid it. */
  | { kind: "never" }
  /** Its steps are events of their own. */
  | { kind: "steps" }
  /** 0 epochs ago: since this one; null: not certain since which. */
  | { kind: "since"; epochs: string; epochsAgo: number | null }
  /** null milliseconds: the length of epochs is not measured. */
  | { kind: "from"; epochs: string; inMilliseconds: number | null };

/** @param now milliseconds by the API's clock */
export function toEffect(
  event: PaidFrom & Pick<CommissionEvent, "supersededBy" | "replacedBy">,
  epoch: Epoch | null,
  now: number | null,
): Effect {
  const { effectiveEpoch: first, effectiveEpochLatest: last, supersededBy, replacedBy } = event;
  if (replacedBy !== null) return { kind: "steps" };
  if (supersededBy !== null) return { kind: "never" };
  const epochs = toEpochs(event);
  if (first === null || last === null || epochs === null || epoch === null) return { kind: "unknown" };
  if (last <= epoch.epoch) return { kind: "since", epochs, epochsAgo: first === last ? epoch.epoch - first : null };
  const ahead = first - epoch.epoch;
  return { kind: "from", epochs, inMilliseconds: ahead > 0 ? toStart(epoch, ahead, now) : null };
}

/** The first epoch that pays a change; several, where one began while it was made. */
export function toEpochs({ effectiveEpoch: first, effectiveEpochLatest: last }: PaidFrom): string | null {
  if (first === null || last === null) return null;
  if (first === last) return `epoch ${first}`;
  return last === first + 1 ? `epoch ${first} or ${last}` : `one of the epochs ${first} to ${last}`;
}

/** Milliseconds until a later epoch begins, if epochs stay as long as this one. */
function toStart({ epochStartedAt, epochEndsAt }: Epoch, ahead: number, now: number | null): number | null {
  if (epochStartedAt === null || epochEndsAt === null || now === null) return null;
  const end = Date.parse(epochEndsAt);
  return Math.max(0, end - now) + (ahead - 1) * (end - Date.parse(epochStartedAt));
}

/** "0 % ↔ 100 %" and "in 159 of 168", which are epochs. */
export function toPatternBrief({ from, to, epochs, ofEpochs }: Pattern): [rates: string, often: string] {
  return [`${toPercent(from)} ↔ ${toPercent(to)}`, `in ${toCount(epochs)} of ${toCount(ofEpochs)}`];
}

/** "0 % ↔ 100 % in 159 of the 168 epochs 853 to 1020". */
export function toPatternText({ from, to, epochs, ofEpochs, firstEpoch, lastEpoch }: Pattern): string {
  return `${toPercent(from)} ↔ ${toPercent(to)} in ${epochs} of the ${ofEpochs} epochs ${firstEpoch} to ${lastEpoch}`;
}

type Transaction = NonNullable<CommissionEvent["transaction"]>;

const PROOF_WORDS: Readonly<Record<string, string>> = {
  signature: "verified by signature, and told alike by most endpoints",
  "signature, one witness": "verified by signature; its slot is the word of one endpoint",
  witnesses: "told alike by most endpoints, not verified: a program signed, or a table names the account",
  "one witness": "the word of one endpoint, not verified: a program signed, or a table names the account",
} satisfies Record<Verified, string>;

/** How a transaction is verified; a word this site does not know stays as the API says it. */
export function toProofText(verified: string): string {
  return PROOF_WORDS[verified] ?? verified;
}

/** No observation saw the change, only its transaction. */
export function isSwept({ transaction, previousSlot }: Pick<CommissionEvent, "transaction" | "previousSlot">): boolean {
  return transaction !== null && previousSlot === null;
}

/** "5 % → 100 % in slot 1,000 → 0 % in slot 1,002". */
export function toStepsText(fromCommission: number | null, steps: Transaction["steps"]): string {
  const set = steps.map(({ commission, slot }) => `${toPercent(commission)} in slot ${toCount(slot)}`);
  return [toPercent(fromCommission), ...set].join(" → ");
}
