import { NODES_DIFFER_SLOTS } from "../chain/slots.ts";
import type { PanelList, PanelRow, SnapshotRow } from "../entries/entry.ts";
import { areAlike, toTotals } from "../entries/list-totals.ts";
import { RpcError } from "../rpc/error.ts";
import type { EpochInfo } from "../rpc/epoch.ts";
import { type UsableEndpoint, type Witness } from "../rpc/ranking.ts";
import type { RpcReader } from "../rpc/reader.ts";
import { toRawText } from "./section.ts";
import { assertNotBehind, type Session } from "./session.ts";
import { readVoteAccounts, type VoteAccounts } from "./vote-accounts.ts";
import { askEachWitness } from "./witnesses.ts";

/** A witness's list of vote accounts, with dead ones, and the endpoint that gave it. */
export interface GivenList {
  witness: Witness;
  endpoint: UsableEndpoint;
  votes: VoteAccounts;
}

type WitnessList = GivenList | { witness: Witness; failure: RpcError };

/**
 * Lists of all witnesses, in their order, of which
 * one is the base that the others are compared with.
 */
export interface Lists<T> {
  all: readonly WitnessList[];
  base: GivenList;
  /** What the examination of the base gave. */
  examined: T;
}

/**
 * Asks every witness for its list at the same time. A base that fails
 * its examination is a failed list, and another one becomes the base.
 * @param expected vote accounts whose rows count even if dead
 * @param examine may use `reader` for its calls
 * @throws {RpcError} with every witness's reason, when
 * none is left; `behind` when that passes by itself
 */
export async function readLists<T>(
  session: Session,
  expected: ReadonlySet<string>,
  examine: (base: GivenList, reader: RpcReader) => Promise<T>,
): Promise<Lists<T>> {
  const panel = { ...session, deadline: session.witnessDeadline() };
  const answers = await askEachWitness(panel, (reader, endpoint) =>
    readList(reader, endpoint, expected),
  );
  const all = answers.map((one): WitnessList => {
    return "failure" in one
      ? one
      : { witness: one.witness, endpoint: one.endpoint, votes: one.answer };
  });
  return examineBase(session, all, examine);
}

/**
 * @throws {RpcError} `shape` without accounts, `behind` for a list older than the endpoint's slot
 */
async function readList(
  reader: RpcReader,
  endpoint: UsableEndpoint,
  expected: ReadonlySet<string>,
): Promise<VoteAccounts> {
  const votes = await readVoteList(reader);
  if (!votes.rows.some((row) => isCounted(row, expected))) {
    const { count, example } = votes.unreadable;
    const reason =
      count === 0 ? "no vote account in the list" : `none of ${count} rows is readable: ${example}`;
    throw new RpcError({ kind: "shape", message: `${reader.label} getVoteAccounts: ${reason}` });
  }
  assertNotBehind(endpoint, votes.slot, "getVoteAccounts");
  return votes;
}

/**
 * Nodes hide delinquents without stake unless asked for them. With dead
 * accounts, if they can be read: anybody can make accounts without stake.
 */
async function readVoteList(reader: RpcReader): Promise<VoteAccounts> {
  try {
    return await readVoteAccounts(reader, { withUnstaked: true });
  } catch (error) {
    if (!(error instanceof RpcError) || error.kind !== "oversized") throw error;
    return await readVoteAccounts(reader);
  }
}

function isCounted(
  { vote, delinquent, activeStake }: SnapshotRow,
  expected: ReadonlySet<string>,
): boolean {
  return !delinquent || activeStake > 0n || expected.has(vote);
}

async function examineBase<T>(
  session: Session,
  all: readonly WitnessList[],
  examine: (base: GivenList, reader: RpcReader) => Promise<T>,
): Promise<Lists<T>> {
  const given = all.filter((one) => "votes" in one);
  const base = chooseBase(given, session.clusterSlot);
  if (base === null) throw toFailure(all);
  try {
    return {
      all,
      base,
      examined: await examine(base, base.endpoint.reader.within(1 / given.length)),
    };
  } catch (failure) {
    if (!(failure instanceof RpcError)) throw failure;
    const { witness } = base;
    const left = all.map((one) => (one === base ? { witness, failure } : one));
    return examineBase(session, left, examine);
  }
}

