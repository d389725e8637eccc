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
 * A rate in force over a span of readings: no other was agreed on between them, and no epoch in
 * the span went unobserved.
 */
export interface RateRun extends Commission {
  /** The first observation of the rate; its slot is that by which a majority had answered it. */
  from: Moment;
  /**
   * When a majority last certainly answered it. Below `from` if only accounts did, which may be
   * outdated.
   */
  until: Moment;
  /** The last epoch with a reading of it, or with an accepted list while no other was agreed on. */
  lastEpoch: number;
  /** Set for a change; null: the rate before is unknown or the same. */
  believed: { at: string; by: ConfirmedBy } | null;
}

/** Inflation commission. */
export interface RateTimeline {
  /** Oldest first; the last is what documents show. */
  runs: RateRun[];
  /**
   * Index of the run that began with a restart of the cluster; 0: no restart. The slots of runs
   * before it were discarded.
   */
  restartIndex: number;
  /** A majority agreed on it. Until then another rate corrects the first one and is no change. */
  isAgreed: boolean;
  /** Readings up to this slot are ignored. */
  floor: number;
  pending: PendingRate | null;
  /** The last accepted observation with a rate that was agreed on, at a slot of its epoch. */
  read: Moment | null;
}

/** A rate that witnesses answered but that is not yet accepted; documents show the one before. */
export interface PendingRate {
  to: Commission;
  /** When it was first shown, and the slot by which a majority had shown it. */
  first: Moment;
  /** Since when every observation agrees on it, ISO 8601 in UTC; null: the newest one does not. */
  agreedAt: string | null;
  /**
   * Further observations that must show a change that came with so many others that their source
   * may be at fault; null: it came with few.
   */
  massLeft: number | null;
  /** Each witness's answer in the newest observation; null: no answer, or none that counts. */
  answers: { endpoint: string; commission: Commission | null }[];
  /** Witnesses answer different rates, and no rate has a majority. */
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
   * Set for a change; null: the commission before is unknown or the same. `previous`: the last
   * observation before.
   */
  believed: { at: string; by: ConfirmedBy; previous: Moment; from: MevState } | null;
}

/** MEV commission by epoch. */
export interface TipTimeline {
  /** Oldest first. */
  runs: TipRun[];
  /**
   * Everything up to this epoch is known. An epoch without a tip account means nothing if the
   * validator led no slot in it or had shared no tips before.
   */
  knownTo: number | null;
  /** By epoch. */
  pending: Map<number, PendingTip>;
}

/** What witnesses answered for a tip account and is not yet accepted. */
export interface PendingTip {
  to: TipState;
  /** The first observation since which no other answer came. */
  first: Moment;
  /** Observations in a row. */
  count: number;
  answers: AgreedTip["answers"];
  isDisputed: boolean;
}

/** Vote credits and block production of the running epoch; `asOf` in ISO 8601, UTC. */
export interface Performance {
  epoch: number;
  voteCredits: bigint;
  unit: "credits" | "lamports";
  leaderSlots: number;
  blocksProduced: number;
  asOf: string;
}

/** Fields that lists show: a change of one moves `updatedAt`. */
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
  /** No other identity was known before. */
  isFirst: boolean;
  /**
   * Slot of the newest snapshot in which another vote account had the same identity; null: none.
   */
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

/** A transaction that a majority of witnesses agree on and whose signature the fold verified. */
export interface Proof {
  signature: string;
  slot: number;
  epoch: number;
  /** By the cluster's clock. */
  blockTime: string | null;
  signer: string;
  verified: Verified;
}

/** A transaction that changed the inflation commission, perhaps several times. */
export interface RateProof extends Proof {
  /** Position in its block. */
  index: number | null;
  /** Basis points, in order; at least one. */
  rates: number[];
  foundAt: string;
  /**
   * Signatures and message in Base64, for readers to verify; null: older than the newest
   * transactions of its validator that keep theirs.
   */
  bytes: string | null;
  /** Answers gave it under two slots, so it proves nothing. */
  isDisputed: boolean;
}

/** A proved change of another field of the vote account than its inflation commission. */
export type AccountChange = KeyChange | BlockRevenueChange;

/** A proved change of a key of the vote account. */
export interface KeyChange extends Proof {
  of: "withdrawAuthority" | "inflationCollector" | "blockRevenueCollector";
  to: string;
}

/** A proved change of the commission on block revenue; `to` in basis points. */
export interface BlockRevenueChange extends Proof {
  of: "blockRevenueCommission";
  to: number;
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

/** All that is remembered of a vote account. Records are never removed, so an index stays valid. */
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
  /** The newest. Documents show `performanceOfHour`, as of the last full UTC hour. */
  performance: Performance | null;
  performanceOfHour: Performance | null;
  knownIdentity: KnownIdentity | null;
  moves: LocationMove[];
  history: { first: number; last: number } | null;
  authorities: Authority[];
  /**
   * A different withdraw authority that witnesses answered and that is not yet accepted; `since`
   * is ISO 8601 in UTC.
   */
  nextAuthority: { key: string; from: number; since: string } | null;
  /** By slot and block position. */
  rateProofs: RateProof[];
  /** Slots of the newest accepted observations that lacked its row, ascending (withdrawals.ts). */
  absences: number[];
  /** Slots of the newest proved withdrawals from the account, ascending (withdrawals.ts). */
  withdrawals: number[];
  accountChanges: AccountChange[];
  blockRevenue: BlockRevenue;
}

/** A node's place and network as look-ups of its gossip address gave them; null: not known. */
export interface Location {
  country: string | null;
  countryCode: string | null;
  city: string | null;
  asn: number | null;
  asnOrganization: string | null;
  /** See data-centers.ts. */
  dataCenter: string | null;
}

/** A change of location; `at` is the snapshot's time, ISO 8601 in UTC. */
export interface LocationMove {
  at: string;
  from: Location;
  to: Location;
}
