import { z } from "zod";
import { eventSchema } from "./event.ts";
import { searchResultSchema } from "./search.ts";
import { commissionSchema, countSchema, stakeSchema } from "./values.ts";

/** Most validators that are told one by one. */
export const STANDING_RUGS_MAX = 10;

const standingRugSchema = z
  .object({
    ...searchResultSchema.pick({ votePubkey: true, iconUrl: true, rank: true, activeStake: true }).shape,
    appliedCommission: commissionSchema
      .nullable()
      .meta({
        description: "Inflation commission that rewards earned in the newest epoch pay, percent; null: not known.",
      }),
    paid: z
      .boolean()
      .meta({ description: "The newest epoch pays it; false: it is announced, and a later epoch pays it." }),
    event: eventSchema.meta({
      description: "The RUG: of a rate that is paid, the one since which no epoch has paid less than 90 %.",
    }),
  })
  .meta({
    id: "StandingRug",
    description: "A validator that raised a commission to 90 % or more, and keeps it there.",
  });

/** Who takes nearly everything at present after a rise, however long ago that was. */
export const standingRugsSchema = z
  .object({
    validatorsPaid: countSchema.meta({
      description: "Listed validators with stake to whom the newest epoch pays 90 % or more after a RUG.",
    }),
    activeStake: stakeSchema.meta({ description: "The active stake of these." }),
    validatorsAnnounced: countSchema.meta({ description: "Others, whose newest change is a RUG of a later epoch." }),
    worst: z
      .array(standingRugSchema)
      .max(STANDING_RUGS_MAX)
      .meta({ description: "Those that are paid first, then those with the most stake; 10 at most." }),
  })
  .meta({ id: "StandingRugs", description: "RUG events that stand: what they raised was not taken back since." });

export type StandingRug = z.infer<typeof standingRugSchema>;
export type StandingRugs = z.infer<typeof standingRugsSchema>;

/** Of a network where nobody has one. */
export const NO_STANDING_RUGS: StandingRugs = {
  validatorsPaid: 0,
  activeStake: { lamports: "0", sol: 0 },
  validatorsAnnounced: 0,
  worst: [],
};
