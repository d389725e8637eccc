import { base58 } from "@scure/base";
import type { Instruction } from "../transactions/message.ts";
import type { ChainAccount } from "../world.ts";

/**
 * What one node shows of a cluster at the moment of a question: the truth, or a lie. Whoever
 * scripts a cluster makes views of it; the methods beside this file write them as nodes do.
 */
export interface View {
  /** The slot that it claims to be at. */
  slot: number;
  /** 0: it is healthy. */
  slotsBehind: number;
  genesisHash(): string;
  epoch(): EpochPlace;
  schedule(): object;
  votes(): ShownVotes;
  /** null: there is none. */
  account(address: string): ChainAccount | null;
  /** @throws {RpcFailure} for slots that it does not know */
  blocks(range: AskedRange | undefined): BlockCounts;
  /** Newest first, behind a signature. @throws {RpcFailure} without a history */
  listed(address: string, before: string | undefined): Iterable<ListedTransaction>;
  /** null: unknown. @throws {RpcFailure} without a history */
  transaction(signature: string): ShownTransaction | null;
  firstBlock(): number;
}

/** Where the cluster is. */
export interface EpochPlace {
  epoch: number;
  slotIndex: number;
  slotsInEpoch: number;
  absoluteSlot: number;
}

/** A list of vote accounts, and how it is written. */
export interface ShownVotes {
  rows: readonly VoteState[];
  form: RateForm;
}

/** A row of it. */
export interface VoteState {
  votePubkey: string;
  identity: string;
  /** Lamports. */
  activatedStake: bigint;
  /** May exceed 10000; null: unreadable. */
  basisPoints: number | null;
  inValidatorSet: boolean;
  lastVote: number;
  rootSlot: number;
  epochCredits: readonly (readonly (number | bigint)[])[];
}

/** How a node writes rates, which depends on its version. */
export interface RateForm {
  /** Rounds to whole percents; null: it tells none. */
  toPercent: ((percent: number) => number) | null;
  hasBasisPoints: boolean;
}

/** Of slots; by default until now. */
export interface AskedRange {
  firstSlot: number;
  lastSlot?: number | undefined;
}

/** Both ends included. */
export interface BlockRange {
  firstSlot: number;
  lastSlot: number;
}

/** Who led slots, and made blocks in them. */
export interface BlockCounts {
  range: BlockRange;
  byIdentity: Record<string, [leaderSlots: number, blocks: number]>;
}

/** A row of a list of signatures. */
export interface ListedTransaction {
  signature: string;
  slot: number;
  /** null: it succeeded. */
  err: unknown;
  /** Seconds since 1970; null: not told. */
  blockTime: number | null;
  /** Of the block; null: not told. */
  index: number | null;
}

/** A transaction as it is answered alone. */
export interface ShownTransaction extends Omit<ListedTransaction, "signature"> {
  version: "legacy" | number;
  bytes: Uint8Array;
  inner: readonly InnerGroup[];
  loaded: { writable: string[]; readonly: string[] };
  /** What else nodes tell of it. */
  meta: object;
}

interface InnerGroup {
  /** The instruction that executed these. */
  index: number;
  instructions: { programIdIndex: number; accounts: number[]; data: string; stackHeight: number }[];
}

/**
 * Instructions that another one executed, as an answer holds them.
 * @param keys all that the message names and looks up, in its order
 */
export function toInnerGroup(
  index: number,
  instructions: readonly Instruction[],
  keys: readonly string[],
): InnerGroup {
  const placeOf = (key: string) => Math.max(0, keys.indexOf(key));
  return {
    index,
    instructions: instructions.map(({ program, accounts, data }) => ({
      programIdIndex: placeOf(program),
      accounts: accounts.map(({ address }) => placeOf(address)),
      data: base58.encode(data),
      stackHeight: 2,
    })),
  };
}
