import { z } from "zod";
import { RUG_RATE } from "./severity.ts";

/** Heaviest first. */
export const VERDICT_LEVELS = ["bad", "caution", "good", "unknown"] as const;

type VerdictLevel = (typeof VERDICT_LEVELS)[number];

/** Most severe first. Public history alone is at most a caution; a rise that no epoch paid is no reason. */
export const VERDICT_REASONS = {
  bait: {
    level: "bad",
    rule:
      "Rewards pay at least 10 points more than announced, and the validator has a `serial_flip` pattern or raised its " +
      "commission by 10 points twice in the last 10 epochs.",
  },
  serial_flip: {
    level: "bad",
    rule: "It has a `serial_flip` pattern, and one of the last 10 epochs paid one of its rises.",
  },
  keeps_most: { level: "bad", rule: `Rewards of the newest epoch pay ${RUG_RATE} or more.` },
  rug_ahead: { level: "bad", rule: "A confirmed RUG that a later epoch pays first." },
  recent_rug: { level: "bad", rule: "A confirmed RUG that was first paid in one of the last 30 epochs." },
  leaving: {
    level: "caution",
    rule:
      "Within 3 epochs after its newest RUG its active stake halved, it left the list, or it stopped voting for good: " +
      "the RUG was part of leaving, not aimed at delegators who stay.",
  },
  earlier_rug: { level: "caution", rule: "Any other RUG." },
  recent_rise: { level: "caution", rule: "A CAUTION, or a rise of 10 points or more, in the last 30 epochs." },
  pays_more: { level: "caution", rule: "Rewards pay at least 10 points more than announced, without such a history." },
  high_mev: { level: "caution", rule: `MEV commission of ${RUG_RATE} or more.` },
  block_revenue_rise: {
    level: "caution",
    rule: "It raised its block revenue commission by 10 points or more in the last 30 epochs.",
  },
  gone: { level: "caution", rule: "It has left the cluster's list." },
  delinquent: { level: "caution", rule: "It is listed but does not vote." },
  no_rise: {
    level: "good",
    rule:
      "None of the above, no rise in 10 known epochs or more, and of each of the last 10 it is known what its rewards pay " +
      "(`appliedCommission`), or that none are paid.",
  },
  no_large_rise: { level: "good", rule: "The same, but there were smaller rises." },
  too_new: { level: "unknown", rule: "None of the above, and less is known." },
} as const satisfies Record<string, { level: VerdictLevel; rule: string }>;

export type VerdictCode = keyof typeof VERDICT_REASONS;

const CODES = Object.keys(VERDICT_REASONS) as [VerdictCode, ...VerdictCode[]];

const TABLE = Object.entries(VERDICT_REASONS).map(([code, { level, rule }]) => `| ${code} | ${level} | ${rule} |`);

export const verdictSchema = z
  .object({
    level: z
      .enum(VERDICT_LEVELS)
      .meta({ description: "Level of the first reason. unknown: too little is known for any other level." }),
    reasons: z
      .array(
        z
          .object({
            code: z.enum(CODES).meta({ description: "The rule that applies, from the table of Verdict." }),
            text: z
              .string()
              .meta({
                description: "The reason in an English sentence with its numbers. It quotes no text of the validator.",
              }),
          })
          .meta({ id: "VerdictReason", description: "Why." }),
      )
      .min(1)
      .meta({ description: "Every rule that applies, most severe first." }),
  })
  .meta({
    id: "Verdict",
    description: [
      "What to know before staking with it: a level by fixed rules, always with reasons. Points are percentage points.",
      "",
      "| code | level | when |",
      "| --- | --- | --- |",
      ...TABLE,
    ].join("\n"),
  });

export type Verdict = z.infer<typeof verdictSchema>;
