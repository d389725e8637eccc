import { z } from "zod";
import type { Moment } from "../calendar.ts";
import type { Member } from "../chain/cast.ts";
import { runsBam } from "../chain/nodes.ts";
import type { Cluster } from "../cluster.ts";
import { toJson } from "./json.ts";
import { exists, bornInOrdinal } from "../chain/presence.ts";

const bodySchema = z.object({ epoch: z.int().min(0).max(65_535).optional() });

export interface MevAnswer {
  status: number;
  body: string;
}

/** The vendor fails alike for every reason. */
const MEV_FAILURE: MevAnswer = { status: 500, body: toJson({ validators: [] }) };

/**
 * A validator that disabled MEV in a closed epoch is still listed. A future epoch fails.
 * @param body null: a GET
 */
export function answerMevValidators(
  cluster: Cluster,
  moment: Moment,
  body: string | null,
): MevAnswer {
  if (isOut(cluster, moment)) return MEV_FAILURE;
  const request = body === null || body === "" ? {} : parseBody(body);
  if (request === null) return { status: 400, body: toJson({ error: "invalid request body" }) };
  const epoch = request.epoch ?? moment.epoch;
  if (epoch > moment.epoch || epoch < cluster.options.firstEpoch - 1) return MEV_FAILURE;

  const ordinal = epoch - cluster.options.firstEpoch;
  const validators = cluster.members.flatMap((member) => {
    const recorded = newestRecord(cluster, member, ordinal, moment);
    return recorded === null ? [] : [toRow(cluster, member, recorded, moment)];
  });
  return { status: 200, body: toJson({ validators }) };
}

function isOut({ options }: Cluster, { epoch }: Moment): boolean {
  const [from, to] = options.mevOutageEpochs ?? [Infinity, Infinity];
  return epoch >= from && epoch <= to;
}

function newestRecord(
  { mev }: Cluster,
  member: Member,
  ordinal: number,
  moment: Moment,
): number | null {
  if (mev.isCreated(member, ordinal, moment)) return ordinal;
  return mev.isCreated(member, ordinal - 1, moment) && exists(member, moment) ? ordinal - 1 : null;
}

function toRow(cluster: Cluster, member: Member, ordinal: number, moment: Moment) {
  const { mev, nodes, stakes } = cluster;
  return {
    identity_account: nodes.identityAt(member, moment).address,
    vote_account: member.vote.address,
    mev_commission_bps: mev.basisPointsOf(member, ordinal),
    mev_rewards: ordinal < moment.ordinal ? mev.rewardsOf(member, ordinal) : 0,
    priority_fee_commission_bps: mev.priorityFeeBasisPointsOf(member),
    priority_fee_rewards: 0,
    running_jito: true,
    running_bam: member.index % 11 === 7 ? null : runsBam(member),
    active_stake: stakes.of(member, Math.max(ordinal, 0)).active,
    jito_directed_stake_target: false,
    jito_directed_stake_lamports: 0,
  };
}

function parseBody(body: string): z.output<typeof bodySchema> | null {
  try {
    return bodySchema.parse(JSON.parse(body));
  } catch (error) {
    if (error instanceof SyntaxError || error instanceof z.ZodError) return null;
    throw error;
  }
}

/** The on-chain record is a ring. */
const RING_EPOCHS = 512;
const EPOCHS_BEFORE_STORY = 60;
/** The vendor samples vote accounts no later: it misses a flip over the boundary. */
const SAMPLED_AT_FRACTION = 0.9;

const UNSET = {
  u8: 255,
  u16: 65_535,
  u32: 4_294_967_295,
  u64: 18_446_744_073_709_551_615n,
} as const;

/** In ring order. Without a record the vendor answers 500 and an empty one. */
export function answerValidatorHistory(cluster: Cluster, moment: Moment, vote: string): MevAnswer {
  const member = cluster.members.find((one) => one.vote.address === vote);
  if (member === undefined || !isRecorded(member))
    return { status: 500, body: toJson(toRecord("", [])) };
  const first = Math.max(-EPOCHS_BEFORE_STORY, moment.ordinal - RING_EPOCHS + 1);
  const ordinals = Array.from({ length: moment.ordinal - first + 1 }, (_, index) => first + index);
  const rows = ordinals.flatMap((ordinal) => toHistoryRow(cluster, member, ordinal, moment) ?? []);
  rows.sort((a, b) => (a.epoch % RING_EPOCHS) - (b.epoch % RING_EPOCHS));
  return { status: 200, body: toJson(toRecord(vote, rows)) };
}

/** The program adds nobody without stake. */
function isRecorded({ life }: Member): boolean {
  return life.role !== "ghost" && life.role !== "unstaked";
}

function toRecord(vote: string, history: object[]) {
  return {
    struct_version: 0,
    vote_account: vote,
    index: 0,
    last_ip_timestamp: 0,
    last_version_timestamp: 0,
    validator_age: history.length,
    validator_age_last_updated_epoch: 0,
    history,
  };
}

function toHistoryRow(cluster: Cluster, member: Member, ordinal: number, moment: Moment) {
  if (!wasThere(cluster, member, ordinal, moment)) return null;
  const { commissions, mev, stakes, options } = cluster;
  const basisPoints = commissions.basisPointsIn(
    member,
    ordinal,
    Math.min(SAMPLED_AT_FRACTION, fractionOf(ordinal, moment)),
  );
  const { active } = stakes.of(member, ordinal);
  return {
    activated_stake_lamports: active,
    epoch: options.firstEpoch + ordinal,
    mev_commission: mevOf(cluster, member, ordinal, moment) ?? UNSET.u16,
    epoch_credits: ordinal === moment.ordinal ? UNSET.u32 : 6_500_000,
    commission: Math.min(Math.floor(basisPoints / 100), UNSET.u8 - 1),
    client_type_id: UNSET.u8,
    client_type: "Other",
    version: "255.255.65535",
    ip: "255.255.255.255",
    merkle_root_upload_authority: "Unset",
    is_superminority: UNSET.u8,
    rank: cluster.members.filter((other) => stakes.of(other, ordinal).active > active).length,
    vote_account_last_update_slot: UNSET.u64,
    mev_earned: UNSET.u32,
    priority_fee_commission: mev.priorityFeeBasisPointsOf(member),
    priority_fee_tips: UNSET.u64,
    total_priority_fees: UNSET.u64,
    total_leader_slots: UNSET.u32,
    blocks_produced: UNSET.u32,
    block_data_updated_at_slot: UNSET.u64,
    priority_fee_merkle_root_upload_authority: "Unset",
  };
}

function wasThere(
  { calendar, options }: Cluster,
  member: Member,
  ordinal: number,
  moment: Moment,
): boolean {
  const birth = bornInOrdinal(member);
  if (ordinal < 0) return birth === null;
  const start = calendar.firstSlotOf(options.firstEpoch + ordinal);
  const sampled = start + calendar.slotIndexAt(SAMPLED_AT_FRACTION);
  return exists(member, calendar.momentOfSlot(Math.min(sampled, moment.slot)));
}

function fractionOf(ordinal: number, moment: Moment): number {
  return ordinal < moment.ordinal ? 1 : moment.position - moment.ordinal;
}

function mevOf({ mev }: Cluster, member: Member, ordinal: number, moment: Moment): number | null {
  if (ordinal >= 0 && !mev.isCreated(member, ordinal, moment)) return null;
  return mev.basisPointsOf(member, ordinal);
}
