import { z } from "zod";
import { eventSchema } from "./event.ts";
import { searchResultSchema } from "./search.ts";
import { RUG_RATE } from "./severity.ts";
import { validatorSchema } from "./validator.ts";
import { commissionSchema, countSchema, stakeSchema } from "./values.ts";

/** Most validators in `worst`. */
export const STANDING_RUGS_MAX = 10;

const standingRugSchema = z
  .object({
    ...searchResultSchema.pick({ votePubkey: true, iconUrl: true, rank: true, activeStake: true })
      .shape,
    appliedCommission: commissionSchema
      .nullable()
      .meta({
        description:
          "Inflation commission that the rewards of the newest epoch pay, percent; null: not " +
          "known.",
      }),
    ...validatorSchema.pick({ nextAppliedCommission: true, appliedCommissions: true }).shape,
    paid: z
      .boolean()
      .meta({
        description:
          "true: the newest epoch pays the raised rate. false: the rate is announced, and a " +
          "later epoch pays it. Who is in no validator set that pays is paid nothing, and " +
          "not listed.",
      }),
    event: eventSchema.meta({
      description: `The RUG that raised it. If the rate is paid: the RUG since which no epoch paid less than ${RUG_RATE}.`,
    }),
  })
  .meta({
    id: "StandingRug",
    description: `A validator with a bad verdict that raised its commission to ${RUG_RATE} or more and keeps it there.`,
  });

/** `meta.standing` of `/stats/rugs-per-epoch`: the RUG events still in force. */
export const standingRugsSchema = z
  .object({
    validatorsPaid: countSchema.meta({
      description: `Listed validators with stake that take ${RUG_RATE} or more of the newest epoch's rewards after a RUG.`,
    }),
    activeStake: stakeSchema.meta({ description: "Active stake of these validators." }),
    validatorsAnnounced: countSchema.meta({
      description:
        "Other listed validators: their newest change is a RUG that a later epoch pays first.",
    }),
    worst: z
      .array(standingRugSchema)
      .max(STANDING_RUGS_MAX)
      .meta({ description: "At most 10 validators: those already paid first, then by stake." }),
  })
  .meta({
    id: "StandingRugs",
    description:
      "RUG events still in force: the validator has not taken the rise back, and its verdict " +
      "is bad.",
  });

/** A validator whose RUG is still in force. */
export type StandingRug = z.infer<typeof standingRugSchema>;
/** The RUG events still in force, summed up. */
export type StandingRugs = z.infer<typeof standingRugsSchema>;

/** The value before the first publication. */
export const NO_STANDING_RUGS: StandingRugs = {
  validatorsPaid: 0,
  activeStake: { lamports: "0", sol: 0 },
  validatorsAnnounced: 0,
  worst: [],
};
