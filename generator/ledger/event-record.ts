import type { ConfirmedBy, Severity, Source } from "../contract/event.ts";
import type { MevState, Proof } from "./records.ts";
import type { CostRecord } from "./stake/staking-rewards.ts";
import type { MevCostRecord } from "./tips/mev-costs.ts";

export interface EventTransaction extends Omit<Proof, "epoch"> {
  /** All in the event's window, in order. */
  steps: { signature: string; slot: number; basisPoints: number }[];
}

/** Commissions in basis points. Made anew from facts (views/events); none is edited. */
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
  /** By observations alone. */
  seenIn: { earliest: number; latest: number };
  /** By everything known; one epoch if its transaction is proved. */
  madeIn: { earliest: number; latest: number };
  from: MevState;
  to: MevState;
  /** Made in the first or last epoch of `madeIn`. */
  effectiveEpoch: number;
  effectiveEpochLatest: number;
  effectiveEpochFinal: boolean;
  /** Before it was ever paid. */
  supersededBy: string | null;
  confirmed: boolean;
  /** null: from a public history. */
  confirmedAt: string | null;
  confirmedBy: ConfirmedBy | null;
  transaction: EventTransaction | null;
  /** Only its transaction shows it. */
  isSwept: boolean;
  cost: CostRecord | null;
  mevCost: MevCostRecord | null;
  /** Id of the last of its steps that are events themselves. */
  replacedBy: string | null;
}
