import { z } from "zod";
import { countSchema, pubkeySchema } from "../contract/values.ts";
import { quickRows, readAccountRow, readListedRow, readTip, readTipShare } from "./quick-rows.ts";
import {
  accountRow,
  answersOf,
  issuance,
  listedRow,
  producedBlocks,
  rawText,
  tip,
  tipAmount,
  tipShare,
} from "./rows.ts";

/** A witness's list of vote accounts, as its difference from the entry's `votes`. */
export const panelList = z.object({
  /** The largest lastVote of the list. */
  slot: countSchema,
  unreadableRows: countSchema,
  /**
   * false: the witness lists whole percents only, as old nodes do. The entry's rows then stand for
   * its own, but without basis points.
   */
  hasBasisPoints: z.boolean(),
  /** Vote accounts of the entry that the witness does not list. */
  lacks: z.array(pubkeySchema),
  /**
   * Rows that the entry lacks or has with other values. Checks compare neither identity nor
   * membership of the validator set.
   */
  rows: quickRows(listedRow, readListedRow),
});

/** A witness's slot, epoch and list, or why it gave none. */
export const panelRow = z.object({
  /** `ORIGIN#POSITION`. Endpoints of one origin are one witness. */
  endpoint: rawText,
  slot: countSchema.nullable(),
  /** The epoch, its first slot and its length in slots are all null or all present. */
  epoch: countSchema.nullable(),
  firstSlot: countSchema.nullable(),
  slotsInEpoch: countSchema.nullable(),
  list: panelList.nullable(),
  /** Why the witness did not answer or gave no list; null if it did. */
  reason: rawText.nullable(),
});

/** One row for each account asked for, in that order. */
const accountRows = quickRows(accountRow, readAccountRow);

/**
 * One witness's answer to a request for vote accounts. It takes several calls, and `slot` is the
 * lowest of theirs.
 */
export const accountsAnswer = z.discriminatedUnion("state", [
  z.object({ state: z.literal("ok"), endpoint: rawText, slot: countSchema, rows: accountRows }),
  z.object({ state: z.literal("failed"), endpoint: rawText, reason: rawText }),
]);

const tips = quickRows(tip, readTip);

/**
 * Tip accounts as every witness answers them: `shares` holds those of `tips`, then those of
 * `controls`.
 */
export const panelTips = z.object({
  tips,
  /**
   * Accounts known to exist. A witness that answers without them is likely to lack others too, so
   * its absences do not count.
   */
  controls: tips,
  answers: answersOf({ slot: countSchema, shares: quickRows(tipShare, readTipShare) }),
});

/** Tip accounts as every witness answers them. */
export type PanelTips = z.infer<typeof panelTips>;
/** Names a tip account by validator and epoch. */
export type Tip = z.infer<typeof tip>;

/**
 * Leader slots and blocks of some identities in a closed epoch, as every witness answers them, in
 * the order of `identities`.
 */
export const panelProduction = z.object({
  epoch: countSchema,
  /** The first and the last slot of the epoch, both inclusive. */
  firstSlot: countSchema,
  lastSlot: countSchema,
  identities: z.array(pubkeySchema),
  answers: answersOf({
    slot: countSchema,
    /** `[0, 0]` if the answer lacks the identity, which means that it led no slot. */
    blocks: z.array(producedBlocks),
  }),
});

/** Blocks in a closed epoch, as every witness answers them. */
export type PanelProduction = z.infer<typeof panelProduction>;
/** The question that a `PanelProduction` answers: the epoch, its slots, and the identities. */
export type ClosedEpoch = Omit<PanelProduction, "answers">;

/**
 * Amounts of tips of some validators and epochs, as every witness answers them, in the order of
 * `tips`.
 */
export const panelTipAmounts = z.object({
  tips,
  answers: answersOf({ slot: countSchema, amounts: z.array(tipAmount) }),
});

/** Amounts of tips, as every witness answers them. */
export type PanelTipAmounts = z.infer<typeof panelTipAmounts>;

/** Inflation and supply in an epoch, as every witness answers them. */
export const panelIssuance = z.object({ epoch: countSchema, answers: answersOf(issuance.shape) });
