import type { Commission } from "../chain/commission.ts";
import type { AgreedTip, TipState } from "../agree/tips.ts";
import type { ConfirmedBy, Verified } from "../contract/event.ts";

/** All rows of an observation share one object. */
export interface Moment {
  /** As `toISOString` writes it: strings compare as times. */
  time: string;
  slot: number;
  epoch: number;
}

/**
 * A rate that stood, as readings tell: no other was
 * agreed on between, and no epoch went unobserved.
 */
export interface RateRun extends Commission {
  /** The first observation that showed it, and the slot by which a majority had. */
  from: Moment;
  /**
   * When a majority surely still showed it. Below `from`
   * where only accounts did, which may be outdated.
   */
  until: Moment;
  /** The last epoch with a reading of it, or an accepted list while nothing else was agreed on. */
  lastEpoch: number;
  /** Of a change; null: nothing is known to have stood before, or the same rate. */
  believed: { at: string; by: ConfirmedBy } | null;
}

/** Inflation commission. */
export interface RateTimeline {
  /** Oldest first; the last is what documents show. */
  runs: RateRun[];
  /**
   * Of the run with which a restart of the cluster began; 0:
   * none did. Those before it are of slots that came to nothing.
   */
  restartIndex: number;
  /** By a majority. Until then another rate corrects the first one, and is no change. */
  isAgreed: boolean;
  /** Readings up to this slot are ignored. */
  floor: number;
  pending: PendingRate | null;
  /** The last accepted observation with a rate that was agreed on, at a slot of its epoch. */
  read: Moment | null;
}

/** A rate that witnesses answered and that is not believed yet; documents show the one before. */
export interface PendingRate {
  to: Commission;
  /** When it was first shown, and the slot by which a majority had shown it. */
  first: Moment;
  /** Since when each observation agrees on it; null: the newest does not. ISO 8601 in UTC. */
  agreedAt: string | null;
  /**
   * Of a change of so many at once that their source may
   * be at fault: further observations that must show it.
   */
  massLeft: number | null;
  /** Each witness in the newest observation; null: nothing, or nothing that counts. */
  answers: { endpoint: string; commission: Commission | null }[];
  /** Witnesses show different rates, and none by majority. */
  isDisputed: boolean;
}

/** Basis points. */
export type MevState = number | "disabled" | null;

/** MEV commission of the tip accounts of neighbouring epochs. */
export interface TipRun {
  rate: number | "disabled";
  /** Epochs, both included. */
  from: number;
  until: number;
  /** The first observation of the tip account of `from`. */
  first: Moment;
  /** When the newest of these epochs was learned; null: before a restart of the cluster. */
  learned: Moment | null;
  /**
   * Of a change; null: nothing is known to have stood before,
   * or the same rate. `previous`: the last observation before.
   */
  believed: { at: string; by: ConfirmedBy; previous: Moment; from: MevState } | null;
}

export interface TipTimeline {
  /** Oldest first. */
  runs: TipRun[];
  /**
   * Up to this epoch all is known; one without a tip account
   * means nothing if it led no slot, or shared no tips before.
   */
  knownTo: number | null;
  /** By epoch. */
  pending: Map<number, PendingTip>;
}

/** What witnesses answered for a tip account and is not believed yet. */
export interface PendingTip {
  to: TipState;
  /** Since then no other was answered. */
  first: Moment;
  /** Observations in a row. */
  count: number;
  answers: AgreedTip["answers"];
  isDisputed: boolean;
  /** By one of two witnesses, while the other does not answer. */
  isAlone: boolean;
}

export interface Performance {
  epoch: number;
  voteCredits: bigint;
  unit: "credits" | "lamports";
  leaderSlots: number;
  blocksProduced: number;
  asOf: string;
}

