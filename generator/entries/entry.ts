import { z } from "zod";
import { networkSchema } from "../contract/networks.ts";
import { countSchema, pubkeySchema, timeSchema, WITNESSES_MAX } from "../contract/values.ts";
import {
  type accountRow,
  basisPoints,
  checkRow,
  historyPoint,
  infoRow,
  lamports,
  locationRow,
  mevRow,
  nodeRow,
  panelRow,
  percent,
  rawText,
  section,
  snapshotRow,
  tipRow,
  tipShare,
} from "./rows.ts";
import {
  accountRows,
  accountsAnswer,
  panelClosedTips,
  panelIssuance,
  soleClosedTips,
  soleIssuance,
  type tipsAnswer,
} from "./panel-answers.ts";
import { transactionsParts } from "./transactions.ts";
import { quickRows, readCheckRow, readSnapshotRow } from "./quick-rows.ts";

export { RAW_TEXT_MAX } from "./rows.ts";
export { TRANSACTION_BYTES_MAX } from "../chain/transaction.ts";
export {
  type InnerInstruction,
  type SearchAnswer,
  type SearchRow,
  type TransactionAnswer,
  type TransactionRow,
} from "./transactions.ts";

/**
 * The shape of what can be folded: one entry of the journal. It keeps what the source said (uncapped basis points and
 * percent, raw but length-bounded text), so that a rule can change later and be replayed over all history.
 *
 * Amounts are bigint in memory and decimal strings in the journal (`entryToJson` in journal/ writes them).
 */
export const ENTRY_FORMAT = 1;

/** Epochs that the public history keeps of a validator; older ones are overwritten. */
export const HISTORY_EPOCHS_MAX = 512;

/** Most samples of slot time kept of an answer: nodes take one a minute, so that they reach an hour back. */
export const SLOT_SAMPLES_MAX = 60;

const header = {
  format: z.literal(ENTRY_FORMAT),
  network: networkSchema,
  /** When the reading began, from the generator's clock. */
  time: timeSchema,
};

const reading = {
  ...header,
  /** The endpoint that answered, as `ORIGIN#POSITION` in the list: a path or query may hold a secret. */
  endpoint: rawText,
  /** Largest lastVote of the answer itself: the only slot it carries. */
  slot: countSchema,
  epoch: countSchema,
  slotIndex: countSchema,
  slotsInEpoch: z.int().min(1),
  /** Slot of the epoch reading, for measuring slot time. */
  absoluteSlot: countSchema,
  /** Every witness, preferred first. Missing: the entry was made before endpoints were held against each other. */
  panel: z.array(panelRow).min(1).max(WITNESSES_MAX).optional(),
};

/** Rows of the list of vote accounts that had another shape, and so are not among `votes`. */
const unreadableRows = countSchema;

/** Each minute; lean. */
export const checkEntrySchema = z.object({
  kind: z.literal("check"),
  ...reading,
  unreadableRows,
  votes: quickRows(checkRow, readCheckRow),
});

/** Every 10 minutes; everything. Is a check too. */
export const snapshotEntrySchema = z.object({
  kind: z.literal("snapshot"),
  ...reading,
  unreadableRows,
  votes: quickRows(snapshotRow, readSnapshotRow),
  /** The account of each of `votes`, in their order, by every witness of the panel. */
  accounts: z.array(accountsAnswer).min(1).max(WITNESSES_MAX).optional(),
  /** Vote accounts of the ledger's list that the answer lacked, asked for by key, and not there. */
  absent: z.array(pubkeySchema),
  /** What the node says one unit of the newest `credits` is (Alpenglow counts lamports); null: it cannot tell. */
  creditsUnit: z.enum(["credits", "lamports"]).nullable(),
  nodes: section(z.array(nodeRow)),
  info: section(z.array(infoRow)),
  /** Of the running epoch: `[identity, leaderSlots, blocksProduced]`. */
  production: section(z.object({ rows: z.array(z.tuple([pubkeySchema, countSchema, countSchema])) })),
  /** `[vote, activating, deactivating, stakeAccountCount]`, as of `asOf` in `epoch`. */
  stakeAccounts: section(
    z.object({
      epoch: countSchema,
      asOf: timeSchema,
      rows: z.array(z.tuple([pubkeySchema, lamports, lamports, countSchema])),
    }),
  ),
  /** The vendor's latest list; a row may be of this epoch or of the one before. */
  mev: section(z.object({ rows: z.array(mevRow) })),
  /** The newest tip account of each vote account, of this epoch or of the one before: read when the vendor tells nothing. */
  tips: section(z.object({ rows: z.array(tipRow) })),
  /** The vendor's list of the closed epoch named; a row may yet be of the epoch before it. */
  closedMev: section(z.object({ epoch: countSchema, rows: z.array(mevRow) })),
  /** Whether each vote account asked for had a tip account in the closed epoch named. */
  closedTips: section(z.union([panelClosedTips, soleClosedTips])),
  locations: section(z.array(locationRow)),
  /** How fast slots passed lately by the node's own measure: `[slot, numSlots, samplePeriodSeconds]`, newest first. */
  slotSamples: section(z.array(z.tuple([countSchema, countSchema, countSchema])).max(SLOT_SAMPLES_MAX)),
  /** What staking rewards follow from (`issuance.ts` in ledger/). Missing: the entry is older than this section. */
  issuance: section(z.union([panelIssuance, soleIssuance])).optional(),
});

