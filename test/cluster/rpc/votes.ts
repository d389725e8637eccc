import { z } from "zod";
import { DELINQUENT_SLOT_DISTANCE } from "../chain/presence.ts";
import { addressSchema, assertContextSlot, contextConfigSchema, parseParams } from "./params.ts";
import { inContext } from "./accounts.ts";
import type { RateForm, View, VoteState } from "./view.ts";

const voteParams = z.tuple([
  contextConfigSchema
    .extend({
      votePubkey: addressSchema.optional(),
      keepUnstakedDelinquents: z.boolean().optional(),
      delinquentSlotDistance: z.int().min(1).optional(),
    })
    .optional(),
]);

const PERCENT_MAX = 255;

/** Unstaked non-voters are left out unless asked for. */
export function getVoteAccounts(view: View, params: unknown): object {
  const [config] = parseParams(voteParams, params);
  const distance = config?.delinquentSlotDistance ?? DELINQUENT_SLOT_DISTANCE;
  const isDelinquent = ({ lastVote }: VoteState) => lastVote <= view.slot - distance;
  const { rows, form } = view.votes();
  const asked = rows.filter(
    ({ votePubkey }) => config?.votePubkey === undefined || votePubkey === config.votePubkey,
  );
  const delinquent = asked.filter(
    (row) =>
      isDelinquent(row) && (row.activatedStake > 0n || config?.keepUnstakedDelinquents === true),
  );
  return {
    current: asked.filter((row) => !isDelinquent(row)).map((row) => toVoteRow(row, form)),
    delinquent: delinquent.map((row) => toVoteRow(row, form)),
  };
}

/** A row of getVoteAccounts. */
export function toVoteRow(state: VoteState, { toPercent, hasBasisPoints }: RateForm) {
  const { basisPoints } = state;
  return {
    activatedStake: state.activatedStake,
    ...(basisPoints !== null &&
      toPercent !== null && { commission: Math.min(toPercent(basisPoints / 100), PERCENT_MAX) }),
    epochCredits: state.epochCredits,
    epochVoteAccount: state.inValidatorSet,
    // Nodes have it since 4.1.
    ...(basisPoints !== null && hasBasisPoints && { inflationRewardsCommissionBps: basisPoints }),
    lastVote: state.lastVote,
    nodePubkey: state.identity,
    rootSlot: state.rootSlot,
    votePubkey: state.votePubkey,
  };
}

const productionParams = z.tuple([
  contextConfigSchema
    .extend({
      identity: addressSchema.optional(),
      range: z
        .object({ firstSlot: z.int().min(0), lastSlot: z.int().min(0).optional() })
        .optional(),
    })
    .optional(),
]);

export function getBlockProduction(view: View, params: unknown): object {
  const [config] = parseParams(productionParams, params);
  assertContextSlot(view, config);
  const { range, byIdentity } = view.blocks(config?.range);
  const asked = Object.entries(byIdentity).filter(
    ([identity]) => config?.identity === undefined || config.identity === identity,
  );
  return inContext(view.slot, { byIdentity: Object.fromEntries(asked), range });
}
