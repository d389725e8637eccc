import { NODES_DIFFER_SLOTS } from "../chain/slots.ts";
import type { Network } from "../contract/networks.ts";
import { majorityOf } from "../contract/panel.ts";
import { ENTRY_FORMAT, type CheckEntry, type PanelRow } from "../entries/entry.ts";
import { type UsableEndpoint, type Witness } from "../rpc/ranking.ts";
import type { Dating } from "../rpc/clock.ts";
import type { WithGrace } from "../rpc/grace.ts";
import { readEpochInfo, type EpochInfo } from "../rpc/epoch.ts";
import type { RpcReader } from "../rpc/reader.ts";
import { RpcError } from "../rpc/error.ts";
import type { VoteAccounts } from "./vote-accounts.ts";

/** More than pass in the 90 s of a snapshot, unless a slot lasts under 18 ms. */
const SNAPSHOT_SLOTS_MAX = 5_000;

/** What one observation reads with. Slots are absolute. */
export interface Session {
  network: Network;
  /** Preferred first, those where the cluster is before the others. */
  usable: UsableEndpoint[];
  witnesses: Witness[];
  clusterSlot: number;
  dating: Dating;
  /** By the readers' clock. */
  deadline: number;
  /** Until when a witness may take for what it is asked now, by the readers' clock. */
  witnessDeadline: () => number;
  /** For what a check waits for. */
  withGrace: WithGrace;
  /** For what is read beside other sources. */
  withSideGrace: WithGrace;
}

type ReadingHeader = Omit<CheckEntry, "kind" | "votes" | "unclear" | "accounts">;

/** @param base whose list an entry keeps whole */
export function toReadingHeader(
  { network, dating }: Session,
  { endpoint, votes }: { endpoint: UsableEndpoint; votes: VoteAccounts },
  panel: PanelRow[],
): ReadingHeader {
  const { epoch, slotIndex, slotsInEpoch, absoluteSlot } = endpoint.epoch;
  return {
    format: ENTRY_FORMAT,
    network,
    time: new Date(dating.startedAt).toISOString(),
    endpoint: endpoint.reader.label,
    slot: votes.slot,
    epoch,
    slotIndex,
    slotsInEpoch,
    absoluteSlot,
    panel,
    unreadableRows: votes.unreadable.count,
  };
}

/** One address may lead to several nodes, some of them far behind. */
export function assertNotBehind(
  { reader, epoch }: UsableEndpoint,
  slot: number,
  method: string,
): void {
  if (slot >= epoch.absoluteSlot - NODES_DIFFER_SLOTS) return;
  const message = `${reader.label} ${method}: the answer is of slot ${slot}, over ${NODES_DIFFER_SLOTS} slots before slot ${epoch.absoluteSlot}`;
  throw new RpcError({ kind: "behind", message });
}

/**
 * The last call of a reading: stakes, credits and validator set change with the epoch.
 * @param slot of what was read since `before`
 * @throws {RpcError} `behind`, or `clock` when the clocks no longer agree
 */
export async function assertSameEpoch(
  reader: RpcReader,
  { before, slot, dating }: { before: EpochInfo; slot: number; dating: Dating },
): Promise<void> {
  const after = await readEpochInfo(reader, dating.assertAgrees);
  refuseOtherEpoch(reader.label, before, after);
  if (slot <= after.absoluteSlot + NODES_DIFFER_SLOTS) return;
  const message = `${reader.label}: the answer is of slot ${slot}, but the node has only reached slot ${after.absoluteSlot}`;
  throw new RpcError({ kind: "behind", message });
}

/**
 * The last call of a snapshot. If an endpoint does not answer, the others stand in for it, except
 * near the epoch's end, which it may have passed first.
 * @throws {RpcError} `behind` when one is in another epoch, else when nobody can answer
 */
export async function assertEpochStayed(
  before: EpochInfo,
  endpoints: readonly UsableEndpoint[],
): Promise<void> {
  const answers = await Promise.all(endpoints.map(readEpochAgain));
  const answered = answers.filter((answer) => "after" in answer);
  const stayed = answered.filter(({ after }) => after.epoch === before.epoch);
  // Stakes and credits carry no epoch of their own, so those of two must not become one entry. But
  // one liar must not fail every snapshot.
  if (stayed.length < majorityOf(answered.length))
    for (const { label, after } of answered) refuseOtherEpoch(label, before, after);
  const failed = answers.find((answer) => "failure" in answer);
  const isSafe =
    slotsLeft(before) > SNAPSHOT_SLOTS_MAX ||
    answered.some(({ after }) => slotsLeft(after) > NODES_DIFFER_SLOTS);
  if (failed !== undefined && !isSafe) throw failed.failure;
}

async function readEpochAgain({
  reader,
}: UsableEndpoint): Promise<{ label: string; after: EpochInfo } | { failure: RpcError }> {
  try {
    return { label: reader.label, after: await readEpochInfo(reader) };
  } catch (failure) {
    if (failure instanceof RpcError) return { failure };
    throw failure;
  }
}

function slotsLeft({ slotIndex, slotsInEpoch }: EpochInfo): number {
  return slotsInEpoch - slotIndex;
}

function refuseOtherEpoch(label: string, before: EpochInfo, after: EpochInfo): void {
  if (after.epoch === before.epoch) return;
  const message = `${label}: the epoch changed from ${before.epoch} to ${after.epoch} during the observation`;
  throw new RpcError({ kind: "behind", message });
}
