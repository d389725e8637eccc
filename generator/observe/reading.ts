import type { Network } from "../contract/networks.ts";
import { ENTRY_FORMAT, type CheckEntry } from "../ledger/entry.ts";
import { BEHIND_SLOTS, type UsableEndpoint } from "./endpoints.ts";
import { readEpochInfo, type EpochInfo } from "./epoch.ts";
import { withFailover } from "./failover.ts";
import { Refusal } from "./refusal.ts";
import { RpcError } from "./rpc-error.ts";
import { readVoteAccounts, type VoteAccounts } from "./vote-accounts.ts";

/** What check and snapshot share: the vote accounts of one endpoint, and where the cluster was. */
export interface Session {
  network: Network;
  /** The endpoint that the vote accounts, or the second reading of some, come from. */
  endpoint: UsableEndpoint;
  /** The usable endpoints in the same epoch, this one first: what one does not offer another may. */
  endpoints: UsableEndpoint[];
  /** Milliseconds since 1970. */
  now: () => number;
  /** When the observation began, by `now`. */
  startedAt: number;
  /** As the readers' own. */
  deadline: number;
}

/** Reads from the first endpoint that can be read, each with its share of the time left. @throws {RpcError} @throws {Refusal} */
export function fromFirst<T>(sessions: Session[], read: (session: Session) => Promise<T>): Promise<T> {
  return withFailover(sessions, ({ endpoint, ...session }, left) =>
    read({ ...session, endpoint: { ...endpoint, reader: endpoint.reader.within(1 / left) } }),
  );
}

type ReadingHeader = Omit<CheckEntry, "kind" | "votes">;

/** The head of an entry read from vote accounts. */
export function toReadingHeader({ network, endpoint, startedAt }: Session, votes: VoteAccounts): ReadingHeader {
  const { epoch, slotIndex, slotsInEpoch, absoluteSlot } = endpoint.epoch;
  return {
    format: ENTRY_FORMAT,
    network,
    time: new Date(startedAt).toISOString(),
    endpoint: endpoint.reader.label,
    slot: votes.slot,
    epoch,
    slotIndex,
    slotsInEpoch,
    absoluteSlot,
    unreadableRows: votes.unreadable.count,
  };
}

/**
 * The list of vote accounts, if it belongs to the endpoint's own slot.
 * @throws {RpcError} `shape` for a list without accounts, `behind` for an old one
 */
export async function readVotes({ endpoint }: Session): Promise<VoteAccounts> {
  const votes = await readVoteAccounts(endpoint.reader);
  if (votes.rows.length === 0) {
    const { count, example } = votes.unreadable;
    const reason = count === 0 ? "no vote account in the list" : `none of ${count} rows is readable: ${example}`;
    throw new RpcError({ kind: "shape", message: `${endpoint.reader.label} getVoteAccounts: ${reason}` });
  }
  assertNotBehind(endpoint, votes.slot, "getVoteAccounts");
  return votes;
}

/**
 * Behind one address may stand several nodes, and the one that answers a call may be far behind the one that told the slot.
 * @param slot of the answer
 * @throws {RpcError} `behind`
 */
export function assertNotBehind({ reader, epoch }: UsableEndpoint, slot: number, method: string): void {
  if (slot >= epoch.absoluteSlot - BEHIND_SLOTS) return;
  const message = `${reader.label} ${method}: the answer is of slot ${slot}, over ${BEHIND_SLOTS} slots before slot ${epoch.absoluteSlot}`;
  throw new RpcError({ kind: "behind", message });
}

/**
 * The last call of a reading: the epoch must be the one it began in, because stakes, credits and the validator set all
 * change with it.
 * @throws {Refusal} when it is not, or when the votes come from a slot that the endpoint has not reached
 */
export async function assertSameEpoch({ endpoint }: Session, votes?: VoteAccounts): Promise<void> {
  const { reader, epoch: before } = endpoint;
  const after = await readEpochInfo(reader);
  refuseOtherEpoch(reader.label, before, after);
  if (votes && votes.slot > after.absoluteSlot + BEHIND_SLOTS) {
    throw new Refusal(
      `${reader.label}: a vote at slot ${votes.slot}, which the node at slot ${after.absoluteSlot} has not reached`,
    );
  }
}

/**
 * The last call of a snapshot, whose sources took a while and may come from any of the endpoints: none of them may be in
 * another epoch. One that does not answer now has others to vouch for it, but not near the end of the epoch, which it may
 * have passed before them.
 * @throws {Refusal} when one is in another epoch @throws {RpcError} when nobody can tell
 */
export async function assertEpochStayed({ endpoint: { epoch: before }, endpoints }: Session): Promise<void> {
  const failures: RpcError[] = [];
  const answers: EpochInfo[] = [];
  const ask = async ({ reader }: UsableEndpoint) => {
    try {
      const after = await readEpochInfo(reader);
      refuseOtherEpoch(reader.label, before, after);
      answers.push(after);
    } catch (error) {
      if (!(error instanceof RpcError)) throw error;
      failures.push(error);
    }
  };
  await Promise.all(endpoints.map(ask));
  const [failure] = failures;
  const isFarFromEnd = answers.some(({ slotIndex, slotsInEpoch }) => slotIndex + BEHIND_SLOTS < slotsInEpoch);
  if (failure !== undefined && !isFarFromEnd) throw failure;
}

function refuseOtherEpoch(label: string, before: EpochInfo, after: EpochInfo): void {
  if (after.epoch === before.epoch) return;
  throw new Refusal(`${label}: the epoch changed from ${before.epoch} to ${after.epoch} during the observation`);
}
