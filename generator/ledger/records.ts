import type { ConfirmedBy, Severity, Source, Verified } from "../contract/event.ts";
import type { CostRecord } from "./staking-rewards.ts";

// What is remembered of validators, in the shape it is kept in.

/** When and where on the chain something was observed. One object is shared by all rows of an observation. */
export interface Moment {
  /** UTC, as `toISOString` writes it: such strings compare as times do. */
  time: string;
  slot: number;
  epoch: number;
}

/** A commission as a source gave it, capped at 10000; `exact: false`: from a percent, so anything within a point of it. */
export interface Commission {
  basisPoints: number;
  exact: boolean;
}

/** What a witness says of one commission since when. */
export interface Word<Value> {
  /** null: it could not be asked, or, of an `absence`, it has no such account. */
  value: Value | null;
  /** When it said so first, and last. */
  first: Moment;
  newest: Moment;
  of: "account" | "list" | "absence";
}

/** The newest word of each witness, by its ordinal. */
export type Testimony<Value> = Map<number, Word<Value>>;

/** A change seen, but not confirmed. Until it is, every document shows the old value. */
export interface Pending<Value> {
  to: Value;
  /** The first observation that showed the new value. */
  first: Moment;
  /** The last accepted observation that showed the old value. */
  previous: Moment;
  /** Endpoint of the first observation: the second reading prefers another one. */
  endpoint: string;
  /** Further agreeing observations needed; a confirm reading decides at once; of a `mass` change it can only deny. */
  needed: number;
  /** Changed together with so many others that the source itself is in doubt. */
  mass: boolean;
  /** What the panel says of it; empty where it was seen before there was one. */
  testimony: Testimony<Value>;
}

/** MEV commission in basis points; "disabled"; null: not known. */
export type MevState = number | "disabled" | null;

/** What a witness reads at the address of a tip account: the commission in basis points, or that there is no account. */
export type TipWord = number | "absent";

export interface Performance {
  epoch: number;
  voteCredits: bigint;
  unit: "credits" | "lamports";
  leaderSlots: number;
  blocksProduced: number;
  asOf: string;
}

/** The fields of the list of validators, as published; `updatedAt` moves when one of them does. */
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

/** A key that a majority has shown as the withdraw authority of a vote account. */
export interface Authority {
  key: string;
  /** It was the authority by this slot: the first of which one who says so must be honest, or that of its transaction. */
  from: number;
  /** And it was at this slot still, as a majority says. Below `from` while they read it at different slots. */
  to: number;
  /** Slots of which all is known that it did to this account (coverage.ts); ascending, none touches another. */
  covered: [after: number, upTo: number][];
}

/** A transaction that changed something of a vote account, as it was proved. */
export interface Proof {
  /** Base58: names the transaction. */
  signature: string;
  slot: number;
  epoch: number;
  /** By the cluster's clock, ISO 8601 in UTC; null: not known. */
  blockTime: string | null;
  /** The withdraw authority. */
  signer: string;
  verified: Verified;
}

/** A transaction that set inflation commissions of one vote account. */
export interface RateProof extends Proof {
  /** Its place in its block; null: not told. */
  index: number | null;
  /** What it set, in basis points, in order; at least one. */
  rates: number[];
  /** Time of the entry that brought it. */
  foundAt: string;
  /** It was told under two slots: it proves nothing. */
  isDisputed: boolean;
}

/** Something else of a vote account that a transaction changed. Basis points, or a key. */
export interface AccountChange extends Proof {
  of: "withdrawAuthority" | "inflationCollector" | "blockRevenueCollector" | "blockRevenueCommission";
  to: string | number;
}

/** What an event shows of the transaction that made it. */
export interface EventTransaction extends Omit<Proof, "epoch"> {
  /** Every commission set in the window of the event, basis points, in order; the last is the new one. */
  steps: { signature: string; slot: number; basisPoints: number }[];
}