/** Second reading of named vote accounts by all witnesses of the panel, from the accounts themselves. */
export const panelConfirmEntrySchema = z.object({
  kind: z.literal("confirm"),
  ...header,
  votes: z.array(pubkeySchema),
  /** Whose tip accounts of which epoch were asked for. */
  tips: z.array(z.object({ vote: pubkeySchema, epoch: countSchema })),
  /** One of each witness, preferred first; rows and shares in the order of `votes` and `tips`. */
  answers: z
    .array(
      z.discriminatedUnion("state", [
        z.object({
          state: z.literal("ok"),
          endpoint: rawText,
          slot: countSchema,
          rows: accountRows,
          shares: z.array(tipShare),
        }),
        z.object({ state: z.literal("failed"), endpoint: rawText, reason: rawText }),
      ]),
    )
    .min(1)
    .max(WITNESSES_MAX),
});

/** Second reading by a single endpoint, as it was journaled before there was a panel. */
export const soleConfirmEntrySchema = z.object({
  kind: z.literal("confirm"),
  ...header,
  endpoint: rawText,
  /** Slot of the answer's context. */
  slot: countSchema,
  epoch: countSchema,
  accounts: z.array(
    z.object({
      vote: pubkeySchema,
      /** false: no such account, or not owned by the vote program; both rates are null then. */
      exists: z.boolean(),
      basisPoints: basisPoints.nullable(),
      percent: percent.nullable(),
    }),
  ),
  /** Tip-distribution accounts of `epoch`. */
  tips: z.array(
    z.object({ vote: pubkeySchema, epoch: countSchema, exists: z.boolean(), mevBasisPoints: basisPoints.nullable() }),
  ),
});

/** Closed epochs of some validators from a public history. `time` is when all of them had been read. */
export const historyEntrySchema = z.object({
  kind: z.literal("history"),
  ...header,
  /** Origin of the source: a path or query may hold a secret. */
  source: rawText,
  /** Every epoch that was asked for, ascending, with its first slot by the cluster's epoch schedule. */
  epochs: z
    .array(z.tuple([countSchema, countSchema]))
    .min(1)
    .max(HISTORY_EPOCHS_MAX),
  /** Those that the source answered for; without points: it knows the validator, and nothing of these epochs. */
  validators: z.array(z.object({ vote: pubkeySchema, points: z.array(historyPoint).max(HISTORY_EPOCHS_MAX) })),
});

/**
 * An operator's word. `time` is one millisecond before the observation it is about (or before the first observation of the
 * event), so that it folds ahead of its subject; `ruledAt` is when it was said.
 */
export const rulingEntrySchema = z.object({
  kind: z.literal("ruling"),
  ...header,
  ruledAt: timeSchema,
  subject: z.discriminatedUnion("of", [
    z.object({ of: z.literal("observation"), key: rawText }),
    z.object({ of: z.literal("event"), id: rawText }),
  ]),
  verdict: z.enum(["accept", "ignore"]),
  reason: rawText,
});

/** What was found on chain of who set which commission. */
export const transactionsEntrySchema = z.object({ kind: z.literal("transactions"), ...header, ...transactionsParts });

/** A union has no kind of its own by which it could be told from other entries: what stands before it has. */
const confirmEntrySchema = z
  .looseObject({ kind: z.literal("confirm") })
  .pipe(z.union([panelConfirmEntrySchema, soleConfirmEntrySchema]));

export const entrySchema = z.discriminatedUnion("kind", [
  checkEntrySchema,
  snapshotEntrySchema,
  confirmEntrySchema,
  historyEntrySchema,
  rulingEntrySchema,
  transactionsEntrySchema,
]);

export type Entry = CheckEntry | SnapshotEntry | ConfirmEntry | HistoryEntry | RulingEntry | TransactionsEntry;
export type CheckEntry = z.infer<typeof checkEntrySchema>;
export type SnapshotEntry = z.infer<typeof snapshotEntrySchema>;
export type PanelConfirmEntry = z.infer<typeof panelConfirmEntrySchema>;
export type SoleConfirmEntry = z.infer<typeof soleConfirmEntrySchema>;
export type ConfirmEntry = PanelConfirmEntry | SoleConfirmEntry;
export type PanelRow = z.infer<typeof panelRow>;
export type AccountRow = z.infer<typeof accountRow>;
export type AccountsAnswer = z.infer<typeof accountsAnswer>;
export type TipsAnswer = z.infer<typeof tipsAnswer>;
export type PanelClosedTips = z.infer<typeof panelClosedTips>;
export type SoleClosedTips = z.infer<typeof soleClosedTips>;
export type PanelIssuance = z.infer<typeof panelIssuance>;
export type SoleIssuance = z.infer<typeof soleIssuance>;
export type HistoryEntry = z.infer<typeof historyEntrySchema>;
export type HistoryPoint = HistoryEntry["validators"][number]["points"][number];
export type RulingEntry = z.infer<typeof rulingEntrySchema>;
export type TransactionsEntry = z.infer<typeof transactionsEntrySchema>;
export type EntryKind = Entry["kind"];
export type CheckRow = CheckEntry["votes"][number];
export type SnapshotRow = SnapshotEntry["votes"][number];

/** An entry under the name it has in the journal, `DAY/TIME-KIND-HASH`; names sort by time, then kind, then content. */
export interface NamedEntry {
  name: string;
  entry: Entry;
}
