import { z } from "zod";
import { networkSchema } from "../contract/networks.ts";
import { countSchema, pubkeySchema, timeSchema } from "../contract/values.ts";
import { WITNESSES_MAX } from "../contract/panel.ts";
import {
  type accountRow,
  checkRow,
  historyPoint,
  infoRow,
  locationRow,
  mevRow,
  nodeRow,
  priorityFeeRow,
  productionRow,
  rawText,
  section,
  snapshotRow,
  stakeAccountsRow,
} from "./rows.ts";
import {
  accountsAnswer,
  panelIssuance,
  type panelList,
  panelProduction,
  panelRow,
  panelTipAmounts,
  panelTips,
} from "./panel-answers.ts";
import { panelRewards } from "./rewards.ts";
import { transactionsParts } from "./transactions.ts";
import {
  quickRows,
  readCheckRow,
  readInfoRow,
  readLocationRow,
  readMevRow,
  readNodeRow,
  readProductionRow,
  readSnapshotRow,
  readStakeAccountsRow,
} from "./quick-rows.ts";

export {
  type ClosedEpoch,
  type PanelProduction,
  type PanelTipAmounts,
  type PanelTips,
  type Tip,
} from "./panel-answers.ts";
export { RAW_TEXT_MAX } from "./rows.ts";
export {
  type InnerInstruction,
  type SearchAnswer,
  type SearchRow,
  type TransactionAnswer,
  type TransactionRow,
} from "./transactions.ts";

/**
 * Version of the entry format. An entry holds what the sources answered: raw and uncapped but
 * bounded, so that a later rule can replay all history. Amounts are bigint in memory and decimal
 * strings in the journal (`entryToJson`).
 */
export const ENTRY_FORMAT = 1;

/** Most epochs of one history entry. The public history keeps no more and overwrites older ones. */
export const HISTORY_EPOCHS_MAX = 512;

/** Most slot samples of a snapshot: one hour, because nodes take one sample a minute. */
export const SLOT_SAMPLES_MAX = 60;

const header = {
  format: z.literal(ENTRY_FORMAT),
  network: networkSchema,
  /**
   * When the reading began, by the generator's clock, with milliseconds, so that times sort as
   * texts.
   */
  time: timeSchema.regex(/\.\d{3}Z$/),
};

const reading = {
  ...header,
  /** `ORIGIN#POSITION` of the endpoint, because a path or query may hold a secret. */
  endpoint: rawText,
  /** The largest lastVote of the list, which carries no other slot. */
  slot: countSchema,
  epoch: countSchema,
  slotIndex: countSchema,
  slotsInEpoch: z.int().min(1),
  absoluteSlot: countSchema,
  /**
   * Every witness, preferred first. `votes` is the list of `endpoint`; each row here holds how the
   * witness's own list differs from it.
   */
  panel: z.array(panelRow).min(1).max(WITNESSES_MAX),
};

/** Number of rows of another shape, which `votes` leaves out. */
const unreadableRows = countSchema;

/**
 * A light observation, taken each minute by default: epochs and lists of vote accounts, and the
 * accounts whose rates the lists leave unclear.
 */
export const checkEntrySchema = z.object({
  kind: z.literal("check"),
  ...reading,
  unreadableRows,
  votes: quickRows(checkRow, readCheckRow),
  /** Vote accounts whose rates the lists leave unclear (whole percents only). */
  unclear: z.array(pubkeySchema),
  /**
   * The unclear accounts as each witness answers them, in the order of `unclear`; empty if no rate
   * is unclear.
   */
  accounts: z.array(accountsAnswer).max(WITNESSES_MAX),
});

