import { decodePublicKey } from "../../chain/public-key.ts";
import { STAKE_STATES, type StakeState } from "../../contract/wallets.ts";
import { createLargestStakes, type LargestStakes } from "./largest-stakes.ts";
import { createStakeRecords, type StakeRecords } from "./stake-records.ts";

/** Sums of the accounts added so far. */
export interface StakeTally {
  /** false: another length, or the account before it has no key. */
  add(bytes: Uint8Array, start: number, end: number): boolean;
  sums: StakeSums;
}

/** Voter, stake, activation, deactivation. */
export const DELEGATION_OFFSET = 124;
const DELEGATION_BYTES = 56;
const VOTER_BYTES = 32;
/** Within the delegation. */
export const STAKE_OFFSET = 32;
/** Within the delegation. */
export const ACTIVATION_OFFSET = 40;
/** Within the delegation. */
export const DEACTIVATION_OFFSET = 48;
const WITHDRAWER_OFFSET = 44;

/** Records begin at the withdraw authority. */
export function toSlice({ withRecords = false }: Pick<StakeQuestion, "withRecords">): {
  offset: number;
  length: number;
} {
  const offset = withRecords ? WITHDRAWER_OFFSET : DELEGATION_OFFSET;
  return { offset, length: DELEGATION_OFFSET + DELEGATION_BYTES - offset };
}

const PADDING = 0x3d;
const INVALID = 0xff;
const TWO_TO_32 = 2 ** 32;
const U32_MAX = TWO_TO_32 - 1;

/**
 * Sums delegations as of epoch E; each takes effect or ends whole at the end of its epoch.
 * - effective: activated before E, deactivated in E or later
 * - activating: activation is E, deactivation later
 * - deactivating: deactivation is E, after activation
 * - counted: activation ≠ deactivation, deactivation in E or later
 * Activation of u64::MAX marks genesis stake. Unknown voters are left out, so
 * a hostile answer cannot fill the memory. Epochs are compared in two halves:
 * a bigint for each of a million accounts costs more than everything else.
 * @param voterByte first byte of every voter, when only those were asked for
 */
export function createStakeTally(question: StakeQuestion, voterByte?: number): StakeTally {
  const { voters, epoch } = question;
  const sums = createStakeSums(question);
  const { effective, activating, deactivating, counts, records, largest } = sums;
  const slice = toSlice(question);
  const textLength = Math.ceil(slice.length / 3) * 4;
  const paddings = textLength - Math.ceil((slice.length * 4) / 3);
  const voterAt = DELEGATION_OFFSET - slice.offset;
  const data = Buffer.alloc(slice.length);
  const delegation = data.subarray(voterAt);
  const view = new DataView(delegation.buffer, delegation.byteOffset, DELEGATION_BYTES);
  const now = toHalves(epoch);
  const before = toHalves(epoch - 1);

  /** Whether the account was active in all of the epoch before, and still is. */
  function isRewarded(): boolean {
    if (isNeverActive(view) || compareEpoch(view, DEACTIVATION_OFFSET, now) < 0) return false;
    return isGenesis(view) || compareEpoch(view, ACTIVATION_OFFSET, before) < 0;
  }

  return {
    add(bytes, start, end) {
      if (end - start !== textLength) return false;
      for (let at = end - paddings; at < end; at++) if (bytes[at] !== PADDING) return false;
      if (!decodeBase64(bytes, start, data)) return false;
      if (voterByte !== undefined && delegation[0] !== voterByte) return false;
      if (
        records?.addAccount({ data, withdrawerAt: 0, voterAt, state: toState(view, now) }) === false
      )
        return false;
      const voterIndex = voters.get(delegation.toString("latin1", 0, VOTER_BYTES));
      const rewarded =
        largest !== null && voterIndex !== undefined && isRewarded() ? voterIndex : null;
      if (largest?.addAccount(rewarded, toNumber(view, STAKE_OFFSET)) === false) return false;
      if (voterIndex === undefined || isNeverActive(view)) return true;
      const activation = isGenesis(view) ? -1 : compareEpoch(view, ACTIVATION_OFFSET, now);
      const deactivation = compareEpoch(view, DEACTIVATION_OFFSET, now);
      if (deactivation < 0) return true;
      counts[voterIndex] = (counts[voterIndex] ?? 0) + 1;
      if (activation < 0) addStake(effective, voterIndex, view);
      if (activation === 0) addStake(activating, voterIndex, view);
      if (activation < 0 && deactivation === 0) addStake(deactivating, voterIndex, view);
      return true;
    },
    sums,
  };
}

function toHalves(epoch: number): { high: number; low: number } {
  return { high: Math.floor(epoch / TWO_TO_32), low: epoch % TWO_TO_32 };
}

/** A u64 as the nearest number. */
function toNumber(view: DataView, offset: number): number {
  return view.getUint32(offset + 4, true) * TWO_TO_32 + view.getUint32(offset, true);
}

function toState(view: DataView, now: { high: number; low: number }): number {
  const deactivation = compareEpoch(view, DEACTIVATION_OFFSET, now);
  if (isNeverActive(view) || deactivation < 0) return INACTIVE;
  if (!isGenesis(view) && compareEpoch(view, ACTIVATION_OFFSET, now) >= 0) return ACTIVATING;
  return deactivation === 0 ? DEACTIVATING : ACTIVE;
}

