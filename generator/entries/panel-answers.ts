import { z } from "zod";
import { countSchema, pubkeySchema, WITNESSES_MAX } from "../contract/values.ts";
import { quickRows, readAccountRow, readListedRow, readTip, readTipShare } from "./quick-rows.ts";
import {
  accountRow,
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
  /** Largest lastVote. */
  slot: countSchema,
  unreadableRows: countSchema,
  /**
   * false: it lists whole percents only, as old nodes do:
   * the entry's rows are its own but for their basis points.
   */
  hasBasisPoints: z.boolean(),
  /** Vote accounts of the entry that it does not list. */
  lacks: z.array(pubkeySchema),
  /**
   * Rows that the entry does not have, or has otherwise. A
   * check compares neither identities nor the validator set.
   */
  rows: quickRows(listedRow, readListedRow),
});

/** A witness: its slot and its list; or why not. */
export const panelRow = z.object({
  /** `ORIGIN#POSITION`; the origin is the witness. */
  endpoint: rawText,
  slot: countSchema.nullable(),
  /** With it come its first slot and its length. */
  epoch: countSchema.nullable(),
  firstSlot: countSchema.nullable(),
  slotsInEpoch: countSchema.nullable(),
  list: panelList.nullable(),
  /** Why it did not answer, or gave no list. */
  reason: rawText.nullable(),
});

/** In the order asked for. */
const accountRows = quickRows(accountRow, readAccountRow);

/** `slot`: the lowest of the answers. */
export const accountsAnswer = z.discriminatedUnion("state", [
  z.object({ state: z.literal("ok"), endpoint: rawText, slot: countSchema, rows: accountRows }),
  z.object({ state: z.literal("failed"), endpoint: rawText, reason: rawText }),
]);

const tipsAnswer = z.discriminatedUnion("state", [
  z.object({
    state: z.literal("ok"),
    endpoint: rawText,
    slot: countSchema,
    shares: quickRows(tipShare, readTipShare),
  }),
  z.object({ state: z.literal("failed"), endpoint: rawText, reason: rawText }),
]);

const tips = quickRows(tip, readTip);

/** Tip accounts by every witness: the shares of `tips`, then those of `controls`. */
export const panelTips = z.object({
  tips,
  /** Accounts that are there: a witness without them lacks others too. */
  controls: tips,
  answers: z.array(tipsAnswer).min(1).max(WITNESSES_MAX),
});

export type PanelTips = z.infer<typeof panelTips>;
export type Tip = z.infer<typeof tip>;

/** Blocks of named identities in a closed epoch, by every witness; in the order of `identities`. */
export const panelProduction = z.object({
  epoch: countSchema,
  /** All slots of the epoch; both are inclusive. */
  firstSlot: countSchema,
  lastSlot: countSchema,
  identities: z.array(pubkeySchema),
  answers: z
    .array(
      z.discriminatedUnion("state", [
        z.object({
          state: z.literal("ok"),
          endpoint: rawText,
          slot: countSchema,
          /** `[0, 0]`: the answer lacks the identity, which then led no slot. */
          blocks: z.array(producedBlocks),
        }),
        z.object({ state: z.literal("failed"), endpoint: rawText, reason: rawText }),
      ]),
    )
    .min(1)
    .max(WITNESSES_MAX),
});

export type PanelProduction = z.infer<typeof panelProduction>;
/** What is asked of it. */
export type ClosedEpoch = Omit<PanelProduction, "answers">;

/** Tips of named validators and epochs, by every witness; in the order of `tips`. */
export const panelTipAmounts = z.object({
  tips,
  answers: z
    .array(
      z.discriminatedUnion("state", [
        z.object({
          state: z.literal("ok"),
          endpoint: rawText,
          slot: countSchema,
          amounts: z.array(tipAmount),
        }),
        z.object({ state: z.literal("failed"), endpoint: rawText, reason: rawText }),
      ]),
    )
    .min(1)
    .max(WITNESSES_MAX),
});

export type PanelTipAmounts = z.infer<typeof panelTipAmounts>;

/** Inflation and supply in an epoch, by every witness. */
export const panelIssuance = z.object({
  epoch: countSchema,
  answers: z
    .array(
      z.discriminatedUnion("state", [
        z.object({ state: z.literal("ok"), endpoint: rawText, ...issuance.shape }),
        z.object({ state: z.literal("failed"), endpoint: rawText, reason: rawText }),
      ]),
    )
    .min(1)
    .max(WITNESSES_MAX),
});
