import { z } from "zod";
import type { CheckEntry, CheckRow, AccountsAnswer, SnapshotEntry, SnapshotRow } from "../entries/entry.ts";
import {
  assertSameEpoch,
  readVotes,
  toReadingHeader,
  type Session,
  assertEpochStayed,
  fromFirst,
  assertNotBehind,
} from "./session.ts";
import type { Locations } from "./locations.ts";
import type { ClosedMevRequest } from "./mev/mev-sources.ts";
import type { MevOptions } from "./mev/mev.ts";
import { readSideSources } from "./side-sources.ts";
import type { StakeRecords } from "./stakes/stake-records.ts";
import type { VoteAccounts } from "./vote-accounts.ts";
import { askWitnesses, readVoteRows } from "./confirmation.ts";
import { readAccounts, decodeVoteAccount, VOTE_ACCOUNT_SLICE_BYTES } from "./accounts.ts";
import type { UsableEndpoint } from "../rpc/ranking.ts";
import { RpcError } from "../rpc/error.ts";
import { withReaders } from "../rpc/retry.ts";
import type { RpcReader } from "../rpc/reader.ts";

/**
 * The light observation of each minute.
 * @param expected vote accounts whose rows are wanted though they are dead
 * @throws {RpcError}
 */
export async function takeCheck(session: Session, expected: ReadonlySet<string>): Promise<CheckEntry> {
  const votes = await readVotes(session, expected);
  await assertSameEpoch(session, votes.slot);
  return { kind: "check", ...toReadingHeader(session, votes), votes: votes.rows.map(toCheckRow) };
}

function toCheckRow({ vote, basisPoints, percent, delinquent, activeStake }: CheckRow): CheckRow {
  return { vote, basisPoints, percent, delinquent, activeStake };
}

export interface SnapshotRequest {
  /** Vote accounts of the ledger's list: those the answer lacks are asked for by key. */
  expected: readonly string[];
  /** Whether to scan the stake accounts; decided when the epoch is known. */
  scanStakeAccounts: (epoch: number) => boolean;
  /** Whether to ask for inflation rate and supply, which nodes work out at some cost. */
  readIssuance: (epoch: number) => boolean;
  /** Who gets each account of the scan, which the entry does not keep; null: nobody. */
  onStakeRecords?: (epoch: number) => ((records: StakeRecords) => void) | null;
  /** What to ask about MEV in the epoch that closed before this one; null: nothing. */
  closedMev: (epoch: number) => ClosedMevRequest | null;
}

/** Kept back for the last check: a side source that hangs costs its own section only. */
const LAST_CHECK_MILLISECONDS = 10_000;

/** What a snapshot cannot be without. */
interface Base {
  session: Session;
  votes: VoteAccounts;
  rows: SnapshotRow[];
  absent: string[];
}

/**
 * First the vote accounts, which must succeed, from whichever endpoint can be read; then every side source, once.
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
  const request = {
    scanStakeAccounts: options.scanStakeAccounts(epoch),
    readIssuance: options.readIssuance(epoch),
    onStakeRecords: options.onStakeRecords?.(epoch) ?? null,
    closedMev: options.closedMev(epoch),
  };
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

/** By every witness: so each commission is exact, and who may change it is known. */
function readAllAccounts(
  { witnesses }: Session,
  { rows, deadline }: { rows: SnapshotRow[]; deadline: number },
): Promise<AccountsAnswer[]> {
  const votes = rows.map(({ vote }) => vote);
  return askWitnesses(witnesses, deadline, (reader, endpoint) => readVoteRows(reader, endpoint, votes));
}

/** A node that does not answer this must not cost the snapshot. */
const PART_OF_THE_TIME = 1 / 4;

/** Missing is not gone: when the node cannot be asked, or answers from an old slot, nothing is said of any. */
async function findAbsent(endpoint: UsableEndpoint, missing: string[]): Promise<string[]> {
  const reader = endpoint.reader.within(PART_OF_THE_TIME);
  try {
    const { accounts, slot } = await readAccounts(reader, { keys: missing, bytes: VOTE_ACCOUNT_SLICE_BYTES });
    if (slot !== null) assertNotBehind(endpoint, slot, "getMultipleAccounts");
    return missing.filter((_, index) => !decodeVoteAccount(accounts[index] ?? null).exists).sort();
  } catch (error) {
    if (error instanceof RpcError) return [];
    throw error;
  }
}

/** Only the difference between an object and null matters. */
const certificateSchema = z.looseObject({}).nullable();

/**
 * Under Alpenglow vote credits are lamports; null: no endpoint can tell. The certificate of its first block is the
 * published way to ask.
 * @param readers preferred first
 */
async function readAlpenglow(readers: RpcReader[]): Promise<boolean | null> {
  try {
    return await withReaders(readers, async (reader) => {
      return (await reader.call({ method: "getAgGenesisCert", schema: certificateSchema })) !== null;
    });
  } catch (error) {
    if (error instanceof RpcError) return null;
    throw error;
  }
}
