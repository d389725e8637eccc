import type { SnapshotEntry } from "../ledger/entry.ts";
import { findAbsent } from "./absent.ts";
import { readAlpenglow } from "./alpenglow.ts";
import type { Locations } from "./locations.ts";
import type { MevOptions } from "./mev.ts";
import { assertSameEpoch, readVotes, toReadingHeader, type Session } from "./reading.ts";
import { readSideSources } from "./side-sources.ts";
import type { VoteAccounts } from "./vote-accounts.ts";

export interface SnapshotRequest {
  /** Vote accounts of the ledger's list: those the answer lacks are asked for by key. */
  expected: string[];
  /** Whether to scan the stake accounts; decided when the epoch is known. */
  scanStakeAccounts: (epoch: number) => boolean;
  /** Closed epoch to ask the MEV vendor for while this one runs; null: none. */
  closedEpoch: (epoch: number) => number | null;
}

/**
 * The full observation: the vote accounts and every side source. Only the vote accounts must succeed.
 * @param mev null: no vendor configured
 * @param locations null: no databases configured
 * @throws {RpcError} @throws {Refusal}
 */
export async function takeSnapshot(
  session: Session,
  options: SnapshotRequest & { mev: MevOptions | null; locations: Locations | null },
): Promise<SnapshotEntry> {
  const { endpoint, endpoints, now, deadline } = session;
  const { epoch } = endpoint.epoch;
  const request = { scanStakeAccounts: options.scanStakeAccounts(epoch), closedEpoch: options.closedEpoch(epoch) };
  const votes = await readVotes(session);
  const listed = new Set(votes.rows.map(({ vote }) => vote));
  const missing = options.expected.filter((vote) => !listed.has(vote));
  const { rows: found, absent } = await findAbsent(endpoint.reader, missing);
  const rows = [...votes.rows, ...found].sort((a, b) => (a.vote < b.vote ? -1 : 1));
  const readers = endpoints.map(({ reader }) => reader);
  const [sections, creditsUnit] = await Promise.all([
    readSideSources({ ...options, ...request, readers, rows, epoch, now, deadline }),
    findCreditsUnit(session, votes),
  ]);
  await assertSameEpoch(session, votes);
  return { kind: "snapshot", ...toReadingHeader(session, votes), votes: rows, absent, creditsUnit, ...sections };
}

/** What one unit of credits is. An endpoint that cannot tell leaves the separator among the credits as evidence. */
async function findCreditsUnit(
  { network, endpoint }: Session,
  votes: VoteAccounts,
): Promise<SnapshotEntry["creditsUnit"]> {
  const alpenglow = (await readAlpenglow(endpoint.reader)) ?? (votes.separatorSeen || network === "alpenglow");
  return alpenglow ? "lamports" : "credits";
}
