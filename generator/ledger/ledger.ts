import { createDoubts, type Acceptance, type AcceptedObservation, type WitnessRecord } from "./acceptance-record.ts";
import type { Network } from "../contract/networks.ts";
import type { STATUS_SOURCES } from "../contract/status.ts";
import type { Column } from "./columns.ts";
import type { IssuanceRecord } from "./staking-rewards.ts";
import type { EventRecord, Moment, Testimony, ValidatorRecord } from "./records.ts";

/**
 * Version of the fold's rules. A checkpoint of another version is not used, and a generator of an older version does not
 * publish. Raise it with every change that folds the same journal to another ledger.
 */
export const FOLD_VERSION = 8;

/** The last word of the operators on one subject. */
export interface StandingRuling {
  /** Of the ruling's own entry. */
  name: string;
  verdict: "accept" | "ignore";
  /** Fit to be published. */
  reason: string;
  /** When it was said; ISO 8601 in UTC. */
  ruledAt: string;
}

/** How the last search of an authority's transactions ended, when, and where the cluster was then. */
export interface SearchRecord {
  time: string;
  slot: number;
  outcome: "covered" | "busy" | "refused" | "failed";
}

/** What a witness says of inflation and supply. */
export type IssuanceWord = Pick<IssuanceRecord, "validatorRate" | "supply" | "slotMilliseconds">;

/** An epoch that was observed. */
interface EpochRecord {
  epoch: number;
  /** Slot of the epoch's first. */
  firstSlot: number;
  slotsInEpoch: number;
  /** The last accepted observation in it. */
  last: Moment;
}

/** Where a snapshot found the cluster, and when. */
export interface SlotTimeAnchor {
  time: string;
  epoch: number;
  absoluteSlot: number;
  /** Slot time by the node's own samples; `ofEpoch`: those of this epoch only. null: it gave none of use. */
  sampled: { slotMilliseconds: number; ofEpoch: boolean } | null;
}

export type StatusSource = (typeof STATUS_SOURCES)[number];

export interface SourceHealth {
  state: "ok" | "degraded" | "failed" | "off";
  lastSuccessAt: string | null;
  reason: string | null;
}

/**
 * All that is known of one network: what the journal folds to, and all that the documents are rendered from. One plain
 * value that can be cloned and serialised: maps, arrays, typed arrays, bigint.
 */
export interface Ledger {
  network: Network;
  /** Which life of the cluster, from 1: one that began anew counts its epochs from 0 again. */
  series: number;
  /** The last entry folded. */
  position: { name: string; time: string } | null;
  acceptance: Acceptance;
  /** Every origin that was ever a witness; the index is its ordinal. */
  witnesses: WitnessRecord[];
  /** The last word of the operators on each subject, by entry name or event id. */
  rulings: { observations: Map<string, StandingRuling>; events: Map<string, StandingRuling> };
  /** The last accepted snapshot. */
  snapshot: AcceptedObservation | null;
  /** What slot time is measured by, oldest first, bounded. */
  slotTimeAnchors: SlotTimeAnchor[];
  sources: Record<StatusSource, SourceHealth>;
  /** Tracked epochs, ascending. */
  epochs: EpochRecord[];
  /** Every validator ever seen; the index is its ordinal. */
  validators: ValidatorRecord[];
  ordinals: Map<string, number>;
  /** What the staking rewards of each epoch are worked out of, by epoch (issuance.ts). */
  issuance: Map<number, IssuanceRecord>;
  /** What each witness said of the newest epoch for which all of them were asked; null: none yet. */
  issuanceWords: { epoch: number; testimony: Testimony<IssuanceWord> } | null;
  /** Active stake of all listed validators. */
  listedStake: bigint;
  /** By epoch. */
  stakes: Column<BigUint64Array>;
  ranks: Column<Uint16Array>;
  inflation: Column<Uint16Array>;
  mev: Column<Uint16Array>;
  /** What each witness said last of who is in the validator set (membership.ts). By epoch. */
  members: Column<Uint16Array>;
  /** Inflation commissions that proved transactions left at the end of an epoch. By epoch; stands above all others (points.ts). */
  proved: Column<Uint16Array>;
  /** By withdraw authority how its transactions were searched last. */
  searches: Map<string, SearchRecord>;
  /** What a public history says of closed epochs: shown where nothing was observed (points.ts). By epoch. */
  history: {
    /** First slot of every epoch of which it says anything. */
    firstSlots: Map<number, number>;
    stakes: Column<BigUint64Array>;
    ranks: Column<Uint16Array>;
    inflation: Column<Uint16Array>;
    mev: Column<Uint16Array>;
  };
  /** By UTC day, up to the last full hour; the running hour apart. */
  uptime: {
    checks: Column<Uint16Array, string>;
    delinquentChecks: Column<Uint16Array, string>;
    /** `YYYY-MM-DDTHH` and `YYYY-MM-DDTHH:MM`, UTC. */
    hour: string | null;
    minute: string | null;
    hourChecks: Column<Uint16Array, "running">;
    hourDelinquentChecks: Column<Uint16Array, "running">;
  };
  /**
   * Decisions about closed epochs, and the length of the last list that could be trusted. `latest`: the longest latest list
   * of an epoch and of the one before it.
   */
  mevLists: {
    decidedEpoch: number;
    listLength: number;
    doubt: { epoch: number; count: number } | null;
    latest: { epoch: number; longest: number; longestBefore: number };
  };
  /** In order of confirmation, by ordinal of the validator in `ordinal`; those of a public history are not `confirmed`. */
  events: EventRecord[];
  /** Taken back by a ruling: shown by no document. */
  withdrawn: EventRecord[];
  /** Changes seen once that a second reading did not confirm. */
  dropped: number;
}

export function createLedger(network: Network, series = 1): Ledger {
  const unread = (): SourceHealth => ({ state: "failed", lastSuccessAt: null, reason: "not read yet" });
  return {
    network,
    series,
    position: null,
    acceptance: {
      accepted: 0,
      refused: 0,
      believed: new Set(),
      newest: null,
      reference: null,
      doubts: createDoubts(),
      refusals: [],
    },
    witnesses: [],
    rulings: { observations: new Map(), events: new Map() },
    snapshot: null,
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
    },
    epochs: [],
    validators: [],
    ordinals: new Map(),
    issuance: new Map(),
    issuanceWords: null,
    listedStake: 0n,
    stakes: new Map(),
    ranks: new Map(),
    inflation: new Map(),
    mev: new Map(),
    members: new Map(),
    proved: new Map(),
    searches: new Map(),
    history: { firstSlots: new Map(), stakes: new Map(), ranks: new Map(), inflation: new Map(), mev: new Map() },
    uptime: {
      checks: new Map(),
      delinquentChecks: new Map(),
      hour: null,
      minute: null,
      hourChecks: new Map(),
      hourDelinquentChecks: new Map(),
    },
    mevLists: { decidedEpoch: -1, listLength: 0, doubt: null, latest: { epoch: -1, longest: 0, longestBefore: 0 } },
    events: [],
    withdrawn: [],
    dropped: 0,
  };
}
