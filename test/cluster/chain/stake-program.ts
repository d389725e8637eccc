import { base58 } from "@scure/base";
import type { Moment } from "../calendar.ts";
import { toAccount, type Slice } from "../rpc/accounts.ts";
import { toJson } from "../rpc/json.ts";
import { remember, type World, type ChainAccount } from "../world.ts";
import {
  countStakeAccounts,
  delegationsOf,
  drawStakeAddress,
  type Delegation,
  type Stakes,
} from "./stakes.ts";
import { STAKE_PROGRAM } from "../transactions/programs.ts";

const STAKE_ACCOUNT_BYTES = 200;
const RENT_RESERVE = 2_282_880n;

export const VOTER_OFFSET = 124;

const WITHDRAWER_OFFSET = 44;

const ACCOUNTS_PER_WALLET = 4;

/** Voter, stake, activation and deactivation epoch. */
export const USUAL_SLICE: Slice = { offset: VOTER_OFFSET, length: 56 };

export interface StakeProgram {
  size: number;
  /** Without the brackets. @param range before filters */
  rows(
    moment: Moment,
    slice: Slice | undefined,
    filters: readonly ProgramFilter[],
    range?: AccountRange,
  ): readonly Buffer[];
  prepare(moment: Moment): void;
  walletAt(number: number): string;
}

export function createStakeProgram(
  { options, random, members }: World,
  stakes: Stakes,
): StakeProgram {
  const counts = countStakeAccounts(options.stakeAccounts, members);
  // One epoch is 370 MB at 1.2 million accounts.
  const usual = remember(
    (ordinal) => write({ ordinal, slice: USUAL_SLICE, filters: [], range: WHOLE_RANGE }),
    1,
  );

  const walletOf = remember((number) => random.bytes("wallet", number), Infinity);
  const walletCount = Math.ceil(options.stakeAccounts / ACCOUNTS_PER_WALLET);

  function write({ ordinal, slice, filters, range }: Question): readonly Buffer[] {
    const writer = createRowWriter();
    const data = Buffer.alloc(STAKE_ACCOUNT_BYTES);
    data.set(VARIANT, 0);
    data.writeBigUInt64LE(RENT_RESERVE, 4);
    let place = 0;
    for (const member of members) {
      const count = counts[member.index] ?? 0;
      const first = place;
      place += count;
      if (place <= range.from || first >= range.to) continue;
      data.set(member.staker.bytes, 12);
      data.set(member.vote.bytes, VOTER_OFFSET);
      if (!mayPass(data, filters)) continue;
      let row = 0;
      const epoch = options.firstEpoch + ordinal;
      for (const delegation of delegationsOf(member, epoch, stakes.of(member, ordinal), count)) {
        const number = row++;
        if (first + number < range.from || first + number >= range.to) continue;
        encodeDelegation(data, delegation);
        data.set(
          walletOf(random.whole(walletCount, "stake account's wallet", member.index, number)),
          WITHDRAWER_OFFSET,
        );
        const address = drawStakeAddress(random, member, number);
        if (!passes(data, filters)) continue;
        const account = { owner: STAKE_PROGRAM, lamports: delegation.stake + RENT_RESERVE, data };
        writer.add(toProgramRow(address, account, slice));
      }
    }
    return writer.finish();
  }

  return {
    size: options.stakeAccounts,
    rows({ ordinal }, slice, filters, range) {
      if (range === undefined && isUsual(slice, filters)) return usual(ordinal);
      return write({ ordinal, slice, filters, range: range ?? WHOLE_RANGE });
    },
    prepare: ({ ordinal }) => void usual(ordinal),
    walletAt: (number) => base58.encode(walletOf(number)),
  };
}

interface Question {
  ordinal: number;
  slice: Slice | undefined;
  filters: readonly ProgramFilter[];
  range: AccountRange;
}

const WHOLE_RANGE: AccountRange = { from: 0, to: Infinity };

/** The data of an account that delegates to a voter. */
export function encodeStakeAccount(voter: Uint8Array, delegation: Delegation): Buffer {
  const data = Buffer.alloc(STAKE_ACCOUNT_BYTES);
  data.set(VARIANT, 0);
  data.set(voter, VOTER_OFFSET);
  encodeDelegation(data, delegation);
  return data;
}

function encodeDelegation(
  data: Buffer,
  { stake, activationEpoch, deactivationEpoch }: Delegation,
): void {
  data.writeBigUInt64LE(stake, 156);
  data.writeBigUInt64LE(activationEpoch, 164);
  data.writeBigUInt64LE(deactivationEpoch, 172);
}

/** Finds one voter's accounts at once. */
function mayPass(data: Uint8Array, filters: readonly ProgramFilter[]): boolean {
  const common = filters.filter(
    (filter) => "dataSize" in filter || filter.offset + filter.bytes.length <= VOTER_OFFSET + 32,
  );
  return passes(data, common);
}

function isUsual(slice: Slice | undefined, filters: readonly ProgramFilter[]): boolean {
  return (
    slice?.offset === USUAL_SLICE.offset &&
    slice.length === USUAL_SLICE.length &&
    filters.every(passAll)
  );
}

function passAll(filter: ProgramFilter): boolean {
  const looksFurther = "offset" in filter && filter.offset + filter.bytes.length > VARIANT.length;
  return !looksFurther && passes(SAMPLE, [filter]);
}

const VARIANT = Uint8Array.of(2, 0, 0, 0);
const SAMPLE = Buffer.concat([VARIANT, Buffer.alloc(STAKE_ACCOUNT_BYTES - VARIANT.length)]);

export type ProgramFilter = { dataSize: number } | { offset: number; bytes: Uint8Array };

/** From 0; `to` excluded. */
export interface AccountRange {
  from: number;
  to: number;
}

const CHUNK_BYTES = 1 << 20;

const ROW_BYTES_MAX = 8192;

export function passes(data: Uint8Array, filters: readonly ProgramFilter[]): boolean {
  return filters.every((filter) => {
    if ("dataSize" in filter) return data.length === filter.dataSize;
    return filter.bytes.every((byte, index) => data[filter.offset + index] === byte);
  });
}

/** A row of getProgramAccounts. */
export function toProgramRow(
  pubkey: string,
  account: ChainAccount,
  slice: Slice | undefined,
): string {
  return toJson({ account: toAccount(account, slice), pubkey });
}

/** Separates rows by commas. */
export function createRowWriter(): { add(row: string): void; finish(): Buffer[] } {
  const chunks: Buffer[] = [];
  let chunk = Buffer.allocUnsafe(CHUNK_BYTES);
  let used = 0;
  let first = true;

  return {
    add(row) {
      if (used + ROW_BYTES_MAX > CHUNK_BYTES) {
        chunks.push(chunk.subarray(0, used));
        chunk = Buffer.allocUnsafe(CHUNK_BYTES);
        used = 0;
      }
      used += chunk.write(first ? row : `,${row}`, used, "latin1");
      first = false;
    },
    finish: () => [...chunks, chunk.subarray(0, used)],
  };
}
