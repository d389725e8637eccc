import type { Network } from "../contract/networks.ts";
import { ENTRY_FORMAT, type CheckEntry, type PanelRow, type SnapshotRow } from "../entries/entry.ts";
import { BEHIND_SLOTS, type UsableEndpoint, type Witness } from "../rpc/ranking.ts";
import type { Dating } from "../rpc/clock.ts";
import { readEpochInfo, type EpochInfo } from "../rpc/epoch.ts";
import type { RpcReader } from "../rpc/reader.ts";
import { withFailover } from "../rpc/retry.ts";
import { toRawText } from "./section.ts";
import { RpcError } from "../rpc/error.ts";
import { readVoteAccounts, type VoteAccounts } from "./vote-accounts.ts";

/** More than pass in the 90 s of a snapshot, unless a slot lasts under 18 ms. */
const SNAPSHOT_SLOTS_MAX = 5_000;

export interface Session {
  network: Network;
  endpoint: UsableEndpoint;
  /** At the same slot, `endpoint` first: one may offer what another refuses. */
  endpoints: UsableEndpoint[];
  witnesses: Witness[];
  dating: Dating;
  /** By the readers' clock. */
  deadline: number;
}

/** None is skipped on another's word: a liar could exclude the others. */
export function fromFirst<T>(sessions: Session[], read: (session: Session) => Promise<T>): Promise<T> {
  return withFailover(sessions, ({ endpoint, ...session }, left) =>
    read({ ...session, endpoint: { ...endpoint, reader: endpoint.reader.within(1 / left) } }),
  );
}

type ReadingHeader = Omit<CheckEntry, "kind" | "votes">;

export function toReadingHeader({ network, endpoint, witnesses, dating }: Session, votes: VoteAccounts): ReadingHeader {
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
    panel: witnesses.map(toPanelRow),
    unreadableRows: votes.unreadable.count,
  };
}

function toPanelRow({ label, endpoints: [first], reason }: Witness): PanelRow {
  return {
    endpoint: label,
    slot: first?.epoch.absoluteSlot ?? null,
    reason: reason === null ? null : toRawText(reason),
  };
}

/**
 * Nodes hide delinquents without stake unless asked for them.
 * @throws {RpcError} `shape` without accounts, `behind` for a list older than the endpoint's slot
 */
export async function readVotes({ endpoint }: Session, expected: ReadonlySet<string>): Promise<VoteAccounts> {
  const all = await readVoteList(endpoint.reader);
  const isLiving = ({ delinquent, activeStake }: SnapshotRow) => !delinquent || activeStake > 0n;
  const votes = { ...all, rows: all.rows.filter((row) => isLiving(row) || expected.has(row.vote)) };
  if (votes.rows.length === 0) {
    const { count, example } = votes.unreadable;
    const reason = count === 0 ? "no vote account in the list" : `none of ${count} rows is readable: ${example}`;
    throw new RpcError({ kind: "shape", message: `${endpoint.reader.label} getVoteAccounts: ${reason}` });
  }
  assertNotBehind(endpoint, votes.slot, "getVoteAccounts");
  return votes;
}

/** With dead accounts, if they can be read: anybody can make accounts without stake. */
export async function readVoteList(reader: RpcReader): Promise<VoteAccounts> {
  try {
    return await readVoteAccounts(reader, { withUnstaked: true });
  } catch (error) {
    if (!(error instanceof RpcError) || error.kind !== "oversized") throw error;
    return await readVoteAccounts(reader);
  }
}

/** One address may lead to several nodes, some of them far behind. */
export function assertNotBehind({ reader, epoch }: UsableEndpoint, slot: number, method: string): void {
  if (slot >= epoch.absoluteSlot - BEHIND_SLOTS) return;
  const message = `${reader.label} ${method}: the answer is of slot ${slot}, over ${BEHIND_SLOTS} slots before slot ${epoch.absoluteSlot}`;
  throw new RpcError({ kind: "behind", message });
}

/**
 * The last call of a reading: stakes, credits and validator set change with the epoch.
 * @throws {RpcError} `behind`, or `clock` when the clocks no longer agree
 */
export async function assertSameEpoch({ endpoint, dating }: Session, slot: number): Promise<void> {
  const { reader, epoch: before } = endpoint;
  const after = await readEpochInfo(reader, dating.assertAgrees);
  refuseOtherEpoch(reader.label, before, after);
  if (slot <= after.absoluteSlot + BEHIND_SLOTS) return;
  const message = `${reader.label}: the answer is of slot ${slot}, but the node has only reached slot ${after.absoluteSlot}`;
  throw new RpcError({ kind: "behind", message });
}

/**
 * The last call of a snapshot. Others vouch for an endpoint that does not answer, except near the epoch's end, which it
 * may have passed first.
 * @throws {RpcError} `behind` when one is in another epoch, else when nobody can tell
 */
export async function assertEpochStayed({ endpoint: { epoch: before }, endpoints }: Session): Promise<void> {
  const answers = await Promise.all(endpoints.map(readEpochAgain));
  const answered = answers.filter((answer) => "after" in answer);
  const moved = answered.filter(({ after }) => after.epoch !== before.epoch);
  // One liar about the epoch must not fail every snapshot.
  if (moved.length * 2 >= answered.length) for (const { label, after } of moved) refuseOtherEpoch(label, before, after);
  const failed = answers.find((answer) => "failure" in answer);
  const isSafe =
    slotsLeft(before) > SNAPSHOT_SLOTS_MAX || answered.some(({ after }) => slotsLeft(after) > BEHIND_SLOTS);
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