/** A change in one moves `updatedAt`. */
export interface ListedFields {
  identity: string | null;
  name: string | null;
  iconUrl: string | null;
  website: string | null;
  version: string | null;
  clientId: number | null;
  commissionBasisPoints: number | null;
  /** Of the block revenue; null before layout v4. */
  blockRevenueBasisPoints: number | null;
  activeStake: bigint;
  activatingStake: bigint;
  deactivatingStake: bigint;
  stakeAccountCount: number;
  stakeAccountsAsOf: string | null;
  delinquent: boolean;
  delinquentSince: string | null;
  mevVendorEnabled: boolean;
  batchVendorEnabled: boolean;
  location: Location | null;
  inValidatorSet: boolean;
}

/**
 * The identity that a majority lists: the leader
 * schedule names it, not the vote account (leaders.ts).
 */
export interface KnownIdentity {
  key: string;
  /** Slots of the first snapshot and of the newest one that showed it. */
  from: number;
  until: number;
  /** No other one was known before. */
  isFirst: boolean;
  /** Slot of the newest snapshot in which another vote account had it too; null: none did. */
  sharedAt: number | null;
}

/** A key that a majority showed as withdraw authority. */
export interface Authority {
  key: string;
  /** An honest witness's earliest slot, or its transaction's. */
  from: number;
  /** A majority's last slot. Below `from` while witnesses read at different slots. */
  to: number;
  /** Slots with all its changes known (coverage.ts); ascending, disjoint. */
  covered: [after: number, upTo: number][];
}

export interface Proof {
  signature: string;
  slot: number;
  epoch: number;
  /** By the cluster's clock. */
  blockTime: string | null;
  signer: string;
  verified: Verified;
}

export interface RateProof extends Proof {
  /** Position in its block. */
  index: number | null;
  /** Basis points, in order; at least one. */
  rates: number[];
  foundAt: string;
  /** Known under two slots, so it proves nothing. */
  isDisputed: boolean;
}

export interface AccountChange extends Proof {
  of:
    "withdrawAuthority" | "inflationCollector" | "blockRevenueCollector" | "blockRevenueCommission";
  to: string | number;
}

/**
 * Commission on block revenue, as a majority of the
 * panel reads it from vote accounts (block-revenue.ts).
 */
export interface BlockRevenue {
  agreed: { basisPoints: number; until: Moment } | null;
  /** Slot of the first reading. */
  knownFrom: number | null;
  /** Another value that one snapshot showed. */
  candidate: { basisPoints: number; at: Moment } | null;
  /** By slot. */
  changes: { from: number; to: number; previous: Moment; first: Moment }[];
}

export interface ValidatorRecord extends ListedFields {
  vote: string;
  firstEpoch: number;
  /** In the last accepted snapshot, or missed by one only. */
  listed: boolean;
  /** Snapshots in a row that asked for it by key and missed it. */
  missedSnapshots: number;
  /** 0: never ranked. */
  rank: number;
  updatedAt: string | null;
  /** The last accepted observation with its row. */
  seen: Moment;
  rates: RateTimeline;
  tips: TipTimeline;
  priorityFeeBasisPoints: number | null;
  /** Documents show that of the last full UTC hour. */
  performance: Performance | null;
  performanceOfHour: Performance | null;
  knownIdentity: KnownIdentity | null;
  moves: LocationMove[];
  history: { first: number; last: number } | null;
  authorities: Authority[];
  /**
   * Another withdraw authority that witnesses answered and
   * that is not believed yet; `since` ISO 8601 in UTC.
   */
  nextAuthority: { key: string; from: number; since: string } | null;
  /** By slot and block position. */
  rateProofs: RateProof[];
  /** Slot of the newest accepted observation that lacked its row; null: none did. */
  absentAt: number | null;
  /** Slots of the newest proved withdrawals from the account, ascending (refutations.ts). */
  withdrawals: number[];
  accountChanges: AccountChange[];
  blockRevenue: BlockRevenue;
}

export interface Location {
  country: string | null;
  countryCode: string | null;
  city: string | null;
  asn: number | null;
  asnOrganization: string | null;
  /** See data-centers.ts. */
  dataCenter: string | null;
}

export interface LocationMove {
  at: string;
  from: Location;
  to: Location;
}
