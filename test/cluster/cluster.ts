import type { Network } from "../../generator/contract/networks.ts";
import { createAccounts, type Accounts } from "./chain/accounts.ts";
import { createAuthorities, type Authorities, createSettlements } from "./chain/authorities.ts";
import type { Calendar, Moment } from "./calendar.ts";
import type { Member } from "./chain/cast.ts";
import { createCommissionStory, type CommissionStory } from "./chain/commissions.ts";
import {
  createCredits,
  migrationEpochOf,
  type CreditsRow,
  exists,
  createOutages,
  DELINQUENT_SLOT_DISTANCE,
  type Outages,
} from "./chain/presence.ts";
import { createMevStory, type MevStory } from "./chain/mev-story.ts";
import { createNodeStory, type NodeState, type NodeStory } from "./chain/nodes.ts";
import { remember, createWorld } from "./world.ts";
import { toClusterOptions, type ClusterOptions, type ClusterRequest } from "./options.ts";
import { listPlannedChanges, type PlannedChange } from "./chain/planned-changes.ts";
import { createRewards, type Rewards } from "./chain/rewards.ts";
import { createStakeProgram, type StakeProgram } from "./chain/stake-program.ts";
import { createStakes, type Stakes } from "./chain/stakes.ts";
import { createArchive, type Archive, type TransactionSource } from "./transactions/archive.ts";
import { createDeceits } from "./transactions/deceits.ts";

export interface ValidatorState {
  member: Member;
  votePubkey: string;
  identity: string;
  /** May exceed 10000. */
  basisPoints: number;
  activatedStake: bigint;
  inValidatorSet: boolean;
  delinquent: boolean;
  lastVote: number;
  rootSlot: number;
}

export interface ClusterState {
  moment: Moment;
  validators: readonly ValidatorState[];
  /** One row per identity. */
  nodes: readonly NodeState[];
}

/** Pure in its options and story time. Caches never change an answer. */
export interface Cluster {
  options: ClusterOptions;
  genesisHash: string;
  migrationEpoch: number | null;
  calendar: Calendar;
  members: readonly Member[];
  /** @param timeMilliseconds before the start the first slot stands */
  at(timeMilliseconds: number): ClusterState;
  atMoment(moment: Moment): ClusterState;
  creditsAt(member: Member, moment: Moment): CreditsRow[];
  authorities: Authorities;
  commissions: CommissionStory;
  mev: MevStory;
  nodes: NodeStory;
  outages: Outages;
  stakes: Stakes;
  rewards: Rewards;
  accounts: Accounts;
  transactions: Archive;
  /** An endpoint's lie; null: the truth. */
  falseTransactionsAt(moment: Moment): TransactionSource | null;
  stakeProgram: StakeProgram;
  /** @param throughEpoch included */
  plannedChanges(throughEpoch: number): PlannedChange[];
  /** So that a test measures the caller. */
  prepare(timeMilliseconds: number): void;
}

/** Careful readers pin the real ones. */
const GENESIS_HASHES: Record<Network, string> = {
  mainnet: "5eykt4UsFv8P8NJdTREpY1vzqKqZKvdpKuc147dw2N9d",
  testnet: "4uhcVJyU9pJkvQyS88uRDiswHXSCkY3zQawwpjk2NsNY",
  alpenglow: "ALpenGLowSimuLatedGenesisHashxxxxxxxxxxxxxxx",
};

/** A full tower, or Alpenglow's finalisation. */
const ROOT_DISTANCE = { tower: 31, alpenglow: 8 };

export function createCluster(request: ClusterRequest): Cluster {
  const options = toClusterOptions(request);
  const world = createWorld(options);
  const migrationEpoch = migrationEpochOf(world);
  const commissions = createCommissionStory(world);
  const mev = createMevStory(world);
  const nodes = createNodeStory(world);
  const outages = createOutages(world);
  const authorities = createAuthorities(world);
  const settlements = createSettlements(world);
  const stakes = createStakes(world);
  const stakeProgram = createStakeProgram(world, stakes);
  const transactions = createArchive(world, { authorities, commissions, settlements });
  const creditsAt = createCredits(world, outages);
  const rewards = createRewards(world, { stakes, commissions, creditsAt });
  const rootDistance = migrationEpoch === null ? ROOT_DISTANCE.tower : ROOT_DISTANCE.alpenglow;

  function toValidator(member: Member, moment: Moment): ValidatorState {
    const lastVote = outages.lastVoteAt(member, moment);
    return {
      member,
      votePubkey: member.vote.address,
      identity: nodes.identityAt(member, moment).address,
      basisPoints: commissions.basisPointsAt(member, moment),
      activatedStake: stakes.of(member, moment.ordinal).active,
      inValidatorSet: stakes.isInSet(member, moment.ordinal),
      delinquent: lastVote <= moment.slot - DELINQUENT_SLOT_DISTANCE,
      lastVote,
      rootSlot: lastVote - rootDistance,
    };
  }

  const stateAtSlot = remember((slot): ClusterState => {
    const moment = world.calendar.momentOfSlot(slot);
    const present = world.members.filter((member) => exists(member, moment));
    return {
      moment,
      validators: present.map((member) => toValidator(member, moment)),
      get nodes() {
        return toNodes(present, moment, nodes);
      },
    };
  });

  return {
    options,
    genesisHash: GENESIS_HASHES[options.network],
    migrationEpoch,
    calendar: world.calendar,
    members: world.members,
    at: (timeMilliseconds) => stateAtSlot(world.calendar.momentAt(timeMilliseconds).slot),
    atMoment: ({ slot }) => stateAtSlot(slot),
    creditsAt,
    authorities,
    commissions,
    mev,
    nodes,
    outages,
    stakes,
    rewards,
    accounts: createAccounts(world, {
      ...{ commissions, mev, nodes, authorities, settlements, rewards },
    }),
    transactions,
    falseTransactionsAt: createDeceits(world, authorities, transactions),
    stakeProgram,
    plannedChanges: (throughEpoch) => listPlannedChanges(world, { commissions, mev }, throughEpoch),
    prepare: (timeMilliseconds) => stakeProgram.prepare(world.calendar.momentAt(timeMilliseconds)),
  };
}

function toNodes(present: readonly Member[], moment: Moment, nodes: NodeStory): NodeState[] {
  const byIdentity = new Map<string, NodeState>();
  for (const member of present) {
    const node = nodes.nodeAt(member, moment);
    if (node !== null && !byIdentity.has(node.identity)) byIdentity.set(node.identity, node);
  }
  return [...byIdentity.values()];
}
