import { decodePublicKey } from "../../chain/public-key.ts";

/** `[vote, activating, deactivating, stakeAccountCount]`; amounts in lamports. */
export type StakeRow = [string, bigint, bigint, number];

/** The vote accounts asked about: the place of each, by the bytes of its key as latin1 text. */
export type Voters = ReadonlyMap<string, number>;

/** What the delegations to each vote account come to, by its place. Lamports, modulo 2^64. */
export interface StakeSums {
  effective: BigUint64Array;
  activating: BigUint64Array;
  deactivating: BigUint64Array;
  /** Number of delegations. */
  counts: Uint32Array;
}

/** What is to be summed up. */
export interface StakeQuestion {
  voters: Voters;
  epoch: number;
}

/** Gives each vote account its place. */
export function indexVoters(votes: readonly string[]): Voters {
  return new Map(votes.map((vote, place) => [Buffer.from(decodePublicKey(vote)).toString("latin1"), place]));
}

/** Sums of nothing. */
export function createStakeSums({ size }: Voters): StakeSums {
  return {
    effective: new BigUint64Array(size),
    activating: new BigUint64Array(size),
    deactivating: new BigUint64Array(size),
    counts: new Uint32Array(size),
  };
}

/** Adds the sums of a part of the accounts to those of the others. */
export function addSums(total: StakeSums, part: StakeSums): void {
  addEach(total.effective, part.effective);
  addEach(total.activating, part.activating);
  addEach(total.deactivating, part.deactivating);
  part.counts.forEach((count, place) => (total.counts[place] = (total.counts[place] ?? 0) + count));
}

/** One row for each vote account, in the order they were indexed in, also for those without a delegation. */
export function toStakeRows(votes: readonly string[], { activating, deactivating, counts }: StakeSums): StakeRow[] {
  return votes.map((vote, place) => [vote, activating[place] ?? 0n, deactivating[place] ?? 0n, counts[place] ?? 0]);
}

function addEach(total: BigUint64Array, part: BigUint64Array): void {
  part.forEach((stake, place) => {
    if (stake > 0n) total[place] = (total[place] ?? 0n) + stake;
  });
}
