import type { Network } from "../contract/networks.ts";
import { ENTRY_FORMAT, type CheckEntry, type PanelRow, type SnapshotRow } from "../entries/entry.ts";
import { BEHIND_SLOTS, type UsableEndpoint, type Witness } from "../rpc/ranking.ts";
import type { Dating } from "../rpc/clock.ts";
import { readEpochInfo, type EpochInfo } from "../rpc/epoch.ts";
import { withFailover } from "../rpc/retry.ts";
import { toRawText } from "./section.ts";
import { RpcError } from "../rpc/error.ts";
import { readVoteAccounts, type VoteAccounts } from "./vote-accounts.ts";

/** More than pass during the 90 s of a snapshot: a slot would have to last under 18 ms. */
const SNAPSHOT_SLOTS_MAX = 5_000;

/** What check and snapshot share: the vote accounts of one endpoint, and where the cluster was. */
export interface Session {
  network: Network;
  /** The endpoint that the vote accounts, or the second reading of some, come from. */
  endpoint: UsableEndpoint;
  /** The endpoints at the same slot, this one first: what one does not offer another may. */
  endpoints: UsableEndpoint[];
  /** All that are held against each other, whether or not they can be asked. */
  witnesses: Witness[];
  /** Milliseconds since 1970. */
  now: () => number;
  /** When the observation began, by `now`, and whether an endpoint's clock agrees. */
  dating: Dating;
  /** As the readers' own. */
  deadline: number;
}

/**
 * The first endpoint that can be read, each with its share of the time. None is passed over for another's word: a false
 * one must not shut out the others.
 * @throws {RpcError}
 */
export function fromFirst<T>(sessions: Session[], read: (session: Session) => Promise<T>): Promise<T> {
  return withFailover(sessions, ({ endpoint, ...session }, left) =>
    read({ ...session, endpoint: { ...endpoint, reader: endpoint.reader.within(1 / left) } }),
  );
}

type ReadingHeader = Omit<CheckEntry, "kind" | "votes">;

/** The head of an entry read from vote accounts. */
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

/** Where each witness said that it was. */
function toPanelRow({ label, endpoints: [first], reason }: Witness): PanelRow {
  return {
    endpoint: label,
    slot: first?.epoch.absoluteSlot ?? null,
    reason: reason === null ? null : toRawText(reason),
  };
}

/**
 * All with stake, all that vote, and those expected: a node leaves out who is delinquent without stake, unless it is
 * asked.
 * @throws {RpcError} `shape` for a list without accounts, `behind` when it is not of the endpoint's own slot
 */
export async function readVotes({ endpoint }: Session, expected: ReadonlySet<string>): Promise<VoteAccounts> {
  const all = await readVoteAccounts(endpoint.reader, { withUnstaked: true });
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

/**
 * Behind one address several nodes may stand, one far behind the other.
 * @param slot of the answer
 * @throws {RpcError} `behind`
 */
export function assertNotBehind({ reader, epoch }: UsableEndpoint, slot: number, method: string): void {
  if (slot >= epoch.absoluteSlot - BEHIND_SLOTS) return;
  const message = `${reader.label} ${method}: the answer is of slot ${slot}, over ${BEHIND_SLOTS} slots before slot ${epoch.absoluteSlot}`;
  throw new RpcError({ kind: "behind", message });
}

/**
 * The last call of a reading: stakes, credits and the validator set all change with the epoch.
 * @param slot of what was read
 * @throws {RpcError} `behind` in another epoch, or where the endpoint has not reached the slot; `clock` when the
 * observation is dated wrongly by now
 */
export async function assertSameEpoch({ endpoint, dating }: Session, slot: number): Promise<void> {
  const { reader, epoch: before } = endpoint;
  const after = await readEpochInfo(reader, dating.assertAgrees);
  refuseOtherEpoch(reader.label, before, after);
  if (slot <= after.absoluteSlot + BEHIND_SLOTS) return;
  const message = `${reader.label}: an answer of slot ${slot}, which the node at slot ${after.absoluteSlot} has not reached`;
  throw new RpcError({ kind: "behind", message });
}

/**
 * The last call of a snapshot, whose sources may come from any endpoint: none may be in another epoch. For one that
 * does not answer now others vouch, but not near the end of the epoch, which it may have passed before them.
 * @throws {RpcError} `behind` when one is in another epoch, else when nobody can tell
 */
export async function assertEpochStayed({ endpoint: { epoch: before }, endpoints }: Session): Promise<void> {
  const answers = await Promise.all(endpoints.map(readEpochAgain));
  const answered = answers.filter((answer) => "after" in answer);
  const moved = answered.filter(({ after }) => after.epoch !== before.epoch);
  // One that lies about its epoch in the end must not cost every snapshot.
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
