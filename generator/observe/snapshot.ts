import type { AccountsAnswer, SnapshotEntry, SnapshotRow } from "../entries/entry.ts";
import { findAbsent } from "./absent.ts";
import { readAlpenglow } from "./alpenglow.ts";
import type { Locations } from "./locations.ts";
import type { ClosedMevRequest } from "./mev/mev-sources.ts";
import type { MevOptions } from "./mev/mev.ts";
import { assertEpochStayed, assertSameEpoch, fromFirst, readVotes, toReadingHeader, type Session } from "./reading.ts";
import { readSideSources } from "./side-sources.ts";
import type { VoteAccounts } from "./vote-accounts.ts";
import { askWitnesses, readVoteRows } from "./witness-accounts.ts";

export interface SnapshotRequest {
  /** Vote accounts of the ledger's list: those the answer lacks are asked for by key. */
  expected: readonly string[];
  /** Whether to scan the stake accounts; decided when the epoch is known. */
  scanStakeAccounts: (epoch: number) => boolean;
  /** What to ask about MEV in the epoch that closed before this one; null: nothing. */
  closedMev: (epoch: number) => ClosedMevRequest | null;
}

/** Kept back of the snapshot's time for its last check: a side source that hangs must cost its own section only. */
const LAST_CHECK_MILLISECONDS = 10_000;

/** What a snapshot cannot be without. */
interface Base {
  session: Session;
  votes: VoteAccounts;
  rows: SnapshotRow[];
  absent: string[];
}

/**
 * The full observation: first the vote accounts, which must succeed and cost little, from whichever endpoint can be read;
 * then every side source, once.
 * @param sessions one for each usable endpoint, preferred first
 * @param mev null: no vendor configured
 * @param locations null: no databases configured
 * @throws {RpcError}
 */
export async function takeSnapshot(
  sessions: Session[],
  options: SnapshotRequest & { mev: MevOptions | null; locations: Locations | null },
): Promise<SnapshotEntry> {
  const { session, votes, rows, absent } = await fromFirst(sessions, (one) => readBase(one, new Set(options.expected)));
  const { network, endpoint, endpoints, now } = session;
  const { epoch, absoluteSlot, slotIndex } = endpoint.epoch;
  const request = { scanStakeAccounts: options.scanStakeAccounts(epoch), closedMev: options.closedMev(epoch) };
  const deadline = session.deadline - LAST_CHECK_MILLISECONDS;
  const readers = endpoints.map(({ until }) => until(deadline));
  const [accounts, sections, alpenglow] = await Promise.all([
    readAllAccounts(session, { rows, deadline }),
    readSideSources({
      ...options,
      ...request,
      network,
      readers,
      witnesses: session.witnesses,
      rows,
      epoch,
      epochFirstSlot: absoluteSlot - slotIndex,
      now,
      deadline,
    }),
    readAlpenglow(readers),
  ]);
  await assertEpochStayed(session);
  const creditsUnit = alpenglow === null ? null : alpenglow ? "lamports" : "credits";
  return {
    kind: "snapshot",
    ...toReadingHeader(session, votes),
    votes: rows,
    accounts,
    absent,
    creditsUnit,
    ...sections,
  };
}

async function readBase(session: Session, expected: ReadonlySet<string>): Promise<Base> {
  const votes = await readVotes(session, expected);
  const listed = new Set(votes.rows.map(({ vote }) => vote));
  const missing = [...expected].filter((vote) => !listed.has(vote));
  const absent = await findAbsent(session.endpoint, missing);
  await assertSameEpoch(session, votes.slot);
  return { session, votes, rows: votes.rows, absent };
}

/** Every vote account of the list by every witness: so each rate is exact, and who may change it is known. */
function readAllAccounts(
  { witnesses }: Session,
  { rows, deadline }: { rows: SnapshotRow[]; deadline: number },
): Promise<AccountsAnswer[]> {
  const votes = rows.map(({ vote }) => vote);
  return askWitnesses(witnesses, deadline, (reader, endpoint) => readVoteRows(reader, endpoint, votes));
}
