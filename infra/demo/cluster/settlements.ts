import type { Moment } from "./calendar.ts";
import { toKey, type Key, type Member } from "./cast.ts";
import type { World } from "./world.ts";

/** What a vote account holds of payments beside the inflation commission. */
export interface Settlement {
  /** Whom the inflation commission is paid to. */
  collector: Key;
  blockRevenueBasisPoints: number;
}

/** What is set in one slot. */
export type SettlementChange = { slotIndex: number } & (
  { kind: "collector"; collector: Key } | { kind: "block revenue"; basisPoints: number }
);

/** Changes that are none of the inflation commission, and must not be taken for one. */
export interface Settlements {
  at(member: Member, moment: Pick<Moment, "ordinal" | "slotIndex">): Settlement;
  changesIn(member: Member, ordinal: number): SettlementChange[];
}

const COLLECTOR_FRACTION = 0.41;
const BLOCK_REVENUE_FRACTION = 0.47;
const BLOCK_REVENUE_BASIS_POINTS = [5000, 10_000] as const;

/** Builds the story: a settler names another collector and another block revenue commission in every epoch. */
export function createSettlements({ random, calendar }: World): Settlements {
  const collectorSlotIndex = calendar.slotIndexAt(COLLECTOR_FRACTION);
  const blockRevenueSlotIndex = calendar.slotIndexAt(BLOCK_REVENUE_FRACTION);
  const collectorOf = ({ index }: Member, ordinal: number) => toKey(random.bytes("collector", index, ordinal));
  const blockRevenueOf = (ordinal: number) => BLOCK_REVENUE_BASIS_POINTS[ordinal % 2 === 0 ? 0 : 1];

  return {
    at(member, { ordinal, slotIndex }) {
      const before = { collector: member.vote, blockRevenueBasisPoints: BLOCK_REVENUE_BASIS_POINTS[1] };
      if (member.authority.role !== "settler") return before;
      const [collected, shared] = [collectorSlotIndex, blockRevenueSlotIndex].map((from) =>
        slotIndex >= from ? ordinal : ordinal - 1,
      ) as [number, number];
      return {
        collector: collected < 0 ? before.collector : collectorOf(member, collected),
        blockRevenueBasisPoints: shared < 0 ? before.blockRevenueBasisPoints : blockRevenueOf(shared),
      };
    },
    changesIn(member, ordinal) {
      if (member.authority.role !== "settler") return [];
      return [
        { kind: "collector", slotIndex: collectorSlotIndex, collector: collectorOf(member, ordinal) },
        { kind: "block revenue", slotIndex: blockRevenueSlotIndex, basisPoints: blockRevenueOf(ordinal) },
      ];
    },
  };
}
