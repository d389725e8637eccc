import type {
  CheckEntry,
  Entry,
  HistoryEntry,
  SnapshotEntry,
  TransactionsEntry,
} from "../entries/entry.ts";
import { type AgreedAuthorities, agreeOnAuthorities } from "./authorities.ts";
import { type AgreedBlockRevenue, agreeOnBlockRevenue } from "./block-revenue.ts";
import { findClusterSlot } from "./cluster-slot.ts";
import { type AgreedIdentities, agreeOnIdentities } from "./identities.ts";
import { type AgreedIssuance, agreeOnIssuance } from "./issuance.ts";
import { compareLists, type Likeness } from "./likeness.ts";
import { type AgreedProduction, agreeOnProduction } from "./production.ts";
import { type AgreedRates, agreeOnRates } from "./rates.ts";
import { type AgreedSchedule, agreeOnSchedule, findDenial } from "./schedule.ts";
import { describeSilence } from "./silence.ts";
import { type AgreedTipAmount, agreeOnTipAmounts } from "./tip-amounts.ts";
import { type AgreedTips, agreeOnTips } from "./tips.ts";
import { type AgreedTransactions, agreeOnTransactions } from "./transactions.ts";
import { type AgreedSet, agreeOnSet } from "./validator-set.ts";
import { readLists, type WitnessLists } from "./witness-lists.ts";

/** What the panel of an observation agrees on. */
export interface Reading {
  panelSize: number;
  /** Where the panel is; null: too few answers. */
  clusterSlot: number | null;
  /** By a majority of three or more, which decides; null: the past does. */
  schedule: AgreedSchedule | null;
  /** Why the entry's epoch is not believed though no majority shows another; null: it may be. */
  epochDenial: string | null;
  /** Of the entry's list with those of a majority. */
  likeness: Likeness;
  /**
   * Of two witnesses the one that did not answer, or gave no
   * list: its origin. null: both did, or no panel of two.
   */
  silent: string | null;
  /** Why no change can be confirmed; null: enough witnesses answered. */
  silence: string | null;
  rates: AgreedRates;
  set: AgreedSet;
  authorities: AgreedAuthorities;
}

/** What the panel of a snapshot agrees on besides. */
export interface SnapshotReading extends Reading {
  identities: AgreedIdentities;
  tips: AgreedTips;
  /** Of the epoch before; null: not read. */
  production: AgreedProduction | null;
  tipAmounts: AgreedTipAmount[];
  /** Of each vote account in the entry's order; null: not known. */
  blockRevenue: (AgreedBlockRevenue | "disputed" | null)[];
  issuance: AgreedIssuance | null;
}

/**
 * An entry, with what its panel agrees on. Its slot is that by which a majority had given its list:
 * that of the list kept whole is one witness's answer. Nobody witnesses histories of vendors.
 */
export type AgreedEntry =
  | { kind: "check"; entry: CheckEntry; reading: Reading }
  | { kind: "snapshot"; entry: SnapshotEntry; reading: SnapshotReading }
  | { kind: "transactions"; entry: TransactionsEntry; reading: AgreedTransactions }
  | { kind: "history"; entry: HistoryEntry };

/** What is known before an entry is read. */
export interface Expectations {
  /** Where the cluster is by its measured pace; null: not known. */
  clusterSlot: number | null;
  /** Slot of the newest accepted observation; 0: none. */
  acceptedSlot: number;
  /** Whether a percent is exact: no vote account stores basis points yet. */
  isWhole: boolean;
}

/** The only door of this room: after it nobody knows what a witness is. */
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
  const { slot } = lists;
  const schedule = panel.length > 2 ? agreeOnSchedule(entry) : null;
  const reading = {
    panelSize: panel.length,
    clusterSlot,
    schedule,
    epochDenial: schedule === null ? findDenial(entry) : null,
    likeness: compareLists(entry, lists),
    silent: lists.silent,
    silence: describeSilence(panel),
    rates: agreeOnRates(entry, lists, { isWhole }),
    set: agreeOnSet(entry, lists),
    authorities: agreeOnAuthorities({ ...entry, slot }),
  };
  return { lists, reading };
}

function readSides(
  entry: SnapshotEntry,
  lists: WitnessLists,
): Omit<SnapshotReading, keyof Reading> {
  return {
    identities: agreeOnIdentities(entry, lists),
    tips: agreeOnTips(entry),
    production: agreeOnProduction(entry, lists),
    tipAmounts: agreeOnTipAmounts(entry),
    blockRevenue: agreeOnBlockRevenue(entry),
    issuance: agreeOnIssuance(entry),
  };
}
