import type { Moment } from "../calendar.ts";
import type { Member, MevRole } from "./cast.ts";
import { bornInOrdinal, exists } from "./presence.ts";
import type { World } from "../world.ts";

/** The tip account is created once an epoch. */
export interface MevStory {
  basisPointsOf(member: Member, ordinal: number): number | null;
  createdAt(member: Member, ordinal: number): number;
  isCreated(member: Member, ordinal: number, moment: Moment): boolean;
  rewardsOf(member: Member, ordinal: number): bigint;
  priorityFeeBasisPointsOf(member: Member): number;
}

const RESTING_BASIS_POINTS = [800, 0, 1000, 500, 800, 10_000, 0, 1000];
/** The vendor's value. */
export const NOTHING_SHARED_BASIS_POINTS = 10_000;

const PRIORITY_FEE_BASIS_POINTS = [
  NOTHING_SHARED_BASIS_POINTS,
  5000,
  NOTHING_SHARED_BASIS_POINTS,
  0,
  9500,
];

export function createMevStory({ options, random, calendar }: World): MevStory {
  function basisPointsOf(member: Member, ordinal: number): number | null {
    const birth = bornInOrdinal(member);
    if (birth !== null && ordinal <= birth) return null;
    return SHARES[member.mev.role](member, ordinal);
  }

  function createdAt(member: Member, ordinal: number): number {
    return calendar.slotIndexAt(
      0.004 + 0.08 * random.fraction("first block", member.index, ordinal),
    );
  }

  function isCreated(member: Member, ordinal: number, moment: Moment): boolean {
    if (basisPointsOf(member, ordinal) === null) return false;
    const slot = calendar.firstSlotOf(options.firstEpoch + ordinal) + createdAt(member, ordinal);
    return slot <= moment.slot && exists(member, calendar.momentOfSlot(slot));
  }

  return {
    basisPointsOf,
    createdAt,
    isCreated,
    rewardsOf: ({ index, restingStake }, ordinal) =>
      restingStake / 20_000n + BigInt(random.whole(1_000_000_000, "tips", index, ordinal)),
    priorityFeeBasisPointsOf: ({ index }) =>
      PRIORITY_FEE_BASIS_POINTS[index % PRIORITY_FEE_BASIS_POINTS.length] ??
      NOTHING_SHARED_BASIS_POINTS,
  };
}

const SHARES: Record<MevRole, (member: Member, ordinal: number) => number | null> = {
  none: () => null,
  fixed: toResting,

  rugger: (member, ordinal) =>
    turnOf(ordinal, member.mev.of) === member.mev.place
      ? 10_000
      : Math.min(toResting(member), 1000),

  cautioner: (member, ordinal) =>
    Math.min(toResting(member), 1000) + (turnOf(ordinal + member.mev.place, 2) === 1 ? 2500 : 0),

  /** Off one epoch in three. */
  toggler(member, ordinal) {
    const phase = turnOf(ordinal + member.mev.place, 3);
    if (phase === 1) return null;
    return phase === 2 && member.mev.place % 2 === 1 ? 10_000 : Math.min(toResting(member), 1000);
  },
};

/** Ordinals may be negative. */
function turnOf(ordinal: number, period: number): number {
  return ((ordinal % period) + period) % period;
}

function toResting({ index }: Member): number {
  return RESTING_BASIS_POINTS[index % RESTING_BASIS_POINTS.length] ?? 800;
}