export interface ValidatorRecord extends ListedFields {
  vote: string;
  firstEpoch: number;
  /** In the list of the last accepted snapshot, or missed by a single one. */
  listed: boolean;
  /** Accepted snapshots in a row that asked for it by key and did not find it. */
  missedSnapshots: number;
  /** From 1; 0: never ranked. */
  rank: number;
  updatedAt: string | null;
  /** The last accepted observation with a row of it. */
  seen: Moment;
  inflation: Commission | null;
  /** Slot of the first reading of its commission; null: none yet. */
  inflationKnownFrom: number | null;
  /** Whether a majority has shown the value of `inflation`: a first value that none has is corrected, and no event. */
  inflationSettled: boolean;
  /** What was read at a slot up to this one is of before `inflation` was settled, and says nothing. */
  inflationFloor: number;
  /** The newest moment by which a majority had shown the value of `inflation`, as it was when it was settled. */
  inflationShown: Moment;
  /** When each witness, by its ordinal, showed the value of `inflation` last. */
  inflationShownBy: (Moment | null)[];
  pendingInflation: Pending<Commission> | null;
  mev: MevState;
  mevShown: Moment | null;
  /** Epoch of the record shown. */
  mevEpoch: number;
  /** Whether `mev` is what a change can be from: a first commission that only lists have shown is corrected, and no event. */
  mevSettled: boolean;
  /** Newest epoch of which `mev` is settled: a tip account held the commission, or it closed without one; null: none is. */
  mevSettledEpoch: number | null;
  /** Epoch of the last change to an enabled commission: the commission of one epoch is fixed, so there is no second one; null: none. */
  mevChangedEpoch: number | null;
  /** What each witness reads in the tip accounts of the epochs after the settled one, by epoch. */
  tipWords: Map<number, Testimony<TipWord>>;
  pendingMev: Pending<number> | null;
  priorityFeeBasisPoints: number | null;
  /** Newest reading, and the one of the last full UTC hour, which is what documents show. */
  performance: Performance | null;
  performanceOfHour: Performance | null;
  /** Blocks of the epoch before the newest reading's: they decide whether a missing MEV record means disabled. */
  previousBlocks: { epoch: number; produced: number } | null;
  moves: LocationMove[];
  /** Epochs of which a public history was read, the first and the last included; null: none. */
  history: { first: number; last: number } | null;
  /** Its withdraw authorities, oldest first. */
  authorities: Authority[];
  /** What each witness, by its ordinal, reads as the withdraw authority, and at which slot. */
  authorityWords: ({ key: string; slot: number } | null)[];
  /** The transactions that set its inflation commission, by slot and place in the block. */
  rateProofs: RateProof[];
  /** What else its transactions changed, oldest first. */
  accountChanges: AccountChange[];
}

/** A confirmed change. Commissions in basis points; null: disabled or not known. */
export interface EventRecord {
  id: string;
  ordinal: number;
  source: Source;
  severity: Severity;
  epoch: number;
  /** Epoch of its first observation: its id holds it, and so it stays as it was where `epoch` is corrected. */
  seenEpoch: number;
  createdAt: string | null;
  slot: number;
  previousSlot: number | null;
  previousSeenAt: string | null;
  /** First and last epoch in which it may have been made, by what was observed. */
  seenIn: { earliest: number; latest: number };
  /** The same by all that is known: that of its transaction, where one is proved. */
  madeIn: { earliest: number; latest: number };
  from: MevState;
  to: MevState;
  /** First epoch whose rewards pay the new commission, if it was made in the first epoch of `madeIn`, and if in the last. */
  effectiveEpoch: number;
  effectiveEpochLatest: number;
  effectiveEpochFinal: boolean;
  /** Id of the event after which no epoch ever read the new commission; null: none is known. */
  supersededBy: string | null;
  confirmed: boolean;
  /** Time of the entry that decided it; null: worked out from a public history. */
  confirmedAt: string | null;
  /** null: worked out from a public history. */
  confirmedBy: ConfirmedBy | null;
  /** The transaction that made it; null: none is found. */
  transaction: EventTransaction | null;
  /** No observation saw it: its transaction alone tells of it. */
  isSwept: boolean;
  /** What it costs the delegators of its validator; null: not known. */
  cost: CostRecord | null;
  /** Id of the last of the steps, events themselves, that this change was made in; null: there are none. */
  replacedBy: string | null;
}

export interface Location {
  country: string | null;
  countryCode: string | null;
  city: string | null;
  asn: number | null;
  asnOrganization: string | null;
  /** The provider, see data-centers.ts. */
  dataCenter: string | null;
}

export interface LocationMove {
  at: string;
  from: Location;
  to: Location;
}
