import { NODES_DIFFER_SLOTS } from "../../chain/slots.ts";
import type { SnapshotRow } from "../../entries/entry.ts";
import { areAlike, toTotals } from "../../chain/list-totals.ts";
import type { EpochInfo } from "../../rpc/epoch.ts";
import type { UsableEndpoint, Witness } from "../../rpc/ranking.ts";
import type { VoteAccounts } from "../vote-accounts.ts";
import { hasBasisPointsIn, isAlike, isCounted } from "./comparison.ts";

/*
 * An entry holds one list whole, the base, and how the others differ from it. Only who comes first
 * is chosen here: the panel refuses a base that no majority is like (agree/likeness.ts).
 */

/** A witness's list of vote accounts, with dead ones, and the endpoint that gave it. */
export interface GivenList {
  witness: Witness;
  endpoint: UsableEndpoint;
  votes: VoteAccounts;
}

/**
 * Chooses the base so that a liar read first does not decide. Among the lists at the cluster's
 * slot and on the schedule of most witnesses, the base is the one that most lists resemble; among
 * these, the one that differs least from the others. Of two, and of equals, it is the first as
 * configured with basis points, because percents in other lists then are no difference.
 */
export function chooseBase(given: readonly GivenList[], clusterSlot: number): GivenList | null {
  const counted = onScheduleOfMost(nearestTo(clusterSlot, given));
  const totals = counted.map(({ votes }) => toTotals(votes.rows));
  const likes = totals.map((one) => totals.filter((other) => areAlike(one, other)).length);
  const liked = counted.filter((_, index) => likes[index] === Math.max(...likes));
  const listed = liked.map(({ votes }) => toComparable(votes));
  const distances = listed.map((one) =>
    listed.reduce((sum, other) => sum + countDifferences(one, other), 0),
  );
  const closest = liked.filter((_, index) => distances[index] === Math.min(...distances));
  return closest.find(({ votes }) => hasBasisPointsIn(votes.rows)) ?? closest[0] ?? null;
}

/** Without dead ones, which only some answers have. */
interface ComparableList {
  hasBasisPoints: boolean;
  byVote: ReadonlyMap<string, SnapshotRow>;
}

const NONE_EXPECTED: ReadonlySet<string> = new Set();

function toComparable({ rows }: VoteAccounts): ComparableList {
  const counted = rows.filter((row) => isCounted(row, NONE_EXPECTED));
  return {
    hasBasisPoints: hasBasisPointsIn(counted),
    byVote: new Map(counted.map((row) => [row.vote, row])),
  };
}

/** Vote accounts that are in one list only, or otherwise in the other. */
function countDifferences(one: ComparableList, other: ComparableList): number {
  if (one === other) return 0;
  const comparesBasisPoints = one.hasBasisPoints && other.hasBasisPoints;
  let [shared, same] = [0, 0];
  for (const row of one.byVote.values()) {
    const others = other.byVote.get(row.vote);
    if (others === undefined) continue;
    shared += 1;
    if (isAlike(row, others, { comparesBasisPoints, isWhole: true })) same += 1;
  }
  return one.byVote.size + other.byVote.size - shared - same;
}

/** If no list is at the cluster's slot, the nearest. */
function nearestTo(clusterSlot: number, given: readonly GivenList[]): GivenList[] {
  const distanceOf = ({ endpoint, votes }: GivenList) =>
    Math.max(
      ...[endpoint.epoch.absoluteSlot, votes.slot].map((slot) => Math.abs(slot - clusterSlot)),
    );
  const most = Math.max(NODES_DIFFER_SLOTS, Math.min(...given.map(distanceOf)));
  return given.filter((one) => distanceOf(one) <= most);
}

/**
 * An epoch with another first or last slot is another epoch. Of equally many, the first as
 * configured counts.
 */
function onScheduleOfMost(given: readonly GivenList[]): GivenList[] {
  const scheduleOf = ({ epoch, absoluteSlot, slotIndex, slotsInEpoch }: EpochInfo) =>
    [epoch, absoluteSlot - slotIndex, slotsInEpoch].join(" ");
  const alike = [...Map.groupBy(given, ({ endpoint }) => scheduleOf(endpoint.epoch)).values()];
  return alike.reduce<GivenList[]>((most, one) => (one.length > most.length ? one : most), []);
}
