import type { Authorities, Authority, Settlements } from "../chain/authorities.ts";
import type { Member } from "../chain/cast.ts";
import type { CommissionChange, CommissionStory } from "../chain/commissions.ts";
import type { Instruction } from "./message.ts";
import {
  authorizeWithdrawer,
  updateBlockRevenueCommission,
  updateCommission,
  updateCommissionBasisPoints,
  updateCommissionCollector,
} from "./programs.ts";
import type { World } from "../world.ts";

export interface Plan {
  ordinal: number;
  slotIndex: number;
  /** Order within a slot. */
  rank: number;
  /** First of the changed accounts: seeds the draws. */
  member: Member;
  authority: Authority;
  instructions: Instruction[];
  fails: boolean;
}

export interface PlanStories {
  authorities: Authorities;
  commissions: CommissionStory;
  settlements: Settlements;
}

const RANKS = { attempt: 0, detour: 1, change: 2, settlement: 3, handover: 4 } as const;

/** Of the changes take a detour, in one transaction or two. */
const DETOUR_WITHIN = 0.15;
const DETOUR_BY_TWO = 0.3;

/** Of the changes follow a failed try, or one taken back at once. */
const TRIED_IN_VAIN = 0.12;
const TAKEN_BACK = 0.22;
const TRIED_SLOTS_MAX = 30;
const TRIED_BASIS_POINTS = 9900;

const AS_PERCENT = 0.5;

/** In chain order. */
export function planEpoch(
  { members, random }: World,
  stories: PlanStories,
  ordinal: number,
): Plan[] {
  const { authorities, commissions, settlements } = stories;

  function plan(
    member: Member,
    at: { slotIndex: number; rank: number; fails?: boolean },
    toDo: ToDo,
  ): Plan {
    const authority = authorities.signerAt(member, { ordinal, slotIndex: at.slotIndex });
    return {
      ordinal,
      member,
      authority,
      fails: false,
      ...at,
      instructions: toDo(authority.address),
    };
  }

  function setting(member: Member, slotIndex: number, ...rates: number[]): ToDo {
    return (authority) =>
      rates.map((basisPoints, place) => {
        const asPercent =
          random.fraction("as percent", member.index, ordinal, slotIndex, place) < AS_PERCENT;
        return toUpdate({ vote: member.vote.address, authority, basisPoints, asPercent });
      });
  }

  function planChange(change: CommissionChange): Plan[] {
    const { member, slotIndex, toBasisPoints } = change;
    const detour = random.fraction("detour", member.index, ordinal, slotIndex);
    const elsewhere = elsewhereThan(change);
    const at = { slotIndex, rank: RANKS.change };
    if (detour < DETOUR_WITHIN)
      return [plan(member, at, setting(member, slotIndex, elsewhere, toBasisPoints))];
    const changed = plan(member, at, setting(member, slotIndex, toBasisPoints));
    if (detour >= DETOUR_BY_TWO) return [changed];
    return [
      plan(member, { slotIndex, rank: RANKS.detour }, setting(member, slotIndex, elsewhere)),
      changed,
    ];
  }

  function planAttempt(change: CommissionChange, changedBefore: number): Plan[] {
    const { member, fromBasisPoints } = change;
    const draw = random.fraction("attempt", member.index, ordinal, change.slotIndex);
    const slotIndex =
      change.slotIndex -
      1 -
      random.whole(TRIED_SLOTS_MAX, "tried", member.index, ordinal, change.slotIndex);
    if (draw >= TAKEN_BACK || slotIndex <= changedBefore) return [];
    const at = { slotIndex, rank: RANKS.attempt };
    if (draw < TRIED_IN_VAIN)
      return [plan(member, { ...at, fails: true }, setting(member, slotIndex, TRIED_BASIS_POINTS))];
    return [plan(member, at, setting(member, slotIndex, elsewhereThan(change), fromBasisPoints))];
  }

  function planTogether(changes: readonly CommissionChange[]): Plan[] {
    const [first] = changes;
    if (first === undefined || changes.length === 1) return changes.flatMap(planChange);
    const { member, slotIndex } = first;
    const toDo: ToDo = (authority) =>
      changes.flatMap((change) =>
        setting(change.member, slotIndex, change.toBasisPoints)(authority),
      );
    return [plan(member, { slotIndex, rank: RANKS.change }, toDo)];
  }

  function planSettlements(member: Member): Plan[] {
    const vote = member.vote.address;
    const settled = settlements
      .changesIn(member, ordinal)
      .map((change) =>
        plan(member, { slotIndex: change.slotIndex, rank: RANKS.settlement }, (authority) => [
          change.kind === "collector"
            ? updateCommissionCollector(vote, authority, {
                of: "inflation rewards",
                to: change.collector.address,
              })
            : updateBlockRevenueCommission(vote, authority, change.basisPoints),
        ]),
      );
    const slotIndex = authorities.handoverIn(member, ordinal);
    if (slotIndex === null) return settled;
    const successor = authorities.at(member, { ordinal, slotIndex }).address;
    const handover = plan(member, { slotIndex, rank: RANKS.handover }, (authority) => [
      authorizeWithdrawer(vote, authority, successor),
    ]);
    return [...settled, handover];
  }

  const changes = commissions.changesOf(ordinal);
  const together = Map.groupBy(changes, ({ member, slotIndex }) => {
    return `${slotIndex}/${authorities.signerAt(member, { ordinal, slotIndex }).address}`;
  });
  const changedAt = new Map<number, number>();
  const attempts = changes.flatMap((change) => {
    const changedBefore = changedAt.get(change.member.index) ?? -1;
    changedAt.set(change.member.index, change.slotIndex);
    return planAttempt(change, changedBefore);
  });
  const plans = [
    ...attempts,
    ...[...together.values()].flatMap(planTogether),
    ...members.flatMap(planSettlements),
  ];
  return plans.sort(
    (one, other) =>
      one.slotIndex - other.slotIndex ||
      one.rank - other.rank ||
      one.member.index - other.member.index,
  );
}

type ToDo = (authority: string) => Instruction[];

const ELSEWHERE = [10_000, 0, 5000];

function elsewhereThan({ fromBasisPoints, toBasisPoints }: CommissionChange): number {
  return (
    ELSEWHERE.find(
      (basisPoints) => basisPoints !== fromBasisPoints && basisPoints !== toBasisPoints,
    ) ?? 0
  );
}

function toUpdate(update: {
  vote: string;
  authority: string;
  basisPoints: number;
  asPercent: boolean;
}): Instruction {
  const { vote, authority, basisPoints, asPercent } = update;
  if (asPercent && basisPoints % 100 === 0 && basisPoints <= 10_000)
    return updateCommission(vote, authority, basisPoints / 100);
  return updateCommissionBasisPoints(vote, authority, basisPoints);
}
