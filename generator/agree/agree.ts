import type {
  CheckEntry,
  Entry,
  HistoryEntry,
  SnapshotEntry,
  TransactionsEntry,
} from "../entries/entry.ts";
import { type ListTotals, toTotals } from "../chain/list-totals.ts";
import { describeSilence } from "../contract/panel.ts";
import { type AgreedAuthorities, agreeOnAuthorities } from "./authorities.ts";
import { type AgreedBlockRevenue, agreeOnBlockRevenue } from "./block-revenue.ts";
import { findClusterSlot } from "./cluster-slot.ts";
import { type AgreedIdentities, agreeOnIdentities } from "./identities.ts";
import { type AgreedIssuance, agreeOnIssuance } from "./issuance.ts";
import { compareLists, type Likeness } from "./likeness.ts";
import { type AgreedRewards, agreeOnPaid } from "./paid.ts";
import { type AgreedProduction, agreeOnProduction } from "./production.ts";
import { type AgreedRates, agreeOnRates } from "./rates.ts";
import { type AgreedSchedule, agreeOnSchedule, describeEpochDispute } from "./schedule.ts";
import { findAbsentAccounts, findMissingAccounts } from "./missing-accounts.ts";
import { type AgreedTipAmount, agreeOnTipAmounts } from "./tip-amounts.ts";
import { type AgreedTips, agreeOnTips } from "./tips.ts";
import { type AgreedTransactions, agreeOnTransactions } from "./transactions.ts";
import { type AgreedSet, agreeOnSet } from "./validator-set.ts";
import { readLists, type WitnessLists } from "./witness-lists.ts";

/** What the panel of a check or snapshot agrees on. */
export interface Reading {
  /** Number of witnesses in the panel, including those that did not answer. */
  panelSize: number;
  /** Slot of the cluster by the panel's answers; null: too few answers. */
  clusterSlot: number | null;
  /**
   * The running epoch that a majority of a panel of three or more shows, which is then believed;
   * null: what was accepted before decides.
   */
  schedule: AgreedSchedule | null;
  /**
   * Why the entry's epoch is not believed, although no majority shows another; null: nothing speaks
   * against it.
   */
  epochDispute: string | null;
  /** Totals of the entry's own list. */
  totals: ListTotals;
  /** Whether the entry's list is like those of a majority. */
  likeness: Likeness;
  /**
   * Of a panel of two the origin of the witness that did not answer or gave no list. null: both
   * did, or the panel is not of two.
   */
  silent: string | null;
  /** Why no change can be confirmed; null: enough witnesses answered. */
  silence: string | null;
  rates: AgreedRates;
  set: AgreedSet;
  authorities: AgreedAuthorities;
}

/** What the panel of a snapshot agrees on in addition. */
export interface SnapshotReading extends Reading {
  identities: AgreedIdentities;
  tips: AgreedTips;
  /** Who made blocks in the epoch before; null: not read. */
  production: AgreedProduction | null;
  tipAmounts: AgreedTipAmount[];
  /** Whether a majority cannot find the vote account, in the entry's order. */
  isMissing: boolean[];
  /** Vote accounts of the entry's `absent` that a majority does not list either. */
  absent: string[];
  /**
   * The commission on block revenue of each vote account, in the entry's order; null: not known.
   */
  blockRevenue: (AgreedBlockRevenue | "disputed" | null)[];
  issuance: AgreedIssuance | null;
  /** What the epoch before paid; null: not read. */
  rewards: AgreedRewards | null;
}

/** What was answered of lists and accounts, witness by witness. Only this room reads it. */
type Answers = "panel" | "unclear" | "accounts" | "absent" | "endpoint";

/**
 * A check after its panel agreed. `slot` is the slot by which a majority had given its lists,
 * because that of the entry is one witness's answer.
 */
