import type { AgreedCheck, AgreedSnapshot } from "../../agree/agree.ts";
import type { Moment } from "../records.ts";

/** An entry with a list of vote accounts; only these can be refused. */
export type Observation = AgreedCheck | AgreedSnapshot;

/** Where the cluster was at an accepted observation. Slots are absolute but for `slotIndex`. */
export interface AcceptedObservation extends Moment {
  /**
   * The slot that the lists of a majority reach; `slot` is the cluster's by the panel's answers.
   */
  listSlot: number;
  slotIndex: number;
  slotsInEpoch: number;
  absoluteSlot: number;
}

/**
 * A refused entry by its number in ten digits; `time` in ISO 8601, UTC. The status document
 * lists it.
 */
export interface RefusedObservation {
  name: string;
  time: string;
  reason: string;
}

/** The checks of an observation that a streak of agreeing refusals can overcome. */
export const REFUSAL_KINDS = ["slot", "leap", "epoch", "set", "commissions"] as const;

/**
 * Refusals in a row that agree with each other. Enough of them make the next observation accepted.
 */
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

/**
 * `isLike` tells whether this refusal agrees with the streak before it. Null: such an observation
 * is never accepted, however often it repeats.
 */
export interface Refusal {
  reason: string;
  isLike: ((streak: RefusalStreak) => boolean) | null;
}

/** Counts since the journal began, and what the next observation is compared with. */
export interface Acceptance {
  accepted: number;
  refused: number;
  newest: AcceptedObservation | null;
  /** `unreadable`: vote accounts without a commission. */
  reference: { rows: number; stake: bigint; unreadable: Set<string> } | null;
  /**
   * One streak a kind: a restarted cluster with fewer validators is refused for two kinds at once.
   */
  streaks: Record<(typeof REFUSAL_KINDS)[number], RefusalStreak | null>;
  refusedObservations: RefusedObservation[];
}

/** No streak of any kind, as at the start and after a ruling. */
export function createStreaks(): Acceptance["streaks"] {
  return { slot: null, leap: null, epoch: null, set: null, commissions: null };
}
