import { z } from "zod";
import type { ValidatorState } from "./cluster.ts";
import type { CreditsRow } from "./credits.ts";
import type { View } from "./endpoints.ts";
import { toJson, U64_MAX } from "./json.ts";
import { DELINQUENT_SLOT_DISTANCE } from "./outages.ts";
import { addressSchema, contextConfigSchema, parseParams } from "./rpc-params.ts";

const voteParams = z.tuple([
  contextConfigSchema
    .extend({
      votePubkey: addressSchema.optional(),
      keepUnstakedDelinquents: z.boolean().optional(),
      delinquentSlotDistance: z.int().min(1).optional(),
    })
    .optional(),
]);

const SEPARATOR = [U64_MAX, U64_MAX, U64_MAX];

/** How nodes round a percent from basis points: the first version down, the later one up. */
const ROUNDING = { first: Math.ceil, second: Math.floor, lagging: Math.floor } as const;
const PERCENT_MAX = 255;

/** Unstaked accounts that still vote are current; unstaked ones that do not are left out unless asked for. */
export function getVoteAccounts(view: View, params: unknown): string {
  const [config] = parseParams(voteParams, params);
  const distance = config?.delinquentSlotDistance ?? DELINQUENT_SLOT_DISTANCE;
  const isDelinquent = ({ lastVote }: ValidatorState) => lastVote <= view.state.moment.slot - distance;
  const asked = view.state.validators.filter(
    ({ votePubkey }) => config?.votePubkey === undefined || votePubkey === config.votePubkey,
  );
  const delinquent = asked.filter(
    (validator) =>
      isDelinquent(validator) && (validator.activatedStake > 0n || config?.keepUnstakedDelinquents === true),
  );
  return toJson({
    current: asked.filter((validator) => !isDelinquent(validator)).map((validator) => toRow(validator, view)),
    delinquent: delinquent.map((validator) => toRow(validator, view)),
  });
}

function toRow(validator: ValidatorState, { cluster, endpoint, state, lie }: View) {
  const basisPoints = lie?.member === validator.member ? lie.basisPoints : validator.basisPoints;
  return {
    activatedStake: validator.activatedStake,
    commission: Math.min(ROUNDING[endpoint](basisPoints / 100), PERCENT_MAX),
    epochCredits: cluster.creditsAt(validator.member, state.moment).map(toCreditsRow),
    epochVoteAccount: validator.inValidatorSet,
    // Absent on nodes older than 4.1.
    ...(endpoint !== "lagging" && { inflationRewardsCommissionBps: basisPoints }),
    lastVote: validator.lastVote,
    nodePubkey: validator.identity,
    rootSlot: validator.rootSlot,
    votePubkey: validator.votePubkey,
  };
}

function toCreditsRow(row: CreditsRow) {
  return row === "separator" ? SEPARATOR : row;
}
