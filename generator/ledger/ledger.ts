import {
  createStreaks,
  type Acceptance,
  type AcceptedObservation,
} from "./acceptance/acceptance-record.ts";
import type { Network } from "../contract/networks.ts";
import type { STATUS_SOURCES } from "../contract/status.ts";
import { createChangeLog, type ChangeLog } from "./change-log.ts";
import type { Column } from "./columns.ts";
import type { IssuanceRecord } from "./stake/staking-rewards.ts";
import type { TipAmount } from "./tips/mev-costs.ts";
import type { EventRecord } from "./event-record.ts";
import type { Moment, ValidatorRecord } from "./records.ts";

/**
 * Raise it when the same journal folds to another ledger. Checkpoints
 * of other versions are ignored; an older generator does not publish.
 */
export const FOLD_VERSION = 37;

/**
 * Every span of this many slots has an observation of each commission, unless the generator is
 * down: 21,600 on mainnet, 2.4 hours at 400 ms a slot.
 */
export function observedSlots(slotsInEpoch: number): number {
  return Math.max(1_500, slotsInEpoch / 20);
}

/** An operator's ruling as the journal has it; `ruledAt` in ISO 8601, UTC. */
export interface RulingRecord {
  /** Its number in four digits. */
  name: string;
  verdict: "accept" | "ignore";
  reason: string;
  ruledAt: string;
}

/** When it was read, and where the cluster was then. */
export interface SearchRecord {
  time: string;
  slot: number;
  outcome: "covered" | "busy" | "refused" | "failed";
}

/** A validator's tips in an epoch, as the panel agrees on them. */
export interface TipAmountRecord {
  amount: TipAmount | null;
  /** Time of the last reading that a majority gave; null: none. */
  readAt: string | null;
  /** The merkle root is set or the account is gone, so no later reading counts. */
  isFinal: boolean;
}

/** An observed epoch. */
export interface EpochRecord {
  epoch: number;
  firstSlot: number;
  slotsInEpoch: number;
  /** Its first and its newest accepted observation. */
  first: Moment;
  last: Moment;
}

/** A snapshot's slot and time (ISO 8601 in UTC), from which slot times are measured. */
export interface SlotTimeAnchor {
  time: string;
  epoch: number;
  absoluteSlot: number;
  /** `ofEpoch`: the samples are of this epoch only. */
  sampled: { slotMilliseconds: number; ofEpoch: boolean } | null;
}

/** A source whose health the status document reports. */
export type StatusSource = (typeof STATUS_SOURCES)[number];

interface SourceHealth {
  state: "ok" | "degraded" | "failed" | "off";
  lastSuccessAt: string | null;
  reason: string | null;
}