/**
 * Chooses the base so that a liar read first does not decide. Among the lists at the cluster's
 * slot and on the schedule of most witnesses, the base is the one that most lists resemble; among
 * these, the one that differs least from the others. Of two, and of equals, it is the first as
 * configured with basis points, because percents in other lists then are no difference.
 */
function chooseBase(given: readonly GivenList[], clusterSlot: number): GivenList | null {
  const counted = onScheduleOfMost(nearestTo(clusterSlot, given));
  const totals = counted.map(({ votes }) => toTotals(votes.rows));
  const likes = totals.map((one) => totals.filter((other) => areAlike(one, other)).length);
  const liked = counted.filter((_, index) => likes[index] === Math.max(...likes));
  const listed = liked.map(({ votes }) => toComparable(votes));
  const distances = listed.map((one) =>
    listed.reduce((sum, other) => sum + countDifferences(one, other), 0),
  );
  const closest = liked.filter((_, index) => distances[index] === Math.min(...distances));
  return closest.find(({ votes }) => hasBasisPointsIn(votes.rows)) ?? closest[0] ?? null;
}

/** Without dead ones, which only some answers have. */
interface ComparableList {
  hasBasisPoints: boolean;
  byVote: ReadonlyMap<string, SnapshotRow>;
}

const NONE_EXPECTED: ReadonlySet<string> = new Set();

function toComparable({ rows }: VoteAccounts): ComparableList {
  const counted = rows.filter((row) => isCounted(row, NONE_EXPECTED));
  return {
    hasBasisPoints: hasBasisPointsIn(counted),
    byVote: new Map(counted.map((row) => [row.vote, row])),
  };
}

/** Vote accounts that are in one list only, or otherwise in the other. */
function countDifferences(one: ComparableList, other: ComparableList): number {
  if (one === other) return 0;
  const comparesBasisPoints = one.hasBasisPoints && other.hasBasisPoints;
  let [shared, same] = [0, 0];
  for (const row of one.byVote.values()) {
    const others = other.byVote.get(row.vote);
    if (others === undefined) continue;
    shared += 1;
    if (isAlike(row, others, { comparesBasisPoints, isWhole: true })) same += 1;
  }
  return one.byVote.size + other.byVote.size - shared - same;
}

/** If no list is at the cluster's slot, the nearest. */
function nearestTo(clusterSlot: number, given: readonly GivenList[]): GivenList[] {
  const distanceOf = ({ endpoint, votes }: GivenList) =>
    Math.max(
      ...[endpoint.epoch.absoluteSlot, votes.slot].map((slot) => Math.abs(slot - clusterSlot)),
    );
  const most = Math.max(NODES_DIFFER_SLOTS, Math.min(...given.map(distanceOf)));
  return given.filter((one) => distanceOf(one) <= most);
}

/**
 * An epoch with another first or last slot is another epoch. Of equally many, the first as
 * configured counts.
 */
function onScheduleOfMost(given: readonly GivenList[]): GivenList[] {
  const scheduleOf = ({ epoch, absoluteSlot, slotIndex, slotsInEpoch }: EpochInfo) =>
    [epoch, absoluteSlot - slotIndex, slotsInEpoch].join(" ");
  const alike = [...Map.groupBy(given, ({ endpoint }) => scheduleOf(endpoint.epoch)).values()];
  return alike.reduce<GivenList[]>((most, one) => (one.length > most.length ? one : most), []);
}

function toFailure(all: readonly WitnessList[]): RpcError {
  const failures = all.flatMap((one) => ("failure" in one ? [one.failure] : []));
  const kind = failures.find((one) => one.kind === "behind")?.kind ?? "network";
  return new RpcError({ kind, message: failures.map(({ message }) => message).join("; ") });
}

