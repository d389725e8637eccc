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

/**
 * The list of validators that run the vendor's client. The newest list has each validator's newest record of the running
 * epoch and the one before; the list of a closed epoch has that epoch's records. An epoch that has not begun fails as the
 * vendor fails: status 500 with an empty list.
 * @param body of a POST as text; null: a GET
 */
export function answerMevValidators(cluster: Cluster, moment: Moment, body: string | null): MevAnswer {
  const request = body === null || body === "" ? {} : parseBody(body);
  if (request === null) return { status: 400, body: toJson({ error: "invalid request body" }) };
  const epoch = request.epoch ?? moment.epoch;
  if (epoch > moment.epoch || epoch < cluster.options.firstEpoch - 1)
    return { status: 500, body: toJson({ validators: [] }) };

  const ordinal = epoch - cluster.options.firstEpoch;
  const validators = cluster.members.flatMap((member) => {
    const recorded = newestRecord(cluster, member, ordinal, moment);
    return recorded === null ? [] : [toRow(cluster, member, recorded, moment)];
  });
  return { status: 200, body: toJson({ validators }) };
}

/** The epoch of the story whose record the list shows; null: the validator is not in the list. */
function newestRecord({ mev }: Cluster, member: Member, ordinal: number, moment: Moment): number | null {
  if (mev.isCreated(member, ordinal, moment)) return ordinal;
  const closed = ordinal < moment.ordinal;
  return !closed && mev.isCreated(member, ordinal - 1, moment) && exists(member, moment) ? ordinal - 1 : null;
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
