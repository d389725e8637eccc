import type { Member } from "./cast.ts";
import { bornInOrdinal, exists } from "./presence.ts";
import { remember, type World } from "../world.ts";
import { STAKE_ACCOUNTS_PER_VALIDATOR_MIN } from "../options.ts";
import type { Random } from "../random.ts";

/** Largest u64: stands for «never» in epochs, and for the separator in vote credits. */
export const U64_MAX = 2n ** 64n - 1n;

/** What is delegated to one validator in one epoch, in lamports. */
export interface Delegated {
  active: bigint;
  /** Becomes active with the next epoch. */
  activating: bigint;
  /** Part of `active`; leaves with the next epoch. */
  deactivating: bigint;
}

/** How the stake moves from epoch to epoch. */
export interface Stakes {
  of(member: Member, ordinal: number): Delegated;
  /** In the validator set of an epoch: at its start it is there, has stake and a BLS key. */
  isInSet(member: Member, ordinal: number): boolean;
  /** Active stake of the validator set. */
  totalOf(ordinal: number): bigint;
}

/** Stake that joins and leaves beside the net movement: a part of so many. */
const CHURN_DIVISOR = 1000n;

/** Builds the story: every stake moves by up to one percent around its resting value. */
export function createStakes({ options, calendar, members, random }: World): Stakes {
  const activeOf = remember((ordinal) => members.map((member) => toActive(member, ordinal)));

  function toActive(member: Member, ordinal: number): bigint {
    const { role } = member.life;
    const birth = bornInOrdinal(member);
    if (role === "unstaked" || role === "ghost" || (birth !== null && ordinal <= birth)) return 0n;
    return (member.restingStake * BigInt(990 + random.whole(21, "stake", member.index, ordinal))) / 1000n;
  }

  function of(member: Member, ordinal: number): Delegated {
    const active = activeOf(ordinal)[member.index] ?? 0n;
    const growth = (activeOf(ordinal + 1)[member.index] ?? 0n) - active;
    const churn = active / CHURN_DIVISOR;
    return {
      active,
      activating: churn + (growth > 0n ? growth : 0n),
      deactivating: churn + (growth < 0n ? -growth : 0n),
    };
  }

  function isInSet(member: Member, ordinal: number): boolean {
    const birth = bornInOrdinal(member);
    // The set of an epoch is made in the first block of the one before it, when a first stake has just become active.
    if (birth !== null && ordinal <= birth + 1) return false;
    const start = calendar.momentOfSlot(calendar.firstSlotOf(options.firstEpoch + ordinal));
    return member.layout === "v4" && exists(member, start) && (activeOf(ordinal)[member.index] ?? 0n) > 0n;
  }

  const totalOf = remember((ordinal) =>
    members.reduce(
      (total, member) => (isInSet(member, ordinal) ? total + (activeOf(ordinal)[member.index] ?? 0n) : total),
      0n,
    ),
  );

  return { of, isInSet, totalOf };
}

/** One delegation as it is in one epoch. */
export interface Delegation {
  /** Lamports. */
  stake: bigint;
  activationEpoch: bigint;
  deactivationEpoch: bigint;
}

/** Rows that are not simply active: one joins, one leaves, one left long ago, one was never active. */
const SPECIAL_ROWS = 4;

/** An account of an early supporter that was there from the start counts as active whatever the epoch. */
const BOOTSTRAP_PERIOD = 10;

const IDLE_STAKE = 7_000_000_000n;

/** How many of all stake accounts each member has: at least the least, and the rest by rank. */
export function countStakeAccounts(total: number, members: readonly Member[]): number[] {
  const spare = total - members.length * STAKE_ACCOUNTS_PER_VALIDATOR_MIN;
  const weights = members.map(({ index }) => 1 / (index + 8));
  const sum = weights.reduce((before, weight) => before + weight, 0);
  const counts = weights.map((weight) => STAKE_ACCOUNTS_PER_VALIDATOR_MIN + Math.floor((spare * weight) / sum));
  const missing = total - counts.reduce((before, count) => before + count, 0);
  return counts.map((count, index) => (index < missing % counts.length ? count + 1 : count));
}

/**
 * The delegations to one member in an epoch: their effective, joining and leaving stake adds up to exactly what
 * getVoteAccounts and the next epoch say.
 */
export function* delegationsOf(
  member: Member,
  epoch: number,
  { active, activating, deactivating }: Delegated,
  count: number,
): Generator<Delegation> {
  const now = BigInt(epoch);
  const long = BigInt(Math.max(epoch - 40 - (member.index % 60), 0));
  yield activating > 0n
    ? { stake: activating, activationEpoch: now, deactivationEpoch: U64_MAX }
    : { stake: IDLE_STAKE, activationEpoch: long, deactivationEpoch: long + 2n };
  yield deactivating > 0n
    ? { stake: deactivating, activationEpoch: long, deactivationEpoch: now }
    : { stake: IDLE_STAKE, activationEpoch: long, deactivationEpoch: long + 3n };
  yield { stake: IDLE_STAKE, activationEpoch: long, deactivationEpoch: now - 3n };
  yield { stake: IDLE_STAKE, activationEpoch: now - 1n, deactivationEpoch: now - 1n };

  const rows = count - SPECIAL_ROWS;
  const settled = active - deactivating;
  const each = settled / BigInt(rows);
  for (let row = 0; row < rows; row++) {
    const stake = row === 0 ? settled - each * BigInt(rows - 1) : each;
    if (stake === 0n) yield { stake: IDLE_STAKE, activationEpoch: long, deactivationEpoch: now - 2n };
    else {
      const bootstrap = row === 0 && member.index % BOOTSTRAP_PERIOD === 0;
      yield { stake, activationEpoch: bootstrap ? U64_MAX : long + BigInt(row % 30), deactivationEpoch: U64_MAX };
    }
  }
}

const BASE58 = "123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz";
const ADDRESS_CHARACTERS = 44;

/** Every text of 44 characters that begins with one of these is a key of 32 bytes: below 2^256 and not below 2^248. */
const FIRST_CHARACTERS = "23456789ABCDEFGH";

/** An address drawn as text: encoding a million hashes would take longer than all the rest. */
export function drawStakeAddress(random: Random, member: Member, row: number): string {
  let address = "";
  for (let draw = 0; address.length < ADDRESS_CHARACTERS; draw++) {
    let rest = random.whole(2 ** 32, "stake address", member.index, row, draw);
    if (draw === 0) address = FIRST_CHARACTERS.charAt(rest % FIRST_CHARACTERS.length);
    for (let digit = 0; digit < 5 && address.length < ADDRESS_CHARACTERS; digit++) {
      address += BASE58.charAt(rest % 58);
      rest = Math.floor(rest / 58);
    }
  }
  return address;
}
