import { z } from "zod";
import type { Moment } from "./calendar.ts";
import type { Member } from "./cast.ts";
import { runsBam } from "./clients.ts";
import type { Cluster } from "./cluster.ts";
import { toJson } from "./json.ts";
import { exists } from "./lifecycle.ts";

/** Body of a POST; without an epoch the newest list is meant. */
const bodySchema = z.object({ epoch: z.int().min(0).max(65_535).optional() });

/** An answer of the vendor's API. */
export interface MevAnswer {
  status: number;
  body: string;
}

/** How the vendor fails, whatever the reason. */
export const MEV_FAILURE: MevAnswer = { status: 500, body: toJson({ validators: [] }) };

/**
 * The list of validators that run the vendor's client, of the running epoch or a closed one: each validator's newest record
 * of that epoch and the one before, so that who had MEV switched off in a closed epoch is on its list all the same. An epoch
 * that has not begun is a failure.
 * @param body of a POST as text; null: a GET
 */
export function answerMevValidators(cluster: Cluster, moment: Moment, body: string | null): MevAnswer {
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

/** The epoch of the story whose record the list shows; null: the validator is not in the list. */
function newestRecord({ mev }: Cluster, member: Member, ordinal: number, moment: Moment): number | null {
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