export type AgreedCheck = Omit<CheckEntry, Answers>;
/** Sections that hold each witness's answer; the reading has what they agree on. */
type PanelSections = "tips" | "tipAmounts" | "closedProduction" | "issuance" | "rewards";

/** Whether a section was read. */
export type SectionState =
  { state: "ok" } | { state: "failed"; reason: string } | { state: "skipped"; off: boolean };

/** A snapshot after its panel agreed; `slot` as in a check. */
export type AgreedSnapshot = Omit<SnapshotEntry, Answers | PanelSections> &
  Record<PanelSections, SectionState>;

/**
 * An entry with what its panel agrees on. Histories come from one vendor, so no panel agrees on
 * them.
 */
export type AgreedEntry =
  | { kind: "check"; entry: AgreedCheck; reading: Reading }
  | { kind: "snapshot"; entry: AgreedSnapshot; reading: SnapshotReading }
  | { kind: "transactions"; entry: TransactionsEntry; reading: AgreedTransactions }
  | { kind: "history"; entry: HistoryEntry };

/** What is known before an entry is read. */
export interface Expectations {
  /** Slot of the cluster by its measured pace; null: not known. */
  clusterSlot: number | null;
  /** Slot of the newest accepted observation; 0: there is none. */
  acceptedSlot: number;
  /** Whether a listed percent is exact, because no vote account stores basis points yet. */
  isWhole: boolean;
}

/**
 * Finds what the witnesses of an entry agree on. What is folded passes through here: a reading
 * names witnesses only to tell who answers what while they disagree.
 */
export function agree(entry: Entry, expectations: Expectations): AgreedEntry {
  const { kind } = entry;
  switch (kind) {
    case "check": {
      const { lists, reading } = readPanel(entry, expectations);
      return { kind, entry: { ...entry, slot: lists.slot }, reading };
    }
    case "snapshot": {
      const { lists, reading } = readPanel(entry, expectations);
      const agreed = { ...entry, slot: lists.slot };
      return { kind, entry: agreed, reading: { ...reading, ...readSides(agreed, lists) } };
    }
    case "transactions":
      return { kind, entry, reading: agreeOnTransactions(entry, expectations.acceptedSlot) };
    case "history":
      return { kind, entry };
  }
}

function readPanel(
  entry: CheckEntry | SnapshotEntry,
  { clusterSlot: expected, isWhole }: Expectations,
): { lists: WitnessLists; reading: Reading } {
  const { panel } = entry;
  const slots = panel.flatMap(({ slot }) => (slot === null ? [] : [slot]));
  const clusterSlot = findClusterSlot(slots, expected);
  const lists = readLists(entry, clusterSlot);
  const totals = toTotals(entry.votes);
  const schedule = panel.length > 2 ? agreeOnSchedule(entry) : null;
  const reading = {
    panelSize: panel.length,
    clusterSlot,
    schedule,
    epochDispute: schedule === null ? describeEpochDispute(entry) : null,
    totals,
    likeness: compareLists(entry, totals, lists),
    silent: lists.silent,
    silence: describeSilence(panel.map(({ reason }) => reason)),
    rates: agreeOnRates(entry, lists, { isWhole }),
    set: agreeOnSet(entry, lists),
    authorities: agreeOnAuthorities(entry, lists),
  };
  return { lists, reading };
}

function readSides(
  entry: SnapshotEntry,
  lists: WitnessLists,
): Omit<SnapshotReading, keyof Reading> {
  return {
    identities: agreeOnIdentities(entry, lists),
    tips: agreeOnTips(entry, lists),
    production: agreeOnProduction(entry, lists),
    tipAmounts: agreeOnTipAmounts(entry, lists),
    isMissing: findMissingAccounts(entry),
    absent: findAbsentAccounts(entry, lists),
    blockRevenue: agreeOnBlockRevenue(entry, lists),
    issuance: agreeOnIssuance(entry, lists),
    rewards: agreeOnPaid(entry, lists),
  };
}
