import { z } from "zod";
import type { CheckEntry, CheckRow, AccountsAnswer, SnapshotEntry } from "../entries/entry.ts";
import {
  assertEpochStayed,
  assertNotBehind,
  assertSameEpoch,
  toReadingHeader,
  type Session,
} from "./session.ts";
import type { GivenList } from "./lists/base.ts";
import { askForLists } from "./lists/lists.ts";
import { toBaseRows, toPanel } from "./lists/panel-rows.ts";
import type { Locations } from "./locations.ts";
import type { MevOptions } from "./mev/vendor-api.ts";
import { readSideSources, type SideRequest } from "./side-sources.ts";
import { findUnclear, type ListedRate } from "./unclear-rates.ts";
import { askWitnesses, readVoteRows } from "./witnesses.ts";
import { readAccounts, decodeVoteAccount, VOTE_ACCOUNT_SLICE_BYTES } from "./accounts.ts";
import { areLevel } from "../rpc/ranking.ts";
import { RpcError } from "../rpc/error.ts";
import { withReaders } from "../rpc/retry.ts";
import type { RpcReader } from "../rpc/reader.ts";

/** What a check reads beside the vote lists. */
export interface CheckRequest {
  /** Rows of these vote accounts are kept even if dead. */
  expected?: readonly string[];
  /** Whether a listed rate says all; the accounts of those that do not are read too. */
  isClear?: (row: ListedRate) => boolean;
}

/**
 * Reads the vote lists of all witnesses and the accounts of unclear rates.
 * @throws {RpcError} when no witness gives a usable list
 */
export async function takeCheck(
  session: Session,
  { expected: votes = [], isClear = () => true }: CheckRequest,
): Promise<CheckEntry> {
  const expected = new Set(votes);
  const lists = await askForLists(session, expected, (base, reader) =>
    examine(session, base, reader),
  );
  const rows = toBaseRows(lists, expected);
  const panel = toPanel(lists, rows, { expected, isWhole: false });
  const unclear = findUnclear(rows, panel, isClear);
  return {
    kind: "check",
    ...toReadingHeader(session, lists.base, panel),
    votes: rows.map(toCheckRow),
    unclear,
    accounts: unclear.length === 0 ? [] : await readRates(session, unclear),
  };
}

function examine(
  { dating }: Session,
  { endpoint, votes }: GivenList,
  reader: RpcReader,
): Promise<void> {
  return assertSameEpoch(reader, { before: endpoint.epoch, slot: votes.slot, dating });
}

function readRates(session: Session, votes: readonly string[]): Promise<AccountsAnswer[]> {
  const panel = { ...session, deadline: session.witnessDeadline() };
  return askWitnesses(panel, (reader, endpoint) => readVoteRows(reader, endpoint, votes));
}

function toCheckRow({ vote, basisPoints, percent, delinquent, activeStake }: CheckRow): CheckRow {
  return { vote, basisPoints, percent, delinquent, activeStake };
}

/** What a snapshot reads beside the vote lists. */
export interface SnapshotRequest {
  /** Missing vote accounts are asked for by key. */
  expected: readonly string[];
  /**
   * @param epoch the one that it observes
   * @param votes as listed
   */
  sides: (epoch: number, votes: readonly string[]) => SideRequest;
}

/** Time kept back, so that a hanging side source fails only its own section. */
const LAST_CHECK_MILLISECONDS = 10_000;

/**
 * Reads vote lists, accounts and side sources.
 * @throws {RpcError} when no witness gives a usable list, or the epoch ends meanwhile
 */
export async function takeSnapshot(
  session: Session,
  options: SnapshotRequest & { vendor: MevOptions | null; locations: Locations | null },
): Promise<SnapshotEntry> {
  const expected = new Set(options.expected);
  const lists = await askForLists(session, expected, async (base, reader) => {
    const absent = await findAbsent(base, reader, expected);
    await examine(session, base, reader);
    return absent;
  });
  const { network, usable, dating } = session;
  const { endpoint } = lists.base;
  const rows = toBaseRows(lists, expected);
  const panel = toPanel(lists, rows, { expected, isWhole: true });
  const { epoch, absoluteSlot, slotIndex } = endpoint.epoch;
  // One may offer what another refuses.
  const endpoints = [
    endpoint,
    ...usable.filter((one) => one !== endpoint && areLevel(one, endpoint)),
  ];
  const votes = rows.map(({ vote }) => vote);
  const deadline = session.deadline - LAST_CHECK_MILLISECONDS;
  const readers = endpoints.map(({ until }) => until(deadline));
  const { witnesses, withSideGrace: withGrace } = session;
  const panelOfSources = { witnesses, deadline, withGrace };
  const [accounts, sections, alpenglow] = await Promise.all([
    askWitnesses(panelOfSources, (reader, witness) => readVoteRows(reader, witness, votes)),
    readSideSources({
      ...options.sides(epoch, votes),
      locations: options.locations,
      mev: options.vendor,
      network,
      readers,
      ...panelOfSources,
      rows,
      epoch,
      epochFirstSlot: absoluteSlot - slotIndex,
      dating,
    }),
    readAlpenglow(readers),
  ]);
  await assertEpochStayed(endpoint.epoch, endpoints);
  const creditsUnit = alpenglow === null ? null : alpenglow ? "lamports" : "credits";
  return {
    kind: "snapshot",
    ...toReadingHeader(session, lists.base, panel),
    votes: rows,
    accounts,
    absent: lists.examined,
    creditsUnit,
    ...sections,
  };
}

/** This may fail without failing the snapshot. */
const PART_OF_THE_TIME = 1 / 4;

/**
 * A missing row does not mean that the account is gone: the node may not answer, or from an old
 * slot.
 */
async function findAbsent(
  { endpoint, votes }: GivenList,
  reader: RpcReader,
  expected: ReadonlySet<string>,
): Promise<string[]> {
  const listed = new Set(votes.rows.map(({ vote }) => vote));
  const missing = [...expected].filter((vote) => !listed.has(vote));
  try {
    const { accounts, slot } = await readAccounts(reader.within(PART_OF_THE_TIME), {
      keys: missing,
      bytes: VOTE_ACCOUNT_SLICE_BYTES,
    });
    if (slot !== null) assertNotBehind(endpoint, slot, "getMultipleAccounts");
    return missing.filter((_, index) => !decodeVoteAccount(accounts[index] ?? null).exists).sort();
  } catch (error) {
    if (error instanceof RpcError) return [];
    throw error;
  }
}

const certificateSchema = z.looseObject({}).nullable();

/**
 * Under Alpenglow vote credits are lamports; the
 * certificate of its first block is the documented test.
 */
async function readAlpenglow(readers: RpcReader[]): Promise<boolean | null> {
  try {
    return await withReaders(readers, async (reader) => {
      return (
        (await reader.call({ method: "getAgGenesisCert", schema: certificateSchema })) !== null
      );
    });
  } catch (error) {
    if (error instanceof RpcError) return null;
    throw error;
  }
}
