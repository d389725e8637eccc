import type { CheckEntry, SnapshotEntry } from "../entries/entry.ts";
import type { Moment } from "./records.ts";

/** An observation that acceptance judges. */
export type Observation = CheckEntry | SnapshotEntry;

/** With its place in the epoch. */
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

/** Why an observation can be refused. */
export const DOUBTS = ["slot", "leap", "epoch", "set", "commissions"] as const;

/** The witness of an entry without a panel. */
export const NO_WITNESS = -1;

/** Refusals in a row that agree; enough of them are believed. */
export interface Doubt {
  since: string;
  count: number;
  /** Of the newest one. */
  time: string;
  slot: number;
  epoch: number;
  /** First slot of `epoch`. */
  firstSlot: number;
  rows: number;
  stake: bigint;
  unreadable: number;
}

/**
 * `isLike`: whether an earlier doubt, of the same or another witness, agrees with this objection; null: it is never
 * believed.
 */
export interface Objection {
  reason: string;
  isLike: ((doubt: Doubt, of: "same" | "another") => boolean) | null;
}

/** Its index in {@link Ledger.witnesses} is its ordinal. */
export interface WitnessRecord {
  origin: string;
  /** Last reading of its list, ISO 8601 in UTC; the oldest is read next. */
  askedAt: string | null;
  /** Of its newest list in place, and of its newest answer about accounts; -1: none yet. */
  slot: number;
  accountsSlot: number;
  /** Lamports, without dead accounts. */
  stake: bigint | null;
}

/** What new observations are compared with. */
export interface Acceptance {
  accepted: number;
  refused: number;
  /** Witnesses with accepted observations. One alone may have lied from the start. */
  believed: Set<number>;
  newest: AcceptedObservation | null;
  /** The previous set, without dead accounts. `unreadable`: vote accounts without a commission. */
  reference: { rows: number; stake: bigint; unreadable: Set<string> } | null;
  /**
   * By kind, as a restarted cluster with fewer validators raises two at once, and by witness, so that none resets
   * another's. {@link NO_WITNESS} without a panel.
   */
  doubts: Record<(typeof DOUBTS)[number], Map<number, Doubt>>;
  /** Oldest first, bounded. */
  refusals: Refusal[];
}

export function createDoubts(): Acceptance["doubts"] {
  return { slot: new Map(), leap: new Map(), epoch: new Map(), set: new Map(), commissions: new Map() };
}
