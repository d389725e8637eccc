import type { Severity, Source } from "../../../generator/contract/event.ts";
import type { CommissionStory } from "./commissions.ts";
import { exists } from "./presence.ts";
import type { MevStory } from "./mev-story.ts";
import type { World } from "../world.ts";

/** An honest monitor must find these, and nothing else. */
export interface PlannedChange {
  epoch: number;
  /** MEV switched off shows at the epoch's end. */
  atMilliseconds: number;
  vote: string;
  source: Source;
  /** null: MEV disabled. */
  fromBasisPoints: number | null;
  toBasisPoints: number | null;
  kind: Severity;
}

/** @param throughEpoch included */
export function listPlannedChanges(
  { options, calendar, members }: World,
  stories: { commissions: CommissionStory; mev: MevStory },
  throughEpoch: number,
): PlannedChange[] {
  const changes: PlannedChange[] = [];
  for (let ordinal = 0; options.firstEpoch + ordinal <= throughEpoch; ordinal++) {
    const epoch = options.firstEpoch + ordinal;
    for (const {
      member,
      slotIndex,
      fromBasisPoints,
      toBasisPoints,
    } of stories.commissions.changesOf(ordinal)) {
      const atMilliseconds = calendar.timeOf(ordinal, slotIndex);
      const kind = severityOf("COMMISSION", fromBasisPoints, toBasisPoints);
      changes.push({
        epoch,
        atMilliseconds,
        vote: member.vote.address,
        source: "COMMISSION",
        fromBasisPoints,
        toBasisPoints,
        kind,
      });
    }
    for (const member of members) {
      const fromBasisPoints = stories.mev.basisPointsOf(member, ordinal - 1);
      const toBasisPoints = stories.mev.basisPointsOf(member, ordinal);
      const end = calendar.momentOfSlot(calendar.firstSlotOf(epoch + 1) - 1);
      if (
        fromBasisPoints === toBasisPoints ||
        member.life.role !== "normal" ||
        !exists(member, end)
      )
        continue;
      const slotIndex =
        toBasisPoints === null ? options.slotsPerEpoch : stories.mev.createdAt(member, ordinal);
      const atMilliseconds = calendar.timeOf(ordinal, slotIndex);
      const kind = severityOf("MEV", fromBasisPoints, toBasisPoints);
      changes.push({
        epoch,
        atMilliseconds,
        vote: member.vote.address,
        source: "MEV",
        fromBasisPoints,
        toBasisPoints,
        kind,
      });
    }
  }
  return changes.sort(
    (left, right) =>
      left.atMilliseconds - right.atMilliseconds || (left.vote < right.vote ? -1 : 1),
  );
}

/** Repeated on purpose, to test the fold against. */
function severityOf(source: Source, from: number | null, to: number | null): Severity {
  if (to === null) return "INFO";
  if (from === null) return to >= 9000 ? "CAUTION" : "INFO";
  const paid = { from: Math.min(from, 10_000), to: Math.min(to, 10_000) };
  if (paid.to >= 9000) return paid.to > paid.from ? "RUG" : "INFO";
  return paid.to - paid.from >= (source === "MEV" ? 2000 : 1000) ? "CAUTION" : "INFO";
}