/** The rows of the base that an entry keeps. */
export function toBaseRows({ base }: Lists<unknown>, expected: ReadonlySet<string>): SnapshotRow[] {
  return base.votes.rows.filter((row) => isCounted(row, expected));
}

interface Comparison {
  expected: ReadonlySet<string>;
  /** Whether identities and the validator set count: the rows of a check have neither. */
  isWhole: boolean;
}

/** @param rows of the base, as the entry keeps them */
export function toPanel(
  { all, base }: Lists<unknown>,
  rows: readonly SnapshotRow[],
  comparison: Comparison,
): PanelRow[] {
  const kept = new Map(rows.map((row) => [row.vote, row]));
  return all.map((one) => {
    if ("failure" in one) return toFailedRow(one.witness, one.failure);
    const { reader, epoch } = one.endpoint;
    const { slot, unreadable } = one.votes;
    const differences =
      one === base
        ? { hasBasisPoints: true, lacks: [], rows: [] }
        : compare(kept, one.votes.rows, comparison);
    const list = { slot, unreadableRows: unreadable.count, ...differences };
    return { endpoint: reader.label, ...toPosition(epoch), list, reason: null };
  });
}

function toFailedRow({ label, endpoints: [first] }: Witness, failure: RpcError): PanelRow {
  return {
    endpoint: label,
    ...toPosition(first?.epoch ?? null),
    list: null,
    reason: toRawText(failure.message),
  };
}

function toPosition(
  info: EpochInfo | null,
): Pick<PanelRow, "slot" | "epoch" | "firstSlot" | "slotsInEpoch"> {
  if (info === null) return { slot: null, epoch: null, firstSlot: null, slotsInEpoch: null };
  const { absoluteSlot: slot, epoch, slotIndex, slotsInEpoch } = info;
  return { slot, epoch, firstSlot: slot - slotIndex, slotsInEpoch };
}

/**
 * Both are sorted by vote account, and so is the difference. Of accounts that the
 * base lacks, it has at most as many as the base: a liar may list any number.
 */
function compare(
  kept: ReadonlyMap<string, SnapshotRow>,
  listed: readonly SnapshotRow[],
  { expected, isWhole }: Comparison,
): Pick<PanelList, "hasBasisPoints" | "lacks" | "rows"> {
  const hasBasisPoints = hasBasisPointsIn(listed);
  const added = listed
    .filter((row) => !kept.has(row.vote) && isCounted(row, expected))
    .slice(0, kept.size);
  const isKept = new Set(added);
  const rows = listed.filter((row) => {
    const known = kept.get(row.vote);
    return known === undefined
      ? isKept.has(row)
      : !isAlike(known, row, { comparesBasisPoints: hasBasisPoints, isWhole });
  });
  const own = new Set(listed.map(({ vote }) => vote));
  return {
    hasBasisPoints,
    lacks: [...kept.keys()].filter((vote) => !own.has(vote)),
    rows: rows.map(toListedRow),
  };
}

function hasBasisPointsIn(rows: readonly SnapshotRow[]): boolean {
  return rows.some(({ basisPoints }) => basisPoints !== null);
}

function isAlike(
  one: SnapshotRow,
  other: SnapshotRow,
  { comparesBasisPoints, isWhole }: { comparesBasisPoints: boolean; isWhole: boolean },
): boolean {
  return (
    (!comparesBasisPoints || one.basisPoints === other.basisPoints) &&
    one.percent === other.percent &&
    one.delinquent === other.delinquent &&
    one.activeStake === other.activeStake &&
    (!isWhole || (one.identity === other.identity && one.inValidatorSet === other.inValidatorSet))
  );
}

function toListedRow(row: SnapshotRow): PanelList["rows"][number] {
  const { vote, basisPoints, percent, delinquent, activeStake, identity, inValidatorSet } = row;
  return { vote, basisPoints, percent, delinquent, activeStake, identity, inValidatorSet };
}
