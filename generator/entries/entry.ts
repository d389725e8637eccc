import { z } from "zod";
import { networkSchema } from "../contract/networks.ts";
import { countSchema, pubkeySchema, timeSchema, WITNESSES_MAX } from "../contract/values.ts";
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
 * What the source answered, uncapped and raw but bounded, so that a later rule can replay all
 * history. Amounts are bigint in memory and decimal strings in the journal (`entryToJson`).
 */
export const ENTRY_FORMAT = 1;

/** The public history overwrites older ones. */
export const HISTORY_EPOCHS_MAX = 512;

/** An hour: nodes take one sample a minute. */
export const SLOT_SAMPLES_MAX = 60;

const header = {
  format: z.literal(ENTRY_FORMAT),
  network: networkSchema,
  /**
   * When the reading began, by the generator's clock;
   * with milliseconds, so that times compare as texts.
   */
  time: timeSchema.regex(/\.\d{3}Z$/),
};

const reading = {
  ...header,
  /** `ORIGIN#POSITION`: a path or query may hold a secret. */
  endpoint: rawText,
  /** Largest lastVote: the list carries no other slot. */
  slot: countSchema,
  epoch: countSchema,
  slotIndex: countSchema,
  slotsInEpoch: z.int().min(1),
  absoluteSlot: countSchema,
  /**
   * Every witness, preferred first. `votes` is the list of
   * `endpoint`, and each row here holds how its own differs.
   */
  panel: z.array(panelRow).min(1).max(WITNESSES_MAX),
};

/** Rows of another shape, missing in `votes`. */
const unreadableRows = countSchema;

/** Taken each minute. */
export const checkEntrySchema = z.object({
  kind: z.literal("check"),
  ...reading,
  unreadableRows,
  votes: quickRows(checkRow, readCheckRow),
  /** Vote accounts whose rates the lists leave unclear. */
  unclear: z.array(pubkeySchema),
  /** By each witness, in the order of `unclear`; empty where nothing is. */
  accounts: z.array(accountsAnswer).max(WITNESSES_MAX),
});

/** Taken every 10 minutes; also counts as a check. */
export const snapshotEntrySchema = z.object({
  kind: z.literal("snapshot"),
  ...reading,
  unreadableRows,
  votes: quickRows(snapshotRow, readSnapshotRow),
  /** By each witness, in the order of `votes`. */
  accounts: z.array(accountsAnswer).min(1).max(WITNESSES_MAX),
  /** Vote accounts that the answer lacked, asked for by key and not there. */
  absent: z.array(pubkeySchema),
  /** Unit of the newest `credits`. */
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
  /** The vendor's rows of this epoch or the one before. */
  mev: section(z.object({ rows: quickRows(mevRow, readMevRow) })),
  /** Of this epoch or the one before; read when the vendor fails. */
  priorityFees: section(z.object({ rows: z.array(priorityFeeRow) })),
  /** Of this epoch and the one before, as far as they are not known. */
  tips: section(panelTips),
  /** Of the epoch before, where it decides whether a missing tip account is MEV switched off. */
  closedProduction: section(panelProduction),
  locations: section(quickRows(locationRow, readLocationRow)),
  /** `[slot, numSlots, samplePeriodSeconds]` as the node measured, newest first. */
  slotSamples: section(
    z.array(z.tuple([countSchema, countSchema, countSchema])).max(SLOT_SAMPLES_MAX),
  ),
  issuance: section(panelIssuance),
  /** Tips that MEV changes cost a part of. */
  tipAmounts: section(panelTipAmounts),
});

/** `time` is when all were read. */
const historyEntrySchema = z.object({
  kind: z.literal("history"),
  ...header,
  /** Origin only: a path or query may hold a secret. */
  source: rawText,
  /** Each epoch asked for, ascending, and its first slot. */
  epochs: z
    .array(z.tuple([countSchema, countSchema]))
    .min(1)
    .max(HISTORY_EPOCHS_MAX),
  /** No points: the source knows the validator, but nothing of these epochs. */
  validators: z.array(
    z.object({ vote: pubkeySchema, points: z.array(historyPoint).max(HISTORY_EPOCHS_MAX) }),
  ),
});

export const transactionsEntrySchema = z.object({
  kind: z.literal("transactions"),
  ...header,
  ...transactionsParts,
});

export const entrySchema = z.discriminatedUnion("kind", [
  checkEntrySchema,
  snapshotEntrySchema,
  historyEntrySchema,
  transactionsEntrySchema,
]);

export type Entry = CheckEntry | SnapshotEntry | HistoryEntry | TransactionsEntry;
export type CheckEntry = z.infer<typeof checkEntrySchema>;
export type SnapshotEntry = z.infer<typeof snapshotEntrySchema>;
export type PanelRow = z.infer<typeof panelRow>;
export type AccountRow = z.infer<typeof accountRow>;
export type AccountsAnswer = z.infer<typeof accountsAnswer>;
export type PanelList = z.infer<typeof panelList>;
export type PanelIssuance = z.infer<typeof panelIssuance>;
export type HistoryEntry = z.infer<typeof historyEntrySchema>;
export type HistoryPoint = HistoryEntry["validators"][number]["points"][number];
export type TransactionsEntry = z.infer<typeof transactionsEntrySchema>;
export type EntryKind = Entry["kind"];
export type CheckRow = CheckEntry["votes"][number];
export type SnapshotRow = SnapshotEntry["votes"][number];

export interface NamedEntry {
  /** Its number in ten digits. */
  name: string;
  /** SHA-256 of its JSON. */
  hash: string;
  entry: Entry;
}
