import { VOTE_PROGRAM } from "../../generator/chain/program-address.ts";
import { key } from "./fixtures.ts";
import type { Methods } from "../rpc/rpc-server.ts";

export const GENESIS = key(77);
export const EPOCH = 1053;
export const SLOT = 455_000_123;

export const EPOCH_INFO = {
  absoluteSlot: SLOT,
  blockHeight: 433_000_000,
  epoch: EPOCH,
  slotIndex: 104_123,
  slotsInEpoch: 432_000,
};

const RUNNING = { firstSlot: SLOT - EPOCH_INFO.slotIndex, lastSlot: SLOT };

/** Of the epoch before, all slots. */
export const CLOSED_EPOCH = {
  epoch: EPOCH - 1,
  firstSlot: RUNNING.firstSlot - EPOCH_INFO.slotsInEpoch,
  lastSlot: RUNNING.firstSlot - 1,
};

export const voteRow = (vote: number, fields: Record<string, unknown> = {}) => ({
  votePubkey: key(vote),
  nodePubkey: key(vote + 100),
  activatedStake: 5_000_000_000n,
  commission: 8,
  inflationRewardsCommissionBps: 750,
  epochVoteAccount: true,
  epochCredits: [[EPOCH, 1150, 1000]],
  lastVote: SLOT - 2,
  rootSlot: SLOT - 33,
  ...fields,
});

/** Layout v4, as getMultipleAccounts answers it. */
export function voteAccount(basisPoints: number) {
  const data = Buffer.alloc(193);
  data.writeUInt32LE(3, 0);
  data.writeUInt16LE(basisPoints, 132);
  data.writeUInt16LE(10_000, 134);
  return { owner: VOTE_PROGRAM, data: [data.toString("base64"), "base64"], lamports: 1 };
}

/** All of the vote account's stake, active since epoch 900. */
export function stakeAccount(vote: number) {
  const data = Buffer.alloc(56, vote);
  data.writeBigUInt64LE(5_000_000_000n, 32);
  data.writeBigUInt64LE(900n, 40);
  data.writeBigUInt64LE(2n ** 64n - 1n, 48);
  return { pubkey: key(200), account: { data: [data.toString("base64"), "base64"] } };
}

/** A healthy node; of its validators 1 and 2 the second is delinquent. */
export function healthyNode(): Methods {
  return {
    getGenesisHash: GENESIS,
    getHealth: "ok",
    getEpochInfo: EPOCH_INFO,
    getVoteAccounts: { current: [voteRow(1)], delinquent: [voteRow(2, { lastVote: SLOT - 900 })] },
    getClusterNodes: [
      { pubkey: key(101), gossip: "81.2.69.142:8001", version: "4.2.1", clientId: "JitoLabs" },
    ],
    getBlockProduction: ([{ range = RUNNING }]: [{ range?: typeof RUNNING }]) => ({
      context: { slot: SLOT },
      value: { byIdentity: { [key(101)]: [8, 7], [key(9)]: [4, 4] }, range },
    }),
    getProgramAccounts: ([program]: [string]) =>
      program.startsWith("Stake")
        ? { context: { slot: SLOT }, value: [stakeAccount(1), stakeAccount(2)] }
        : [],
    getAgGenesisCert: null,
    getMultipleAccounts: ([keys]: [string[]]) => ({
      context: { slot: SLOT },
      value: keys.map(() => null),
    }),
  };
}
