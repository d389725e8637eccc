import { z } from "zod";
import { countSchema, pubkeySchema, WITNESSES_MAX } from "../contract/values.ts";
import { quickRows, readAccountRow } from "./quick-rows.ts";
import { accountRow, basisPoints, issuance, rawText, tipShare } from "./rows.ts";

/*
 * What the witnesses of a panel answered when they were asked for accounts.
 */

/** Vote accounts as one witness holds them, in the order in which they were asked for. */
export const accountRows = quickRows(accountRow, readAccountRow);

/** What one witness answered, or why it did not. `slot`: the lowest of its answers. */
export const accountsAnswer = z.discriminatedUnion("state", [
  z.object({ state: z.literal("ok"), endpoint: rawText, slot: countSchema, rows: accountRows }),
  z.object({ state: z.literal("failed"), endpoint: rawText, reason: rawText }),
]);

/** Tip accounts as one witness reads them, in the order in which they were asked for. */
export const tipsAnswer = z.discriminatedUnion("state", [
  z.object({ state: z.literal("ok"), endpoint: rawText, slot: countSchema, shares: z.array(tipShare) }),
  z.object({ state: z.literal("failed"), endpoint: rawText, reason: rawText }),
]);

/** The tip accounts of these vote accounts for a closed epoch, by every witness; shares in the order of `votes`. */
export const panelClosedTips = z.object({
  epoch: countSchema,
  votes: z.array(pubkeySchema),
  answers: z.array(tipsAnswer).min(1).max(WITNESSES_MAX),
});

/** The same by a single endpoint, as it was journaled before there was a panel. */
export const soleClosedTips = z.object({
  epoch: countSchema,
  rows: z.array(z.object({ vote: pubkeySchema, exists: z.boolean(), mevBasisPoints: basisPoints.nullable() })),
});

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

/** The same by a single endpoint, from before every witness was asked. */
export const soleIssuance = issuance.extend({ epoch: countSchema });
