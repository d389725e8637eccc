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
import type { MevRequest } from "./mev/mev-sources.ts";
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

/** @param expected vote accounts whose rows are kept even if dead */
export async function takeCheck(session: Session, expected: ReadonlySet<string>): Promise<CheckEntry> {
  const votes = await readVotes(session, expected);
  await assertSameEpoch(session, votes.slot);
  return { kind: "check", ...toReadingHeader(session, votes), votes: votes.rows.map(toCheckRow) };
}

function toCheckRow({ vote, basisPoints, percent, delinquent, activeStake }: CheckRow): CheckRow {
  return { vote, basisPoints, percent, delinquent, activeStake };
}

export interface SnapshotRequest {
  /** Missing vote accounts are asked for by key. */
  expected: readonly string[];
  scanStakeAccounts: (epoch: number) => boolean;
  /** It costs a node some work. */
  readIssuance: (epoch: number) => boolean;
  /** Entries do not keep the accounts. */
  onStakeRecords?: (epoch: number) => ((records: StakeRecords) => void) | null;
  /** @param votes as listed */
  mev: (epoch: number, votes: readonly string[]) => MevRequest;
}

/** So that a hanging side source costs only its own section. */
const LAST_CHECK_MILLISECONDS = 10_000;

interface Base {
  session: Session;
  votes: VoteAccounts;
  rows: SnapshotRow[];
  absent: string[];
}

export async function takeSnapshot(
  sessions: Session[],
  options: SnapshotRequest & { vendor: MevOptions | null; locations: Locations | null },
): Promise<SnapshotEntry> {
  const { session, votes, rows, absent } = await fromFirst(sessions, (one) => readBase(one, new Set(options.expected)));
  const { network, endpoint, endpoints, dating } = session;
  const { epoch, absoluteSlot, slotIndex } = endpoint.epoch;
  const request = {
    scanStakeAccounts: options.scanStakeAccounts(epoch),
    readIssuance: options.readIssuance(epoch),
    onStakeRecords: options.onStakeRecords?.(epoch) ?? null,
    ...options.mev(
      epoch,
      rows.map(({ vote }) => vote),
    ),
  };
  const deadline = session.deadline - LAST_CHECK_MILLISECONDS;
  const readers = endpoints.map(({ until }) => until(deadline));
  const [accounts, sections, alpenglow] = await Promise.all([
    readAllAccounts(session, { rows, deadline }),
    readSideSources({
      ...options,
      ...request,
      mev: options.vendor,
      network,
      readers,
      witnesses: session.witnesses,
      rows,
      epoch,
      epochFirstSlot: absoluteSlot - slotIndex,
      dating,
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

function readAllAccounts(
  { witnesses }: Session,
  { rows, deadline }: { rows: SnapshotRow[]; deadline: number },
): Promise<AccountsAnswer[]> {
  const votes = rows.map(({ vote }) => vote);
  return askWitnesses(witnesses, deadline, (reader, endpoint) => readVoteRows(reader, endpoint, votes));
}

/** Failing here must not cost the snapshot. */
const PART_OF_THE_TIME = 1 / 4;

/** Missing is not gone: the node may not answer, or from an old slot. */
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

const certificateSchema = z.looseObject({}).nullable();

/** Under Alpenglow vote credits are lamports; the certificate of its first block is the documented test. */
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
