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
export const FOLD_VERSION = 26;

/**
 * In so many slots every commission is observed, unless the generator is down: an hour of mainnet.
 */
export function observedSlots(slotsInEpoch: number): number {
  return Math.max(1_500, slotsInEpoch / 20);
}

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
  /** Settled, or the account is gone. */
  isFinal: boolean;
  /** Since when one of two witnesses alone answers; ISO 8601 in UTC. */
  aloneSince: string | null;
}

interface EpochRecord {
  epoch: number;
  firstSlot: number;
  slotsInEpoch: number;
  last: Moment;
}

export interface SlotTimeAnchor {
  time: string;
  epoch: number;
  absoluteSlot: number;
  /** `ofEpoch`: this epoch's samples only. */
  sampled: { slotMilliseconds: number; ofEpoch: boolean } | null;
}

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
  /** By what they are about. Observations: numbers in ten digits, both included. */
  rulings: {
    observations: Map<string, RulingRecord & { first: string; last: string }>;
    events: Map<string, RulingRecord>;
  };
  snapshot: AcceptedObservation | null;
  /** Spans of over {@link observedSlots} without an accepted observation; ascending. */
  unobserved: [after: number, upTo: number][];
  slotTimeAnchors: SlotTimeAnchor[];
  sources: Record<StatusSource, SourceHealth>;
  /** Observed epochs, ascending. */
  epochs: EpochRecord[];
  /** By index. */
  validators: ValidatorRecord[];
  validatorIndexes: Map<string, number>;
  issuance: Map<number, IssuanceRecord>;
  /** Since when one of two witnesses alone answers, while the other does not answer. */
  issuanceAlone: Moment | null;
  /** Tips by epoch and validator index, only where a MEV change needs them. */
  tipAmounts: Map<number, Map<number, TipAmountRecord>>;
  /**
   * By identity, whether it made a block in the newest
   * closed epoch that was asked about (leaders.ts).
   */
  closedProduction: {
    epoch: number;
    hasMadeBlock: Map<string, boolean>;
    /** Since when one of two witnesses alone counts them; ISO 8601 in UTC. */
    aloneSince: string | null;
  };
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
   * Made of the facts above (views/events), which no fold changes; kept with them because an event
   * keeps its id. In the order in which they came. Those of a public history are not `confirmed`.
   */
  events: EventRecord[];
  /** By a ruling; in no document. */
  withdrawn: EventRecord[];
  /** What was published of the events (documents/change-log.ts). */
  changes: ChangeLog;
  dropped: number;
}

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
    issuanceAlone: null,
    tipAmounts: new Map(),
    closedProduction: { epoch: -1, hasMadeBlock: new Map(), aloneSince: null },
    listedStake: 0n,
    stakes: new Map(),
    ranks: new Map(),
    blockRevenue: new Map(),
    members: new Map(),
    boundaries: new Map(),
    credits: new Map(),
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