/** A full observation, taken every 10 minutes by default. It also counts as a check. */
export const snapshotEntrySchema = z.object({
  kind: z.literal("snapshot"),
  ...reading,
  unreadableRows,
  votes: quickRows(snapshotRow, readSnapshotRow),
  /** All vote accounts as each witness answers them, in the order of `votes`. */
  accounts: z.array(accountsAnswer).min(1).max(WITNESSES_MAX),
  /** Vote accounts missing from the list that were then asked for by key and do not exist. */
  absent: z.array(pubkeySchema),
  /** Unit of the newest `credits`; null: not known. */
  creditsUnit: z.enum(["credits", "lamports"]).nullable(),
  nodes: section(quickRows(nodeRow, readNodeRow)),
  info: section(quickRows(infoRow, readInfoRow)),
  production: section(z.object({ rows: quickRows(productionRow, readProductionRow) })),
  stakeAccounts: section(
    z.object({
      epoch: countSchema,
      asOf: timeSchema,
      rows: quickRows(stakeAccountsRow, readStakeAccountsRow),
    }),
  ),
  /** The MEV vendor's rows of this epoch or the one before. */
  mev: section(z.object({ rows: quickRows(mevRow, readMevRow) })),
  /** Priority-fee rates of this epoch or the one before, read only when the vendor fails. */
  priorityFees: section(z.object({ rows: z.array(priorityFeeRow) })),
  /** Tip accounts of this epoch and the one before that were not known yet. */
  tips: section(panelTips),
  /**
   * Blocks of the epoch before, read where they decide whether a missing tip account means that MEV
   * was switched off.
   */
  closedProduction: section(panelProduction),
  locations: section(quickRows(locationRow, readLocationRow)),
  /** `[slot, numSlots, samplePeriodSeconds]` of each sample that the node took, newest first. */
  slotSamples: section(
    z.array(z.tuple([countSchema, countSchema, countSchema])).max(SLOT_SAMPLES_MAX),
  ),
  issuance: section(panelIssuance),
  /** Tips of validators and epochs with a MEV change, from which its cost is computed. */
  tipAmounts: section(panelTipAmounts),
  /** What the rewards of the epoch before paid, read once an epoch. */
  rewards: section(panelRewards),
});

/**
 * Commission history read from a public source by `backfill`. `time` is when all of it was read.
 */
const historyEntrySchema = z.object({
  kind: z.literal("history"),
  ...header,
  /** Only the origin of the source, because a path or query may hold a secret. */
  source: rawText,
  /** `[epoch, firstSlot]` of each epoch asked for, ascending. */
  epochs: z
    .array(z.tuple([countSchema, countSchema]))
    .min(1)
    .max(HISTORY_EPOCHS_MAX),
  /** `points` is empty if the source knows the validator but none of these epochs. */
  validators: z.array(
    z.object({ vote: pubkeySchema, points: z.array(historyPoint).max(HISTORY_EPOCHS_MAX) }),
  ),
});

/** A sweep for transactions that change vote accounts, and the transactions found. */
export const transactionsEntrySchema = z.object({
  kind: z.literal("transactions"),
  ...header,
  ...transactionsParts,
});

/** Any entry of the journal, distinguished by `kind`. */
export const entrySchema = z.discriminatedUnion("kind", [
  checkEntrySchema,
  snapshotEntrySchema,
  historyEntrySchema,
  transactionsEntrySchema,
]);

/** A parsed entry of the journal. */
export type Entry = CheckEntry | SnapshotEntry | HistoryEntry | TransactionsEntry;
/** A parsed light observation. */
export type CheckEntry = z.infer<typeof checkEntrySchema>;
/** A parsed full observation. */
export type SnapshotEntry = z.infer<typeof snapshotEntrySchema>;
/** One witness of a check or snapshot. */
export type PanelRow = z.infer<typeof panelRow>;
/** A vote account as one witness answers it; null: no account of the vote program. */
export type AccountRow = z.infer<typeof accountRow>;
/** One witness's answer to a request for vote accounts. */
export type AccountsAnswer = z.infer<typeof accountsAnswer>;
/** A witness's list of vote accounts, as its difference from the entry's `votes`. */
export type PanelList = z.infer<typeof panelList>;
/** Inflation and supply in an epoch, by every witness. */
export type PanelIssuance = z.infer<typeof panelIssuance>;
/** A parsed history that `backfill` read. */
export type HistoryEntry = z.infer<typeof historyEntrySchema>;
/** What a public history says of one validator in one epoch. */
export type HistoryPoint = HistoryEntry["validators"][number]["points"][number];
/** A parsed sweep for transactions. */
export type TransactionsEntry = z.infer<typeof transactionsEntrySchema>;
/** The `kind` of an entry. */
export type EntryKind = Entry["kind"];
/** A row of a check's `votes`: one vote account as listed. */
export type CheckRow = CheckEntry["votes"][number];
/** A row of a snapshot's `votes`: a check's row with identity, membership and credits. */
export type SnapshotRow = SnapshotEntry["votes"][number];

/** An entry with its name in the journal. */
export interface NamedEntry {
  /** The entry's number in ten digits, with leading zeros. */
  name: string;
  /** SHA-256 of the entry's JSON. */
  hash: string;
  entry: Entry;
}
