import { VOTE_ACCOUNT_SLICE_BYTES } from "../../generator/observe/accounts.ts";
import { encodeVoteAccount, NO_KEY, toVoteChainAccount } from "../cluster/chain/vote-account.ts";
import { inContext, toAccount } from "../cluster/rpc/accounts.ts";
import { toVoteRow } from "../cluster/rpc/votes.ts";
import { delegation, toRow } from "./stakes/stakes.ts";
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

/** A row of a validator with 7.5 %, as nodes since 4.1 write it. */
export const voteRow = (vote: number, fields: Record<string, unknown> = {}) => {
  const state = {
    votePubkey: key(vote),
    identity: key(vote + 100),
    activatedStake: 5_000_000_000n,
    basisPoints: 750,
    inValidatorSet: true,
    epochCredits: [[EPOCH, 1150, 1000]],
    lastVote: SLOT - 2,
    rootSlot: SLOT - 33,
  };
  return { ...toVoteRow(state, { toPercent: Math.ceil, hasBasisPoints: true }), ...fields };
};

/** Layout v4, as getMultipleAccounts answers it. */
export function voteAccount(basisPoints: number) {
  const data = encodeVoteAccount({
    layout: "v4",
    ...{ identity: NO_KEY, withdrawer: NO_KEY, collector: NO_KEY },
    basisPoints,
    blockRevenueBasisPoints: 10_000,
    blsKey: null,
  });
  return toAccount(toVoteChainAccount(data), { offset: 0, length: VOTE_ACCOUNT_SLICE_BYTES });
}

/** All of the vote account's stake, active since epoch 900. */
export function stakeAccount(vote: number) {
  return toRow(delegation({ vote: key(vote), stake: 5_000_000_000n }), 200);
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
    getBlockProduction: ([{ range = RUNNING }]: [{ range?: typeof RUNNING }]) =>
      inContext(SLOT, { byIdentity: { [key(101)]: [8, 7], [key(9)]: [4, 4] }, range }),
    getProgramAccounts: ([program]: [string]) =>
      program.startsWith("Stake") ? inContext(SLOT, [stakeAccount(1), stakeAccount(2)]) : [],
    getAgGenesisCert: null,
    getMultipleAccounts: ([keys]: [string[]]) =>
      inContext(
        SLOT,
        keys.map(() => null),
      ),
  };
}