const [ACTIVATING, ACTIVE, DEACTIVATING, INACTIVE] = (
  ["activating", "active", "deactivating", "inactive"] satisfies StakeState[]
).map((state) => STAKE_STATES.indexOf(state)) as [number, number, number, number];

function compareEpoch(
  view: DataView,
  offset: number,
  present: { high: number; low: number },
): number {
  const high = view.getUint32(offset + 4, true) - present.high;
  return high !== 0 ? high : view.getUint32(offset, true) - present.low;
}

/** Deactivated in its activation epoch: never counts. */
function isNeverActive(view: DataView): boolean {
  return (
    view.getUint32(ACTIVATION_OFFSET, true) === view.getUint32(DEACTIVATION_OFFSET, true) &&
    view.getUint32(ACTIVATION_OFFSET + 4, true) === view.getUint32(DEACTIVATION_OFFSET + 4, true) &&
    !isGenesis(view)
  );
}

function isGenesis(view: DataView): boolean {
  return (
    view.getUint32(ACTIVATION_OFFSET + 4, true) === U32_MAX &&
    view.getUint32(ACTIVATION_OFFSET, true) === U32_MAX
  );
}

function addStake(sums: BigUint64Array, voterIndex: number, view: DataView): void {
  // asUintN lets V8 add without a bigint on the heap.
  sums[voterIndex] = BigInt.asUintN(
    64,
    (sums[voterIndex] ?? 0n) + view.getBigUint64(STAKE_OFFSET, true),
  );
}

const ALPHABET = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
const VALUES = Uint8Array.from({ length: 256 }, (_, code) => {
  const value = ALPHABET.indexOf(String.fromCharCode(code));
  return value === -1 ? INVALID : value;
});

/** 75 characters to 56 bytes, without padding. */
function decodeBase64(bytes: Uint8Array, start: number, into: Uint8Array): boolean {
  const { length } = into;
  let position = start;
  let seen = 0;
  for (let to = 0; to < length; to += 3) {
    const a = valueAt(bytes, position);
    const b = valueAt(bytes, position + 1);
    const c = to + 1 < length ? valueAt(bytes, position + 2) : 0;
    const d = to + 2 < length ? valueAt(bytes, position + 3) : 0;
    seen |= a | b | c | d;
    into[to] = (a << 2) | (b >> 4);
    into[to + 1] = (b << 4) | (c >> 2);
    into[to + 2] = (c << 6) | d;
    position += 4;
  }
  // Only an invalid character sets a bit above six.
  return seen < 64;
}

function valueAt(bytes: Uint8Array, position: number): number {
  return VALUES[bytes[position] ?? 0] ?? INVALID;
}

/** `[vote, activating, deactivating, stakeAccountCount]`; lamports. */
export type StakeRow = [string, bigint, bigint, number];

/** By the key's bytes as latin1 text. */
export type Voters = ReadonlyMap<string, number>;

/** Lamports, modulo 2^64, by index of the vote account. */
export interface StakeSums {
  effective: BigUint64Array;
  activating: BigUint64Array;
  deactivating: BigUint64Array;
  counts: Uint32Array;
  records: StakeRecords | null;
  largest: LargestStakes | null;
}

/** Whose stake to sum, and as of which epoch. */
export interface StakeQuestion {
  voters: Voters;
  epoch: number;
  /** Whether to keep the accounts too. */
  withRecords?: boolean;
  /** Whether to find the largest that were active in all of the epoch before. */
  withLargest?: boolean;
}

/** Indexes of vote accounts, in the order given. */
export function indexVoters(votes: readonly string[]): Voters {
  return new Map(
    votes.map((vote, voterIndex) => [
      Buffer.from(decodePublicKey(vote)).toString("latin1"),
      voterIndex,
    ]),
  );
}

/** Sums of zero for each voter. */
export function createStakeSums({
  voters: { size },
  withRecords = false,
  withLargest = false,
}: StakeQuestion): StakeSums {
  return {
    effective: new BigUint64Array(size),
    activating: new BigUint64Array(size),
    deactivating: new BigUint64Array(size),
    counts: new Uint32Array(size),
    records: withRecords ? createStakeRecords() : null,
    largest: withLargest ? createLargestStakes(size) : null,
  };
}

/** Adds to `total` in place. Both must be of the same voters. */
export function addSums(total: StakeSums, part: StakeSums): void {
  addEach(total.effective, part.effective);
  addEach(total.activating, part.activating);
  addEach(total.deactivating, part.deactivating);
  part.counts.forEach(
    (count, voterIndex) => (total.counts[voterIndex] = (total.counts[voterIndex] ?? 0) + count),
  );
  if (part.records !== null) total.records?.append(part.records);
  if (part.largest !== null) total.largest?.append(part.largest);
}

/** In the order of `votes`, also without a delegation. */
export function toStakeRows(
  votes: readonly string[],
  { activating, deactivating, counts }: StakeSums,
): StakeRow[] {
  return votes.map((vote, voterIndex) => [
    vote,
    activating[voterIndex] ?? 0n,
    deactivating[voterIndex] ?? 0n,
    counts[voterIndex] ?? 0,
  ]);
}

function addEach(total: BigUint64Array, part: BigUint64Array): void {
  part.forEach((stake, voterIndex) => {
    if (stake > 0n) total[voterIndex] = (total[voterIndex] ?? 0n) + stake;
  });
}
