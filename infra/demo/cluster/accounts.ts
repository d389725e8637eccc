import { VOTE_PROGRAM } from "../../../generator/chain/programs.ts";
import type { Authorities } from "./authorities.ts";
import type { Moment } from "./calendar.ts";
import type { Member } from "./cast.ts";
import type { ChainAccount } from "./chain-account.ts";
import type { CommissionStory } from "./commission-story.ts";
import { createInfoAccounts, type InfoAccount } from "./info-accounts.ts";
import { exists } from "./lifecycle.ts";
import { createMevAccounts } from "./mev-accounts.ts";
import type { MevStory } from "./mev-story.ts";
import type { NodeStory } from "./node-story.ts";
import type { Settlements } from "./settlements.ts";
import { encodeVoteAccount } from "./vote-account.ts";
import type { World } from "./world.ts";

export const CONFIG_PROGRAM = "Config1111111111111111111111111111111111111";

/** A commission that an endpoint makes up: not what the chain says. */
export interface Lie {
  member: Member;
  basisPoints: number;
}

/** The accounts that can be read by address, and those of the Config program. */
export interface Accounts {
  /** @param lie what an endpoint that lies says of one vote account @returns null when there is no such account */
  at(address: string, moment: Moment, lie: Lie | null): ChainAccount | null;
  info: readonly InfoAccount[];
}

/** What decides what the accounts hold. */
export interface AccountStories {
  commissions: CommissionStory;
  mev: MevStory;
  nodes: NodeStory;
  authorities: Authorities;
  settlements: Settlements;
}

const RENT_LAMPORTS = 27_074_400n;
/** Pays for the ticket into the validator set, which costs 1.6 SOL an epoch once Alpenglow runs. */
const BALANCE_LAMPORTS = 5_000_000_000n;

/** Builds the accounts; those of MEV are looked for only when an address is asked for that is nothing else. */
export function createAccounts(
  world: World,
  { commissions, mev, nodes, authorities, settlements }: AccountStories,
): Accounts {
  const { random, members } = world;
  const membersByVote = new Map(members.map((member) => [member.vote.address, member]));
  const info = createInfoAccounts(world);
  const infoByAddress = new Map(info.map((account) => [account.address, account]));
  const mevAccounts = createMevAccounts(world, mev);

  function toVoteAccount(member: Member, moment: Moment, basisPoints: number): ChainAccount {
    const identity = nodes.identityAt(member, moment);
    const blsKey = Buffer.concat([random.bytes("bls", member.index), random.bytes("bls end", member.index)]);
    const data = encodeVoteAccount({
      layout: member.layout,
      identity,
      withdrawer: authorities.at(member, moment),
      ...settlements.at(member, moment),
      basisPoints,
      blsKey: member.layout === "v4" ? blsKey : null,
    });
    return { owner: VOTE_PROGRAM, lamports: RENT_LAMPORTS + BALANCE_LAMPORTS, data };
  }

  function at(address: string, moment: Moment, lie: Lie | null): ChainAccount | null {
    const member = membersByVote.get(address);
    if (member !== undefined) {
      if (!exists(member, moment)) return null;
      const basisPoints = lie?.member === member ? lie.basisPoints : commissions.basisPointsAt(member, moment);
      return toVoteAccount(member, moment, basisPoints);
    }
    const infoAccount = infoByAddress.get(address);
    if (infoAccount !== undefined) return toInfoChainAccount(infoAccount);
    return mevAccounts.at(address, moment);
  }

  return { at, info };
}

/** An info account as a node holds it. */
export function toInfoChainAccount({ data }: InfoAccount): ChainAccount {
  return { owner: CONFIG_PROGRAM, lamports: 5_366_160n, data };
}
