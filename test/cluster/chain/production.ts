import { RpcFailure } from "../rpc/failure.ts";
import type { AskedRange, BlockCounts, BlockRange } from "../rpc/view.ts";
import type { Cluster } from "../cluster.ts";
import type { Member } from "./cast.ts";

/** Consecutive slots of a leader. */
const LEADER_SPAN = 4;

const REMEMBERED_EPOCHS = 2;

/**
 * Who made blocks, as a node at a slot counts them.
 * @throws {RpcFailure} for slots that it does not know
 */
export function countBlocks(
  cluster: Cluster,
  slot: number,
  asked: AskedRange | undefined,
): BlockCounts {
  const { epoch } = cluster.calendar.momentOfSlot(slot);
  const firstSlot = asked?.firstSlot ?? cluster.calendar.firstSlotOf(epoch);
  const lastSlot = asked?.lastSlot ?? slot;
  assertRange(cluster, { firstSlot, lastSlot, slot });
  const byIdentity: BlockCounts["byIdentity"] = {};
  for (const member of cluster.members) {
    for (const { identity, leaderSlots, blocks } of productionOf(cluster, member, {
      firstSlot,
      lastSlot,
    })) {
      if (leaderSlots === 0) continue;
      const [slotsBefore, blocksBefore] = byIdentity[identity] ?? [0, 0];
      byIdentity[identity] = [slotsBefore + leaderSlots, blocksBefore + blocks];
    }
  }
  return { byIdentity, range: { firstSlot, lastSlot } };
}

/** A leader schedule names the identity at the epoch's start. */
function* productionOf(cluster: Cluster, member: Member, { firstSlot, lastSlot }: BlockRange) {
  const { calendar } = cluster;
  const last = calendar.momentOfSlot(lastSlot);
  for (let { epoch } = calendar.momentOfSlot(firstSlot); epoch <= last.epoch; epoch++) {
    const start = calendar.firstSlotOf(epoch);
    const from = Math.max(firstSlot - start, 0);
    const to = Math.min(lastSlot - start + 1, calendar.schedule.slotsPerEpoch);
    const before = leaderSlotsUntil(cluster, member, epoch, from);
    const after = leaderSlotsUntil(cluster, member, epoch, to);
    const identity = cluster.nodes.identityAt(member, calendar.momentOfSlot(start)).address;
    const blocks = Math.floor(after * member.quality) - Math.floor(before * member.quality);
    yield {
      identity,
      leaderSlots: after - before,
      blocks: member.life.role === "silent" ? 0 : blocks,
    };
  }
}

function leaderSlotsUntil(
  { options, stakes }: Cluster,
  member: Member,
  epoch: number,
  slots: number,
): number {
  const ordinal = epoch - options.firstEpoch;
  if (!stakes.isInSet(member, ordinal)) return 0;
  const share = Number(stakes.of(member, ordinal).active) / Number(stakes.totalOf(ordinal));
  return (
    LEADER_SPAN *
    Math.floor((share * slots) / LEADER_SPAN + (slots === 0 ? 0 : member.quality % 0.1))
  );
}

function assertRange(
  { calendar, options }: Cluster,
  range: { firstSlot: number; lastSlot: number; slot: number },
): void {
  const { firstSlot, lastSlot, slot } = range;
  const oldest = calendar.firstSlotOf(
    Math.max(calendar.momentOfSlot(slot).epoch - REMEMBERED_EPOCHS, options.firstEpoch),
  );
  if (firstSlot < oldest)
    throw new RpcFailure("invalidParams", `firstSlot, ${firstSlot}, is too small; min ${oldest}`);
  if (lastSlot > slot)
    throw new RpcFailure("invalidParams", `lastSlot, ${lastSlot}, is too large; max ${slot}`);
  if (lastSlot < firstSlot)
    throw new RpcFailure(
      "invalidParams",
      `lastSlot, ${lastSlot}, cannot be less than firstSlot, ${firstSlot}`,
    );
}
