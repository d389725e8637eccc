import type { ConfirmedBy, Severity, Source } from "../contract/event.ts";
import type { MevState, Proof } from "./records.ts";
import type { CostRecord } from "./stake/staking-rewards.ts";
import type { MevCostRecord } from "./tips/mev-costs.ts";

/** The proved transaction that made the change, and all that changed the commission on the way. */
export interface EventTransaction extends Omit<Proof, "epoch"> {
  /** All in the event's window, in order. */
  steps: { signature: string; slot: number; basisPoints: number }[];
}

/**
 * A published change; commissions in basis points. It is derived from facts (views/events) and
 * never edited.
 */
export interface EventRecord {
  id: string;
  validatorIndex: number;
  source: Source;
  severity: Severity;
  epoch: number;
  /** Part of its id, so it stays when `epoch` is corrected. */
  seenEpoch: number;
  createdAt: string | null;
  slot: number;
  previousSlot: number | null;
  previousSeenAt: string | null;
  /** Epochs in which it was made, by observations alone. */
  seenIn: { earliest: number; latest: number };
  /**
   * Epochs in which it was made, by everything known; a single epoch if its transaction is proved.
   */
  madeIn: { earliest: number; latest: number };
  from: MevState;
  to: MevState;
  /**
   * First epoch that pays the new rate if it was made in the first epoch of `madeIn`;
   * `effectiveEpochLatest`: if it was made in the last.
   */
  effectiveEpoch: number;
  effectiveEpochLatest: number;
  effectiveEpochFinal: boolean;
  /** Id of the event that replaced it before it was ever paid. */
  supersededBy: string | null;
  confirmed: boolean;
  /** ISO 8601 in UTC; null: it comes from a public history, which no panel confirmed. */
  confirmedAt: string | null;
  confirmedBy: ConfirmedBy | null;
  transaction: EventTransaction | null;
  /** Only its transaction shows it; no observation did. */
  isSwept: boolean;
  cost: CostRecord | null;
  mevCost: MevCostRecord | null;
  /** Id of the last of its steps that are events themselves. */
  replacedBy: string | null;
}
