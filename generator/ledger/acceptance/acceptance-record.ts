import type { CheckEntry, SnapshotEntry } from "../../entries/entry.ts";
import type { Moment } from "../records.ts";

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
interface Doubt {
  since: string;
  count: number;
  time: string;
  slot: number;
  epoch: number;
  rows: number;
  stake: bigint;
  unreadable: number;
}

/** `isLike`: an earlier doubt agrees; null: never believed. */
export interface Objection {
  reason: string;
  isLike: ((doubt: Doubt) => boolean) | null;
}

export interface Acceptance {
  accepted: number;
  refused: number;
  newest: AcceptedObservation | null;
  /** `unreadable`: vote accounts without a commission. */
  reference: { rows: number; stake: bigint; unreadable: Set<string> } | null;
  /** By kind: a restarted cluster with fewer validators raises two at once. */
  doubts: Record<(typeof DOUBTS)[number], Doubt | null>;
  refusals: Refusal[];
}

export function createDoubts(): Acceptance["doubts"] {
  return { slot: null, leap: null, epoch: null, set: null, commissions: null };
}
