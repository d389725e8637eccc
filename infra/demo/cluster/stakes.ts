import type { Member } from "./cast.ts";
import { bornInOrdinal, exists } from "./lifecycle.ts";
import { remember } from "./remember.ts";
import type { World } from "./world.ts";

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
