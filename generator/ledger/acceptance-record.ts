import type { CheckEntry, SnapshotEntry } from "../entries/entry.ts";
import type { Moment } from "./records.ts";

export type Observation = CheckEntry | SnapshotEntry;

export interface AcceptedObservation extends Moment {
  /** Newest vote in its own list; `slot` is the panel's median. */
  listSlot: number;
  slotIndex: number;
  slotsInEpoch: number;
  absoluteSlot: number;
}

export interface Refusal {
  name: string;
  time: string;
  reason: string;
}

export const DOUBTS = ["slot", "leap", "epoch", "set", "commissions"] as const;

/** Enough refusals in a row that agree are believed. */
export interface Doubt {
  since: string;
  count: number;
  time: string;
  slot: number;
  epoch: number;
  firstSlot: number;
  rows: number;
  stake: bigint;
  unreadable: number;
}

/** `isLike`: an earlier doubt agrees; null: never believed. */
export interface Objection {
  reason: string;
  isLike: ((doubt: Doubt, of: "same" | "another") => boolean) | null;
}

/** Its index in {@link Ledger.witnesses} is its ordinal. */
export interface WitnessRecord {
  origin: string;
  /** The oldest is read next. */
  askedAt: string | null;
  /** -1 until it answers. */
  slot: number;
  /** Lamports, without dead accounts. */
  stake: bigint | null;
}

export interface Acceptance {
  accepted: number;
  refused: number;
  /** One witness alone may have lied from the start. */
  believed: Set<number>;
  newest: AcceptedObservation | null;
  /** `unreadable`: vote accounts without a commission. */
  reference: { rows: number; stake: bigint; unreadable: Set<string> } | null;
  /**
   * By kind, as a restarted cluster with fewer validators raises two at once; by witness, so that none resets
   * another's.
   */
  doubts: Record<(typeof DOUBTS)[number], Map<number, Doubt>>;
  refusals: Refusal[];
}

export function createDoubts(): Acceptance["doubts"] {
  return { slot: new Map(), leap: new Map(), epoch: new Map(), set: new Map(), commissions: new Map() };
}
