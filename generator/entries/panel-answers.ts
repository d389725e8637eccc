import { z } from "zod";
import { countSchema, pubkeySchema, WITNESSES_MAX } from "../contract/values.ts";
import { quickRows, readAccountRow } from "./quick-rows.ts";
import { accountRow, issuance, rawText, tipAmount, tipShare } from "./rows.ts";

/** In the order asked for. */
const accountRows = quickRows(accountRow, readAccountRow);

/** `slot`: the lowest of the answers. */
export const accountsAnswer = z.discriminatedUnion("state", [
  z.object({ state: z.literal("ok"), endpoint: rawText, slot: countSchema, rows: accountRows }),
  z.object({ state: z.literal("failed"), endpoint: rawText, reason: rawText }),
]);

const tipsAnswer = z.discriminatedUnion("state", [
  z.object({ state: z.literal("ok"), endpoint: rawText, slot: countSchema, shares: z.array(tipShare) }),
  z.object({ state: z.literal("failed"), endpoint: rawText, reason: rawText }),
]);

const tip = z.object({ vote: pubkeySchema, epoch: countSchema });

/** Tip accounts by every witness: the shares of `tips`, then those of `controls`. */
export const panelTips = z.object({
  tips: z.array(tip),
  /** Accounts that are there: a witness without them lacks others too. */
  controls: z.array(tip),
  answers: z.array(tipsAnswer).min(1).max(WITNESSES_MAX),
});

export type PanelTips = z.infer<typeof panelTips>;
export type Tip = z.infer<typeof tip>;

/** Tips of named validators and epochs, by every witness; in the order of `tips`. */
export const panelTipAmounts = z.object({
  tips: z.array(tip),
  answers: z
    .array(
      z.discriminatedUnion("state", [
        z.object({ state: z.literal("ok"), endpoint: rawText, slot: countSchema, amounts: z.array(tipAmount) }),
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
