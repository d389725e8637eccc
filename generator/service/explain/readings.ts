import {
  agrees,
  type Commission,
  toCommission,
  toKnownBasisPoints,
  toStoredCommission,
} from "../../chain/commission.ts";
import { findRow, toWitnessList } from "../../agree/witness-lists.ts";
import { originOf } from "../../contract/origin.ts";
import type {
  AccountsAnswer,
  CheckEntry,
  CheckRow,
  Entry,
  HistoryEntry,
  HistoryPoint,
  PanelRow,
  SnapshotEntry,
} from "../../entries/entry.ts";
import type { MevState } from "../../ledger/records.ts";
import type { ExplainedEvent } from "./event.ts";

type ReadingOf = "votes" | "account" | "tips" | "history";

/** A witness: the slot of its answer, or why there is none. */
type WitnessAnswer = { endpoint: string; slot: number } | { endpoint: string; reason: string };

/** One witness's answer about the event's validator. */
export interface Reading {
  of: ReadingOf;
  /** null: a public history. */
  by: WitnessAnswer | null;
  /** As the journal keeps it; null: the answer lacks the validator. */
  row: object | null;
  /** "either": a percent that fits both. */
  shows: "old" | "new" | "either" | "another" | "nothing";
}

type Sought = Pick<ExplainedEvent, "votePubkey" | "source" | "epoch" | "from" | "to">;

/** What an entry says of the event's validator and kind of commission. */
export function readingsOf(entry: Entry, sought: Sought): Reading[] {
  switch (entry.kind) {
    case "check":
      return sought.source === "COMMISSION" ? ofRates(entry, sought) : [];
    case "snapshot":
      return sought.source === "COMMISSION" ? ofRates(entry, sought) : ofTips(entry, sought);
    case "history":
      return ofHistory(entry, sought);
    case "transactions":
      return [];
  }
}

/** Each witness's list, then each one's account. */
function ofRates(entry: CheckEntry | SnapshotEntry, sought: Sought): Reading[] {
  const readings = [
    ...entry.panel.map((witness) => ofList(entry, witness, sought)),
    ...ofAccounts(entry, sought),
  ];
  // If no witness shows the account, it may not exist yet.
  return readings.some(({ row }) => row !== null) ? readings : [];
}

function ofList(
  { votes }: CheckEntry | SnapshotEntry,
  { endpoint, list, reason }: PanelRow,
  sought: Sought,
): Reading {
  if (list === null) return ofSilent("votes", { endpoint, reason: reason ?? "it gave no list" });
  const { votePubkey } = sought;
  const shared = votes.find(({ vote }) => vote === votePubkey) ?? null;
  const row = toComparedRow(findRow(toWitnessList(endpoint, list), votePubkey, shared));
  const shows = row === null ? "nothing" : sideOf(toCommission(row, { isWhole: false }), sought);
  return { of: "votes", by: { endpoint, slot: list.slot }, row, shows };
}

/**
 * Only what the lists are compared by: the rest of a
 * snapshot's row is the answer of its own endpoint.
 */
function toComparedRow(row: CheckRow | null): CheckRow | null {
  if (row === null) return null;
  const { vote, basisPoints, percent, delinquent, activeStake } = row;
  return { vote, basisPoints, percent, delinquent, activeStake };
}

/**
 * Readings of accounts. A check reads those that its lists leave unclear. A witness without a list
 * is reported with its list already.
 */
function ofAccounts(entry: CheckEntry | SnapshotEntry, sought: Sought): Reading[] {
  const asked = entry.kind === "check" ? entry.unclear : entry.votes.map(({ vote }) => vote);
  const index = asked.indexOf(sought.votePubkey);
  const silent = new Set(
    entry.panel.flatMap(({ endpoint, list }) => (list === null ? originOf(endpoint) : [])),
  );
  const answers = entry.accounts.filter(
    ({ state, endpoint }) => state === "ok" || !silent.has(originOf(endpoint)),
  );
  return index === -1 ? [] : answers.map((answer) => ofAccount(answer, index, sought));
}

function ofAccount(answer: AccountsAnswer, index: number, sought: Sought): Reading {
  if (answer.state === "failed") return ofSilent("account", answer);
  const by = { endpoint: answer.endpoint, slot: answer.slot };
  const account = answer.rows[index] ?? null;
  if (account === null) return { of: "account", by, row: null, shows: "nothing" };
  const [basisPoints, percent, withdrawAuthority] = account;
  const shows = sideOf(toStoredCommission({ basisPoints, percent }), sought);
  return { of: "account", by, row: { basisPoints, percent, withdrawAuthority }, shows };
}

function ofSilent(
  of: ReadingOf,
  { endpoint, reason }: { endpoint: string; reason: string },
): Reading {
  return { of, by: { endpoint, reason }, row: null, shows: "nothing" };
}

/** Each witness's reading of the tip accounts of the event's epoch and the one before. */
function ofTips({ tips: section }: SnapshotEntry, sought: Sought): Reading[] {
  if (section.state !== "ok") return [];
  const { tips, answers } = section.value;
  return tips.flatMap(({ vote, epoch }, index) => {
    if (vote !== sought.votePubkey || !isNear(epoch, sought)) return [];
    return answers.map((answer): Reading => {
      if (answer.state === "failed") return ofSilent("tips", answer);
      const share = answer.shares[index] ?? null;
      const by = { endpoint: answer.endpoint, slot: answer.slot };
      const row = { epoch, exists: share !== null, mevBasisPoints: share?.[0] ?? null };
      return { of: "tips", by, row, shows: sideOfTip(row, sought) };
    });
  });
}

/** MEV was disabled: the epoch before shows the old state, the event's own the new one. */
function isNear(closed: number, { epoch }: Sought): boolean {
  return closed === epoch || closed === epoch - 1;
}

/** Points of the event's epoch and the one before. */
function ofHistory({ validators }: HistoryEntry, sought: Sought): Reading[] {
  const points = validators.find(({ vote }) => vote === sought.votePubkey)?.points ?? [];
  return points
    .filter(({ epoch }) => isNear(epoch, sought))
    .map((row) => ({ of: "history", by: null, row, shows: sideOfPoint(row, sought) }));
}

function sideOfPoint({ percent, mevBasisPoints }: HistoryPoint, sought: Sought): Reading["shows"] {
  if (sought.source === "MEV") return sideOfMev(toKnownBasisPoints(mevBasisPoints), sought);
  return sideOf(toCommission({ basisPoints: null, percent }, { isWhole: false }), sought);
}

function sideOf(commission: Commission | null, { from, to }: Sought): Reading["shows"] {
  if (commission === null) return "nothing";
  const is = (value: MevState) =>
    typeof value === "number" && agrees(commission, { basisPoints: value, exact: true });
  if (is(from) && is(to)) return "either";
  if (is(from)) return "old";
  return is(to) ? "new" : "another";
}

/** No account of the event's epoch: disabled, if the epoch is over. */
function sideOfTip(
  row: { exists: boolean; mevBasisPoints: number | null },
  sought: Sought,
): Reading["shows"] {
  return sideOfMev(row.exists ? toKnownBasisPoints(row.mevBasisPoints) : "disabled", sought);
}

function sideOfMev(mev: MevState, { from, to }: Sought): Reading["shows"] {
  if (mev === null) return "nothing";
  if (mev === to) return "new";
  return mev === from ? "old" : "another";
}
