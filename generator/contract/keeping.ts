import { z } from "zod";
import { toStake } from "./numbers.ts";
import { RUG_PERCENT, RUG_RATE } from "./severity.ts";
import { validatorSchema, type Validator } from "./validator.ts";
import { countSchema, stakeSchema } from "./values.ts";

/** Most validators in `keeping.most`. */
export const KEEPING_MAX = 10;

const kept = (of: string) =>
  z
    .object({
      validators: countSchema.meta({ description: "How many." }),
      activeStake: stakeSchema.meta({ description: "Their active stake." }),
    })
    .meta({ description: `Listed validators with stake that take ${RUG_RATE} or more of ${of}.` });

const keeperSchema = validatorSchema
  .pick({
    votePubkey: true,
    name: true,
    iconUrl: true,
    rank: true,
    activeStake: true,
    appliedCommission: true,
    nextAppliedCommission: true,
    appliedCommissions: true,
  })
  .meta({ id: "Keeper", description: `A validator that takes ${RUG_RATE} or more.` });

/** `meta.keeping` of `/stats/rugs-per-epoch`: who takes nearly everything now, raised or not. */
export const keepingSchema = z
  .object({
    inflation: kept("the newest epoch's inflation rewards"),
    mev: kept("MEV tips"),
    most: z
      .array(keeperSchema)
      .max(KEEPING_MAX)
      .meta({
        description:
          `At most ${KEEPING_MAX} validators that take ${RUG_RATE} or more of inflation ` +
          "rewards, most stake first.",
      }),
  })
  .meta({
    id: "Keeping",
    description: `Who takes ${RUG_RATE} or more now, after a RUG or ever since its record began.`,
  });

type Keeper = z.infer<typeof keeperSchema>;
type Keeping = z.infer<typeof keepingSchema>;

/**
 * Finds who takes nearly everything.
 * @param validators the listed ones, by rank
 */
export function findKeeping(validators: readonly Validator[]): Keeping {
  const staked = validators.filter(({ activeStake }) => BigInt(activeStake.lamports) > 0n);
  const inflation = staked.filter(({ appliedCommission: rate }) => isKept(rate));
  const mev = staked.filter(({ mevCommission: rate }) => isKept(rate));
  return {
    inflation: { validators: inflation.length, activeStake: sumStake(inflation) },
    mev: { validators: mev.length, activeStake: sumStake(mev) },
    most: inflation.slice(0, KEEPING_MAX).map(toKeeper),
  };
}

function isKept(rate: number | null): boolean {
  return rate !== null && rate >= RUG_PERCENT;
}

function sumStake(validators: readonly Validator[]): Keeper["activeStake"] {
  return toStake(
    validators.reduce((sum, { activeStake }) => sum + BigInt(activeStake.lamports), 0n),
  );
}

function toKeeper(validator: Validator): Keeper {
  const { votePubkey, name, iconUrl, rank, activeStake } = validator;
  const { appliedCommission, nextAppliedCommission, appliedCommissions } = validator;
  return {
    votePubkey,
    name,
    iconUrl,
    rank,
    activeStake,
    appliedCommission,
    nextAppliedCommission,
    appliedCommissions,
  };
}
