import type { Moment } from "./calendar.ts";
import {
  createRowWriter,
  passes,
  toAccountJson,
  type AccountRange,
  type ProgramFilter,
  type Slice,
} from "./program-rows.ts";
import { remember } from "./remember.ts";
import { countStakeAccounts, delegationsOf, drawStakeAddress, type Delegation } from "./stake-accounts.ts";
import { STAKE_PROGRAM } from "./signing/programs.ts";
import type { Stakes } from "./stakes.ts";
import type { World } from "./world.ts";

const STAKE_ACCOUNT_BYTES = 200;
const RENT_RESERVE = 2_282_880n;

/** Where a stake account names its voter. */
export const VOTER_OFFSET = 124;

/** The usual question: voter, stake, activation and deactivation epoch of every delegated account. */
const USUAL_SLICE: Slice = { offset: VOTER_OFFSET, length: 56 };

/** The accounts of the Stake program; all of them delegated. */
export interface StakeProgram {
  /** How many there are. */
  size: number;
  /**
   * Rows of an answer as JSON text in pieces, without the brackets around them.
   * @param range which of all accounts to look at, filters apart; by default all
   */
  rows(
    moment: Moment,
    slice: Slice | undefined,
    filters: readonly ProgramFilter[],
    range?: AccountRange,
  ): readonly Buffer[];
  prepare(moment: Moment): void;
}

/** Builds the program; the answer to the usual question is made once an epoch and kept. */
export function createStakeProgram({ options, random, members }: World, stakes: Stakes): StakeProgram {
  const counts = countStakeAccounts(options.stakeAccounts, members);
  // One at a time: at the planning size of 1.2 million accounts it holds 370 MB.
  const usual = remember((ordinal) => write({ ordinal, slice: USUAL_SLICE, filters: [], range: WHOLE_RANGE }), 1);

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
      data.set(member.staker.bytes, 44);
      data.set(member.vote.bytes, VOTER_OFFSET);
      if (!mayPass(data, filters)) continue;
      let row = 0;
      const epoch = options.firstEpoch + ordinal;
      for (const delegation of delegationsOf(member, epoch, stakes.of(member, ordinal), count)) {
        const number = row++;
        if (first + number < range.from || first + number >= range.to) continue;
        encodeDelegation(data, delegation);
        const address = drawStakeAddress(random, member, number);
        if (!passes(data, filters)) continue;
        const account = { owner: STAKE_PROGRAM, lamports: delegation.stake + RENT_RESERVE, data };
        writer.add(`{"account":${toAccountJson(account, slice)},"pubkey":"${address}"}`);
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
  };
}

interface Question {
  ordinal: number;
  slice: Slice | undefined;
  filters: readonly ProgramFilter[];
  range: AccountRange;
}

const WHOLE_RANGE: AccountRange = { from: 0, to: Infinity };

function encodeDelegation(data: Buffer, { stake, activationEpoch, deactivationEpoch }: Delegation): void {
  data.writeBigUInt64LE(stake, 156);
  data.writeBigUInt64LE(activationEpoch, 164);
  data.writeBigUInt64LE(deactivationEpoch, 172);
}

/** The filters that look at what all accounts of a member have in common: one voter's accounts are found at once. */
function mayPass(data: Uint8Array, filters: readonly ProgramFilter[]): boolean {
  const common = filters.filter(
    (filter) => "dataSize" in filter || filter.offset + filter.bytes.length <= VOTER_OFFSET + 32,
  );
  return passes(data, common);
}

function isUsual(slice: Slice | undefined, filters: readonly ProgramFilter[]): boolean {
  return slice?.offset === USUAL_SLICE.offset && slice.length === USUAL_SLICE.length && filters.every(passAll);
}

/** Size and variant are the same for all accounts here: the filters that look at nothing else leave none out. */
function passAll(filter: ProgramFilter): boolean {
  const looksFurther = "offset" in filter && filter.offset + filter.bytes.length > VARIANT.length;
  return !looksFurther && passes(SAMPLE, [filter]);
}

const VARIANT = Uint8Array.of(2, 0, 0, 0);
const SAMPLE = Buffer.concat([VARIANT, Buffer.alloc(STAKE_ACCOUNT_BYTES - VARIANT.length)]);
