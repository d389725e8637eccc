import { z } from "zod";
import { CAUTION_POINTS, RUG_RATE } from "./severity.ts";

/** Levels of a verdict, worst first; `unknown` is last. */
export const VERDICT_LEVELS = ["bad", "caution", "good", "unknown"] as const;

/** From this rate on, in basis points, a commission is `takes_much`. */
export const MUCH_BASIS_POINTS = 2000;
/** How many epochs back a change counts as recent: a month at one epoch a day. */
export const RECENT_EPOCHS = 30;
/** Epochs over which habits are judged. Only who is known for so many is called good. */
export const HABIT_EPOCHS = 10;
/** Percentage points that make a rise large. */
export const LARGE_POINTS = CAUTION_POINTS.COMMISSION;

/** Level of a verdict. */
export type VerdictLevel = (typeof VERDICT_LEVELS)[number];

/**
 * Every reason of a verdict with its level and published rule, in the order of what costs the
 * delegator soonest. Public history alone gives at most a caution, and a rise that no epoch paid is
 * no reason.
 */
export const VERDICT_REASONS = {
  rug_ahead: { level: "bad", rule: "A confirmed RUG that a later epoch pays first." },
  keeps_most: {
    level: "bad",
    rule: `Rewards of the newest epoch pay ${RUG_RATE} or more, or it announces ${RUG_RATE} or more.`,
  },
  bait: {
    level: "bad",
    rule:
      `Rewards pay at least ${LARGE_POINTS} points more than announced, and the validator has a \`serial_flip\` pattern or ` +
      `raised what rewards pay by ${LARGE_POINTS} points twice in the last ${HABIT_EPOCHS} epochs.`,
  },
  serial_flip: {
    level: "bad",
    rule: `It has a \`serial_flip\` pattern, and one of the last ${HABIT_EPOCHS} epochs paid one of its rises.`,
  },
  recent_rug: {
    level: "bad",
    rule: `A confirmed RUG that was first paid in one of the last ${RECENT_EPOCHS} epochs.`,
  },
  takes_much: {
    level: "caution",
    rule:
      `Rewards of the newest epoch pay ${MUCH_BASIS_POINTS / 100} % or more, or it announces ` +
      `${MUCH_BASIS_POINTS / 100} % or more, and neither is ${RUG_RATE} or more.`,
  },
  recent_rise: {
    level: "caution",
    rule:
      `In the last ${RECENT_EPOCHS} epochs, rises of one commission below ${RUG_RATE} add up to ${LARGE_POINTS} points ` +
      `or more, or MEV was switched on at ${RUG_RATE} or more.`,
  },
  pays_more: {
    level: "caution",
    rule: `Rewards pay at least ${LARGE_POINTS} points more than announced, without the history of \`bait\`.`,
  },
  high_mev: { level: "caution", rule: `MEV commission of ${RUG_RATE} or more.` },
  block_revenue_rise: {
    level: "caution",
    rule: `It raised its block revenue commission by ${LARGE_POINTS} points or more in the last ${RECENT_EPOCHS} epochs.`,
  },
  earlier_rug: {
    level: "caution",
    rule: "A RUG that no reason above names. The sentence counts every RUG of the validator.",
  },
  leaving: {
    level: "caution",
    rule:
      "Within 3 epochs after its newest RUG its active stake halved, it left the list, or it " +
      "stopped voting.",
  },
  delinquent: {
    level: "caution",
    rule: "It is listed, and no check of the last hour or longer saw it vote.",
  },
  gone: { level: "caution", rule: "It has left the cluster's list." },
  no_rise: {
    level: "good",
    rule: `None of the above, what was paid is known of the last ${HABIT_EPOCHS} epochs or more, and in none a rise was announced or first paid.`,
  },
  no_large_rise: {
    level: "good",
    rule:
      `None of the above, what was paid is known of the last ${HABIT_EPOCHS} epochs or more, and the rises that were ` +
      `paid add up to less than ${LARGE_POINTS} points.`,
  },
  not_watched: {
    level: "unknown",
    rule: `None of the above, but what was paid is not known of each of the last ${HABIT_EPOCHS} epochs.`,
  },
  too_new: {
    level: "unknown",
    rule: "The same, because the validator is known for too short a time.",
  },
} as const satisfies Record<string, { level: VerdictLevel; rule: string }>;

/** Code of a reason. */
export type VerdictCode = keyof typeof VERDICT_REASONS;

const CODES = Object.keys(VERDICT_REASONS) as [VerdictCode, ...VerdictCode[]];

const TABLE = Object.entries(VERDICT_REASONS).map(
  ([code, { level, rule }]) => `| ${code} | ${level} | ${rule} |`,
);

/** The `verdict` of a list item. */
export const verdictLevelSchema = z.enum(VERDICT_LEVELS);

/** Why a verdict has its level, or what else speaks for one. */
export const verdictReasonSchema = z
  .object({
    code: z.enum(CODES).meta({ description: "The rule that applies, from the table of Verdict." }),
    text: z
      .string()
      .meta({
        description:
          "The reason in an English sentence with its numbers. It quotes no text of " +
          "the validator.",
      }),
  })
  .meta({ id: "VerdictReason", description: "Why." });

/** The `verdict` of a profile: a level with its reasons. */
export const verdictSchema = z
  .object({
    level: verdictLevelSchema.meta({
      description: "Level of the first reason. unknown: too little is known for any other level.",
    }),
    reasons: z
      .array(verdictReasonSchema)
      .min(1)
      .meta({ description: "Every rule that applies: what costs the delegator soonest first." }),
  })
  .meta({
    id: "Verdict",
    description: [
      "What to know before staking with it: a level by fixed rules, always with reasons. " +
        "Points are percentage points.",
      "",
      "| code | level | when |",
      "| --- | --- | --- |",
      ...TABLE,
    ].join("\n"),
  });

/** A level with its reasons. */
export type Verdict = z.infer<typeof verdictSchema>;
