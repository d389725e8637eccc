import type { CheckEntry, SnapshotEntry } from "../entries/entry.ts";
import type { Moment } from "./records.ts";

/** What acceptance is about. */
export type Observation = CheckEntry | SnapshotEntry;

/** An observation that was accepted, with where its epoch stood. */
export interface AcceptedObservation extends Moment {
  /** The newest vote in its own list; `slot` is where the panel is, where there is one. */
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

/** What an observation can be refused for. */
export const DOUBTS = ["slot", "leap", "epoch", "set", "commissions"] as const;

/** Who told what entries without a panel tell. */
export const NO_WITNESS = -1;

/** Refused observations in a row that agree with each other: enough of them become the truth. */
export interface Doubt {
  since: string;
  count: number;
  /** Of the last of them. */
  time: string;
  slot: number;
  epoch: number;
  /** Of its epoch. */
  firstSlot: number;
  rows: number;
  stake: bigint;
  /** Rows without a commission that had one. */
  unreadable: number;
}

/**
 * Why an observation is not believed at once, and whether it tells the same as one doubted before, of the same witness or
 * of another; null: it never will be believed.
 */
export interface Objection {
  reason: string;
  isLike: ((doubt: Doubt, of: "same" | "another") => boolean) | null;
}

/** What is remembered of a witness; its index in {@link Ledger.witnesses} names it. */
export interface WitnessRecord {
  origin: string;
  /** When its list was read last, ISO 8601 in UTC: who was read longest ago is read next. */
  askedAt: string | null;
  /** Of its newest list that lay where the cluster was, and of its newest answer about accounts; -1: none yet. */
  slot: number;
  accountsSlot: number;
  /** The stake of that list, in lamports, dead accounts left out. */
  stake: bigint | null;
}

/** What the fold remembers in order to accept or refuse by comparison. */
export interface Acceptance {
  accepted: number;
  refused: number;
  /** Witnesses whose observations were accepted, by ordinal: a single one may have lied from the first. */
  believed: Set<number>;
  newest: AcceptedObservation | null;
  /** The accepted set that the next one is compared with, dead accounts left out; `unreadable`: its vote accounts without a commission. */
  reference: { rows: number; stake: bigint; unreadable: Set<string> } | null;
  /**
   * Each kept apart: a restarted cluster with fewer validators must outlast two of them at the same time. Each witness by
   * its ordinal, so that none resets the doubts of another; {@link NO_WITNESS} where an entry names no panel.
   */
  doubts: Record<(typeof DOUBTS)[number], Map<number, Doubt>>;
  /** The newest refusals, oldest first, bounded. */
  refusals: Refusal[];
}

/** No doubt of any kind. */
export function createDoubts(): Acceptance["doubts"] {
  return { slot: new Map(), leap: new Map(), epoch: new Map(), set: new Map(), commissions: new Map() };
}
