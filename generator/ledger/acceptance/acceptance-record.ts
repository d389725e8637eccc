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

export interface RefusedObservation {
  name: string;
  time: string;
  reason: string;
}

export const REFUSAL_KINDS = ["slot", "leap", "epoch", "set", "commissions"] as const;

/** Enough refusals in a row that agree are believed. */
interface RefusalStreak {
  since: string;
  count: number;
  time: string;
  slot: number;
  epoch: number;
  rows: number;
  stake: bigint;
  unreadable: number;
}

/** `isLike`: the streak before agrees; null: never believed. */
export interface Refusal {
  reason: string;
  isLike: ((streak: RefusalStreak) => boolean) | null;
}

export interface Acceptance {
  accepted: number;
  refused: number;
  newest: AcceptedObservation | null;
  /** `unreadable`: vote accounts without a commission. */
  reference: { rows: number; stake: bigint; unreadable: Set<string> } | null;
  /** By kind: a restarted cluster with fewer validators raises two at once. */
  streaks: Record<(typeof REFUSAL_KINDS)[number], RefusalStreak | null>;
  refusedObservations: RefusedObservation[];
}

export function createStreaks(): Acceptance["streaks"] {
  return { slot: null, leap: null, epoch: null, set: null, commissions: null };
}
