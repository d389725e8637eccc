import { z } from "zod";
import type { ValidatorState, Cluster } from "../cluster.ts";
import { type CreditsRow, DELINQUENT_SLOT_DISTANCE } from "../chain/presence.ts";
import type { View } from "./endpoints.ts";
import {
  toJson,
  addressSchema,
  contextConfigSchema,
  parseParams,
  RpcError,
  assertContextSlot,
} from "./params.ts";
import { U64_MAX } from "../chain/stakes.ts";
import type { Member } from "../chain/cast.ts";

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

/** Nodes round differently, by version. */
const ROUNDING = { first: Math.ceil, second: Math.floor, lagging: Math.floor } as const;
const PERCENT_MAX = 255;

/** Unstaked non-voters are left out unless asked for. */
export function getVoteAccounts(view: View, params: unknown): string {
  const [config] = parseParams(voteParams, params);
  const distance = config?.delinquentSlotDistance ?? DELINQUENT_SLOT_DISTANCE;
  const isDelinquent = ({ lastVote }: ValidatorState) =>
    lastVote <= view.state.moment.slot - distance;
  const asked = view.state.validators.filter(
    ({ votePubkey }) => config?.votePubkey === undefined || votePubkey === config.votePubkey,
  );
  const delinquent = asked.filter(
    (validator) =>
      isDelinquent(validator) &&
      (validator.activatedStake > 0n || config?.keepUnstakedDelinquents === true),
  );
  return toJson({
    current: asked
      .filter((validator) => !isDelinquent(validator))
      .map((validator) => toRow(validator, view)),
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
    // Nodes have it since 4.1.
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

/** Consecutive slots of a leader. */
const LEADER_SPAN = 4;

const REMEMBERED_EPOCHS = 2;

export function getBlockProduction(view: View, params: unknown): string {
  const [config] = parseParams(productionParams, params);
  assertContextSlot(view, config);
  const { cluster, state } = view;
  const { slot, epoch } = state.moment;
  const firstSlot = config?.range?.firstSlot ?? cluster.calendar.firstSlotOf(epoch);
  const lastSlot = config?.range?.lastSlot ?? slot;
  assertRange(cluster, { firstSlot, lastSlot, slot });

  const byIdentity: Record<string, [number, number]> = {};
  for (const member of cluster.members) {
    for (const { identity, leaderSlots, blocks } of productionOf(
      cluster,
      member,
      firstSlot,
      lastSlot,
    )) {
      if (leaderSlots === 0 || (config?.identity !== undefined && config.identity !== identity))
        continue;
      const [slotsBefore, blocksBefore] = byIdentity[identity] ?? [0, 0];
      byIdentity[identity] = [slotsBefore + leaderSlots, blocksBefore + blocks];
    }
  }
  return toJson({
    context: { apiVersion: "4.2.1", slot },
    value: { byIdentity, range: { firstSlot, lastSlot } },
  });
}

/** A leader schedule names the identity at the epoch's start. */
function* productionOf(cluster: Cluster, member: Member, firstSlot: number, lastSlot: number) {
  const { calendar } = cluster;
  const last = calendar.momentOfSlot(lastSlot);
  for (let { epoch } = calendar.momentOfSlot(firstSlot); epoch <= last.epoch; epoch++) {
    const start = calendar.firstSlotOf(epoch);
    const from = Math.max(firstSlot - start, 0);
    const to = Math.min(lastSlot - start + 1, calendar.schedule.slotsPerEpoch);
    const before = leaderSlotsUntil(cluster, member, epoch, from);
    const after = leaderSlotsUntil(cluster, member, epoch, to);
    const identity = cluster.nodes.identityAt(member, calendar.momentOfSlot(start)).address;
    const blocks = Math.floor(after * member.quality) - Math.floor(before * member.quality);
    yield {
      identity,
      leaderSlots: after - before,
      blocks: member.life.role === "silent" ? 0 : blocks,
    };
  }
}

function leaderSlotsUntil(
  { options, stakes }: Cluster,
  member: Member,
  epoch: number,
  slots: number,
): number {
  const ordinal = epoch - options.firstEpoch;
  if (!stakes.isInSet(member, ordinal)) return 0;
  const share = Number(stakes.of(member, ordinal).active) / Number(stakes.totalOf(ordinal));
  return (
    LEADER_SPAN *
    Math.floor((share * slots) / LEADER_SPAN + (slots === 0 ? 0 : member.quality % 0.1))
  );
}

function assertRange(
  { calendar, options }: Cluster,
  range: { firstSlot: number; lastSlot: number; slot: number },
): void {
  const { firstSlot, lastSlot, slot } = range;
  const oldest = calendar.firstSlotOf(
    Math.max(calendar.momentOfSlot(slot).epoch - REMEMBERED_EPOCHS, options.firstEpoch),
  );
  if (firstSlot < oldest)
    throw new RpcError("invalidParams", `firstSlot, ${firstSlot}, is too small; min ${oldest}`);
  if (lastSlot > slot)
    throw new RpcError("invalidParams", `lastSlot, ${lastSlot}, is too large; max ${slot}`);
  if (lastSlot < firstSlot)
    throw new RpcError(
      "invalidParams",
      `lastSlot, ${lastSlot}, cannot be less than firstSlot, ${firstSlot}`,
    );
}
