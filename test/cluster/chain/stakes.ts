import type { Member } from "./cast.ts";
import { bornInOrdinal, exists } from "./presence.ts";
import { remember, type World } from "../world.ts";
import { STAKE_ACCOUNTS_PER_VALIDATOR_MIN } from "../options.ts";
import type { Random } from "../random.ts";

/** “Never” among epochs; the separator in vote credits. */
export const U64_MAX = 2n ** 64n - 1n;

/** Lamports. */
export interface Delegated {
  active: bigint;
  /** Becomes active with the next epoch. */
  activating: bigint;
  /** Part of `active`; leaves with the next epoch. */
  deactivating: bigint;
}

export interface Stakes {
  of(member: Member, ordinal: number): Delegated;
  /** Exists, has stake and a BLS key at the epoch's start. */
  isInSet(member: Member, ordinal: number): boolean;
  totalOf(ordinal: number): bigint;
}

/** This share joins and as much leaves, beside the net movement. */
const CHURN_DIVISOR = 1000n;

export function createStakes({ options, calendar, members, random }: World): Stakes {
  const activeOf = remember((ordinal) => members.map((member) => toActive(member, ordinal)));

  function toActive(member: Member, ordinal: number): bigint {
    const { role } = member.life;
    const birth = bornInOrdinal(member);
    if (role === "unstaked" || role === "ghost" || (birth !== null && ordinal <= birth)) return 0n;
    return (
      (member.restingStake * BigInt(990 + random.whole(21, "stake", member.index, ordinal))) / 1000n
    );
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
    // A set is fixed in the first block of the epoch before,
    // when a first stake has only just become active.
    if (birth !== null && ordinal <= birth + 1) return false;
    const start = calendar.momentOfSlot(calendar.firstSlotOf(options.firstEpoch + ordinal));
    return (
      member.layout === "v4" &&
      exists(member, start) &&
      (activeOf(ordinal)[member.index] ?? 0n) > 0n
    );
  }

  const totalOf = remember((ordinal) =>
    members.reduce(
      (total, member) =>
        isInSet(member, ordinal) ? total + (activeOf(ordinal)[member.index] ?? 0n) : total,
      0n,
    ),
  );

  return { of, isInSet, totalOf };
}

export interface Delegation {
  stake: bigint;
  activationEpoch: bigint;
  deactivationEpoch: bigint;
}

/** Joining, leaving, gone long ago, never active. */
const SPECIAL_ROWS = 4;

/** Bootstrap stake is active in every epoch. */
const BOOTSTRAP_PERIOD = 10;

const IDLE_STAKE = 7_000_000_000n;

export function countStakeAccounts(total: number, members: readonly Member[]): number[] {
  const spare = total - members.length * STAKE_ACCOUNTS_PER_VALIDATOR_MIN;
  const weights = members.map(({ index }) => 1 / (index + 8));
  const sum = weights.reduce((before, weight) => before + weight, 0);
  const counts = weights.map(
    (weight) => STAKE_ACCOUNTS_PER_VALIDATOR_MIN + Math.floor((spare * weight) / sum),
  );
  const missing = total - counts.reduce((before, count) => before + count, 0);
  return counts.map((count, index) => (index < missing % counts.length ? count + 1 : count));
}

/** They add up exactly to getVoteAccounts and the next epoch. */
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
    if (stake === 0n)
      yield { stake: IDLE_STAKE, activationEpoch: long, deactivationEpoch: now - 2n };
    else {
      const bootstrap = row === 0 && member.index % BOOTSTRAP_PERIOD === 0;
      yield {
        stake,
        activationEpoch: bootstrap ? U64_MAX : long + BigInt(row % 30),
        deactivationEpoch: U64_MAX,
      };
    }
  }
}

const BASE58 = "123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz";
const ADDRESS_CHARACTERS = 44;

/** Then any 44 Base58 characters are 32 bytes: at least 2^248, below 2^256. */
const FIRST_CHARACTERS = "23456789ABCDEFGH";

/** Encoding a million hashes would take longer than everything else. */
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
