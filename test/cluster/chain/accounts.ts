import { FEATURE_PROGRAM, SLOT_TIME_FEATURES } from "../../../generator/observe/issuance.ts";
import type { Authorities, Settlements } from "./authorities.ts";
import type { Moment } from "../calendar.ts";
import type { Member } from "./cast.ts";
import type { CommissionStory } from "./commissions.ts";
import { createInfoAccounts, type InfoAccount } from "./info-accounts.ts";
import { exists } from "./presence.ts";
import { createMevAccounts } from "./distribution-accounts.ts";
import type { MevStory } from "./mev-story.ts";
import type { NodeStory } from "./nodes.ts";
import type { Rewards } from "./rewards.ts";
import type { ChainAccount, World } from "../world.ts";
import { encodeVoteAccount, toVoteChainAccount } from "./vote-account.ts";

export const CONFIG_PROGRAM = "Config1111111111111111111111111111111111111";

export interface Lie {
  member: Member;
  basisPoints: number;
}

export interface Accounts {
  /** null: no such account. */
  at(address: string, moment: Moment, lie: Lie | null): ChainAccount | null;
  info: readonly InfoAccount[];
}

interface AccountStories {
  commissions: CommissionStory;
  mev: MevStory;
  nodes: NodeStory;
  authorities: Authorities;
  settlements: Settlements;
  rewards: Rewards;
}

/** Derives MEV addresses last, only when nothing else matches. */
export function createAccounts(
  world: World,
  { commissions, mev, nodes, authorities, settlements, rewards }: AccountStories,
): Accounts {
  const { random, members } = world;
  const membersByVote = new Map(members.map((member) => [member.vote.address, member]));
  const info = createInfoAccounts(world);
  const infoByAddress = new Map(info.map((account) => [account.address, account]));
  const mevAccounts = createMevAccounts(world, mev);

  function toVoteAccount(member: Member, moment: Moment, basisPoints: number): ChainAccount {
    const identity = nodes.identityAt(member, moment);
    const blsKey = Buffer.concat([
      random.bytes("bls", member.index),
      random.bytes("bls end", member.index),
    ]);
    const data = encodeVoteAccount({
      layout: member.layout,
      identity,
      withdrawer: authorities.at(member, moment),
      ...settlements.at(member, moment),
      basisPoints,
      blsKey: member.layout === "v4" ? blsKey : null,
    });
    return toVoteChainAccount(data);
  }

  function at(address: string, moment: Moment, lie: Lie | null): ChainAccount | null {
    const member = membersByVote.get(address);
    if (member !== undefined) {
      if (!exists(member, moment)) return null;
      const basisPoints =
        lie?.member === member ? lie.basisPoints : commissions.basisPointsAt(member, moment);
      return toVoteAccount(member, moment, basisPoints);
    }
    const infoAccount = infoByAddress.get(address);
    if (infoAccount !== undefined) return toInfoChainAccount(infoAccount);
    return (
      findSlotTimeFeature(world, address) ??
      rewards.at(address, moment) ??
      mevAccounts.at(address, moment)
    );
  }

  return { at, info };
}

export function toInfoChainAccount({ data }: InfoAccount): ChainAccount {
  return { owner: CONFIG_PROGRAM, lamports: 5_366_160n, data };
}

/** Active if the story's slots are at least as short as the feature makes them. */
function findSlotTimeFeature({ options }: World, address: string): ChainAccount | null {
  const found = SLOT_TIME_FEATURES.find(([feature]) => feature === address);
  if (found === undefined || found[1] * options.slotsPerEpoch < options.epochMilliseconds)
    return null;
  return {
    owner: FEATURE_PROGRAM,
    lamports: 953_520n,
    data: Buffer.from([1, 0, 0, 0, 0, 0, 0, 0, 0]),
  };
}