/** Plain data that can be cloned and serialised. */
export interface Ledger {
  network: Network;
  /** From 1; a cluster that restarts at epoch 0 begins a new one. */
  series: number;
  /** The newest entry folded. */
  position: { name: string; hash: string; time: string } | null;
  /** The first entry of each UTC day (`2026-11-20`). */
  firstOfDay: Map<string, string>;
  acceptance: Acceptance;
  /** Of a panel of two: the one that does not answer, and since when. */
  silent: { endpoint: string; since: string } | null;
  /** By subject. Observations: first and last number in ten digits, both included. */
  rulings: {
    observations: Map<string, RulingRecord & { first: string; last: string }>;
    events: Map<string, RulingRecord>;
  };
  snapshot: AcceptedObservation | null;
  /** Spans of over {@link observedSlots} without an accepted observation; ascending. */
  unobserved: [after: number, upTo: number][];
  slotTimeAnchors: readonly SlotTimeAnchor[];
  sources: Record<StatusSource, SourceHealth>;
  /** Observed epochs, ascending. */
  epochs: EpochRecord[];
  /** By index. */
  validators: ValidatorRecord[];
  validatorIndexes: Map<string, number>;
  issuance: Map<number, IssuanceRecord>;
  /** Tips by epoch and validator index, only where a MEV change needs them. */
  tipAmounts: Map<number, Map<number, TipAmountRecord>>;
  /**
   * By identity, whether it made a block in the newest
   * closed epoch that was asked about (leaders.ts).
   */
  closedProduction: { epoch: number; hasMadeBlock: Map<string, boolean> };
  listedStake: bigint;
  stakes: Column<BigUint64Array>;
  ranks: Column<Uint16Array>;
  /** Commission on block revenue as last read by the end of the epoch, at most 10,000. */
  blockRevenue: Column<Uint16Array>;
  /** 1: in the validator set, 0: not (membership.ts). */
  members: Column<Uint16Array>;
  /** How each epoch's end was watched (boundaries.ts). */
  boundaries: Column<Uint16Array>;
  /** Of closed epochs (credits.ts). */
  credits: Column<Uint16Array>;
  /** Of closed epochs: the commission that rewards took, or why it is not known (paid.ts). */
  paid: Column<Uint16Array>;
  /** When the entry that told what an epoch paid was read, by epoch; ISO 8601 in UTC. */
  paidReadAt: Map<number, string>;
  /** As transactions prove (views/events); overrides all others (points.ts). */
  proved: Column<Uint16Array>;
  /** Keyed by withdraw authority. */
  searches: Map<string, SearchRecord>;
  /** Closed epochs; used where nothing was observed (points.ts). */
  history: {
    /** Entries that brought it. */
    entries: string[];
    firstSlots: Map<number, number>;
    stakes: Column<BigUint64Array>;
    ranks: Column<Uint16Array>;
    inflation: Column<Uint16Array>;
    mev: Column<Uint16Array>;
  };
  /** Full hours by UTC day. */
  uptime: {
    checks: Column<Uint16Array, string>;
    delinquentChecks: Column<Uint16Array, string>;
    /** `YYYY-MM-DDTHH` and `YYYY-MM-DDTHH:MM`, UTC. */
    hour: string | null;
    /** The last that have a check. */
    minutes: string[];
    hourChecks: Column<Uint16Array, "running">;
    hourDelinquentChecks: Column<Uint16Array, "running">;
  };
  /** The vendor's longest lists of an epoch and the one before. */
  mevList: { epoch: number; longest: number; longestBefore: number };
  /**
   * Derived from the facts above (views/events) and changed by no fold. They are stored with the
   * facts because an event keeps its id. In order of arrival; those of a public history are not
   * `confirmed`.
   */
  events: EventRecord[];
  /** Events withdrawn by a ruling; no document shows them. */
  withdrawn: EventRecord[];
  /** What was published of the events (service/projection/record-changes.ts). */
  changes: ChangeLog;
  dropped: number;
}

/** The ledger before the first entry: every source has failed as `not read yet`. */
export function createLedger(network: Network, series = 1): Ledger {
  const unread = (): SourceHealth => ({
    state: "failed",
    lastSuccessAt: null,
    reason: "not read yet",
  });
  return {
    network,
    series,
    position: null,
    firstOfDay: new Map(),
    acceptance: {
      accepted: 0,
      refused: 0,
      newest: null,
      reference: null,
      streaks: createStreaks(),
      refusedObservations: [],
    },
    silent: null,
    rulings: { observations: new Map(), events: new Map() },
    snapshot: null,
    unobserved: [],
    slotTimeAnchors: [],
    sources: {
      votes: unread(),
      nodes: unread(),
      info: unread(),
      production: unread(),
      stakeAccounts: unread(),
      mev: unread(),
      locations: unread(),
      issuance: unread(),
      witnesses: unread(),
    },
    epochs: [],
    validators: [],
    validatorIndexes: new Map(),
    issuance: new Map(),
    tipAmounts: new Map(),
    closedProduction: { epoch: -1, hasMadeBlock: new Map() },
    listedStake: 0n,
    stakes: new Map(),
    ranks: new Map(),
    blockRevenue: new Map(),
    members: new Map(),
    boundaries: new Map(),
    credits: new Map(),
    paid: new Map(),
    paidReadAt: new Map(),
    proved: new Map(),
    searches: new Map(),
    history: {
      entries: [],
      firstSlots: new Map(),
      stakes: new Map(),
      ranks: new Map(),
      inflation: new Map(),
      mev: new Map(),
    },
    uptime: {
      checks: new Map(),
      delinquentChecks: new Map(),
      hour: null,
      minutes: [],
      hourChecks: new Map(),
      hourDelinquentChecks: new Map(),
    },
    mevList: { epoch: -1, longest: 0, longestBefore: 0 },
    events: [],
    withdrawn: [],
    changes: createChangeLog(),
    dropped: 0,
  };
}
