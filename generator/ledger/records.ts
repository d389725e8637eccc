import type { ConfirmedBy, Severity, Source, Verified } from "../contract/event.ts";
import type { MevCostRecord } from "./mev-costs.ts";
import type { CostRecord } from "./staking-rewards.ts";

/** All rows of an observation share one object. */
export interface Moment {
  /** As `toISOString` writes it, so that strings compare as times. */
  time: string;
  slot: number;
  epoch: number;
}

/** At most 10,000; `exact: false`: from a percent, within a point of it. */
export interface Commission {
  basisPoints: number;
  exact: boolean;
}

export interface Word<Value> {
  /** null: no answer or, with `absence`, no such account. */
  value: Value | null;
  first: Moment;
  newest: Moment;
  of: "account" | "list" | "absence";
}

/** By witness ordinal. */
export type Testimony<Value> = Map<number, Word<Value>>;

/** Documents show the old value until it is confirmed. */
export interface Pending<Value> {
  to: Value;
  first: Moment;
  /** The last accepted observation of the old value. */
  previous: Moment;
  /** Of the first observation; the second reading prefers another one. */
  endpoint: string;
  /** Agreeing observations still needed. An account decides at once; a `mass` change it can only deny. */
  needed: number;
  /** With so many others that the source is in doubt. */
  mass: boolean;
  /** Empty without a panel. */
  testimony: Testimony<Value>;
}

/** Basis points; null: unknown. */
export type MevState = number | "disabled" | null;

/** Basis points, or no account. */
export type TipWord = number | "absent";

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

/** A majority showed this key as withdraw authority. */
export interface Authority {
  key: string;
  /** First slot: an honest witness's earliest, or its transaction's. */
  from: number;
  /** Last slot of a majority. Below `from` while witnesses read at different slots. */
  to: number;
  /** Slots with all its changes to this account known (coverage.ts); ascending, disjoint. */
  covered: [after: number, upTo: number][];
}

/** A proved transaction that changed a vote account. */
export interface Proof {
  /** Base58. */
  signature: string;
  slot: number;
  epoch: number;
  /** By the cluster's clock, ISO 8601 in UTC. */
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
  /** Told under two slots, so it proves nothing. */
  isDisputed: boolean;
}

/** Basis points or a key. */
export interface AccountChange extends Proof {
  of: "withdrawAuthority" | "inflationCollector" | "blockRevenueCollector" | "blockRevenueCommission";
  to: string | number;
}

export interface EventTransaction extends Omit<Proof, "epoch"> {
  /** All in the event's window, basis points, in order; the last is the new one. */
  steps: { signature: string; slot: number; basisPoints: number }[];
}

export interface ValidatorRecord extends ListedFields {
  vote: string;
  firstEpoch: number;
  /** In the last accepted snapshot's list, or missed by one only. */
  listed: boolean;
  /** In a row that asked for it by key and did not find it. */
  missedSnapshots: number;
  /** From 1; 0: never ranked. */
  rank: number;
  updatedAt: string | null;
  /** The last accepted observation with its row. */
  seen: Moment;
  inflation: Commission | null;
  /** Slot of its first commission reading. */
  inflationKnownFrom: number | null;
  /** By a majority. Until then a difference is a correction, not an event. */
  inflationSettled: boolean;
  /** Readings up to this slot precede `inflation` and are ignored. */
  inflationFloor: number;
  /** When a majority had shown `inflation`, as of its settling. */
  inflationShown: Moment;
  /** By witness ordinal. */
  inflationShownBy: (Moment | null)[];
  pendingInflation: Pending<Commission> | null;
  mev: MevState;
  mevShown: Moment | null;
  /** Of the shown record. */
  mevEpoch: number;
  /** A change can start from it. A first commission that only lists show is corrected without an event. */
  mevSettled: boolean;
  /** Newest epoch with a final `mev`, also if closed without one. */
  mevSettledEpoch: number | null;
  /** Of the last change to an enabled commission, at most one an epoch. */
  mevChangedEpoch: number | null;
  /** After the settled epoch, by epoch. */
  tipWords: Map<number, Testimony<TipWord>>;
  pendingMev: Pending<number> | null;
  priorityFeeBasisPoints: number | null;
  /** The newest, and that of the last full UTC hour, which documents show. */
  performance: Performance | null;
  performanceOfHour: Performance | null;
  /** Blocks decide whether a missing MEV record means disabled. */
  previousBlocks: { epoch: number; produced: number } | null;
  moves: LocationMove[];
  /** Epochs read from a public history. */
  history: { first: number; last: number } | null;
  /** Oldest first. */
  authorities: Authority[];
  /** By witness ordinal. */
  authorityWords: ({ key: string; slot: number } | null)[];
  /** By slot and block position. */
  rateProofs: RateProof[];
  /** Oldest first. */
  accountChanges: AccountChange[];
}

/** Commissions in basis points. */
export interface EventRecord {
  id: string;
  ordinal: number;
  source: Source;
  severity: Severity;
  epoch: number;
  /** Of its first observation. Part of its id, so it stays when `epoch` is corrected. */
  seenEpoch: number;
  createdAt: string | null;
  slot: number;
  previousSlot: number | null;
  previousSeenAt: string | null;
  /** Epochs in which it may have been made, by observations. */
  seenIn: { earliest: number; latest: number };
  /** The same by everything known; one epoch if its transaction is proved. */
  madeIn: { earliest: number; latest: number };
  from: MevState;
  to: MevState;
  /** First epoch that pays it, if made in the first or last epoch of `madeIn`. */
  effectiveEpoch: number;
  effectiveEpochLatest: number;
  effectiveEpochFinal: boolean;
  /** Id of the event that replaced it before it was ever paid. */
  supersededBy: string | null;
  confirmed: boolean;
  /** Time of the deciding entry; null: from a public history. */
  confirmedAt: string | null;
  /** null: from a public history. */
  confirmedBy: ConfirmedBy | null;
  transaction: EventTransaction | null;
  /** Only its transaction tells of it. */
  isSwept: boolean;
  cost: CostRecord | null;
  mevCost: MevCostRecord | null;
  /** Id of the last of its steps that are events themselves. */
  replacedBy: string | null;
}

export interface Location {
  country: string | null;
  countryCode: string | null;
  city: string | null;
  asn: number | null;
  asnOrganization: string | null;
  /** The provider (data-centers.ts). */
  dataCenter: string | null;
}

export interface LocationMove {
  at: string;
  from: Location;
  to: Location;
}
