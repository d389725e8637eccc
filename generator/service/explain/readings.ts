import { agrees, toCommission, toKnownBasisPoints, toStoredCommission } from "../../ledger/commission.ts";
import type {
  AccountsAnswer,
  ConfirmEntry,
  Entry,
  HistoryEntry,
  PanelClosedTips,
  PanelConfirmEntry,
  SnapshotEntry,
} from "../../entries/entry.ts";
import type { Commission, MevState } from "../../ledger/records.ts";
import type { ExplainedEvent } from "./event.ts";

/** Part of an entry that shows a validator. */
export type ReadingOf = "votes" | "account" | "mev" | "tips" | "closedMev" | "closedTips" | "history";

/** A witness of a panel: the slot of its answer, or why there is none. */
export type Voice = { endpoint: string; slot: number } | { endpoint: string; reason: string };

/** What one part of an entry says of an event's validator. */
export interface Reading {
  of: ReadingOf;
  /** The witness; null: the entry's own endpoint. */
  by: Voice | null;
  /** As the journal keeps it, not interpreted; null: the answer lacks the validator. */
  row: object | null;
  /** Size and epoch of a closed epoch's list; null for other parts. */
  list: { epoch: number; rows: number } | null;
  /** The side of the event it shows; "either": a percent that fits both. */
  shows: "old" | "new" | "either" | "another" | "nothing";
}

export type Sought = Pick<ExplainedEvent, "votePubkey" | "source" | "epoch" | "from" | "to">;

/** All that an entry says of the event's validator and kind of commission. Empty for a ruling. */
export function readingsOf(entry: Entry, sought: Sought): Reading[] {
  switch (entry.kind) {
    case "check":
      return sought.source === "COMMISSION" ? ofVotes(entry.votes, sought) : [];
    case "snapshot":
      return sought.source === "COMMISSION" ? ofSnapshot(entry, sought) : ofMevSections(entry, sought);
    case "confirm":
      return sought.source === "COMMISSION" ? ofAccounts(entry, sought) : ofTips(entry, sought);
    case "history":
      return ofHistory(entry, sought);
    case "ruling":
    case "transactions":
      return [];
  }
}

type Said = { vote: string; basisPoints: number | null; percent: number | null };

function ofVotes(votes: readonly Said[], sought: Sought): Reading[] {
  return votes
    .filter(({ vote }) => vote === sought.votePubkey)
    .map((row) => ({
      of: "votes",
      by: null,
      row,
      list: null,
      shows: sideOf(toCommission(row, { isWhole: false }), sought),
    }));
}

function ofAccounts(entry: ConfirmEntry, sought: Sought): Reading[] {
  if ("answers" in entry) return ofAnswers(entry, sought);
  return entry.accounts
    .filter(({ vote }) => vote === sought.votePubkey)
    .map((row) => ({ of: "account", by: null, row, list: null, shows: sideOf(toStoredCommission(row), sought) }));
}

function ofSnapshot({ votes, accounts = [] }: SnapshotEntry, sought: Sought): Reading[] {
  const keys = votes.map(({ vote }) => vote);
  return [...ofVotes(votes, sought), ...ofAnswers({ votes: keys, answers: accounts }, sought)];
}

function ofAnswers(
  { votes, answers }: { votes: readonly string[]; answers: readonly AccountsAnswer[] },
  sought: Sought,
): Reading[] {
  const index = votes.indexOf(sought.votePubkey);
  if (index === -1) return [];
  return answers.map((answer): Reading => {
    if (answer.state === "failed") return ofSilent("account", answer);
    const { endpoint, slot, rows } = answer;
    const by = { endpoint, slot };
    const account = rows[index] ?? null;
    if (account === null) return { of: "account", by, row: null, list: null, shows: "nothing" };
    const [basisPoints, percent, withdrawAuthority] = account;
    const shows = sideOf(toStoredCommission({ basisPoints, percent }), sought);
    return { of: "account", by, row: { basisPoints, percent, withdrawAuthority }, list: null, shows };
  });
}

function ofSilent(of: ReadingOf, { endpoint, reason }: { endpoint: string; reason: string }): Reading {
  return { of, by: { endpoint, reason }, row: null, list: null, shows: "nothing" };
}

function ofTips(entry: ConfirmEntry, sought: Sought): Reading[] {
  if ("answers" in entry) return ofTipAnswers(entry, sought);
  return entry.tips
    .filter(({ vote }) => vote === sought.votePubkey)
    .map((row) => ({
      of: "tips",
      by: null,
      row,
      list: null,
      shows: sideOfMev(toKnownBasisPoints(row.mevBasisPoints), sought),
    }));
}

function ofTipAnswers({ tips, answers }: PanelConfirmEntry, sought: Sought): Reading[] {
  return tips.flatMap(({ vote, epoch }, index) => {
    if (vote !== sought.votePubkey) return [];
    return answers.map((answer): Reading => {
      if (answer.state === "failed") return ofSilent("tips", answer);
      const { endpoint, slot, shares } = answer;
      const share = shares[index] ?? null;
      const row = { epoch, exists: share !== null, mevBasisPoints: share?.[0] ?? null };
      const shows = sideOfMev(toKnownBasisPoints(row.mevBasisPoints), sought);
      return { of: "tips", by: { endpoint, slot }, row, list: null, shows };
    });
  });
}

/** The lists of the running epoch, and answers about closed ones that can have decided. */
function ofMevSections({ mev, tips, closedMev, closedTips }: SnapshotEntry, sought: Sought): Reading[] {
  const isOwn = ({ vote }: { vote: string }) => vote === sought.votePubkey;
  const latest = [
    ...(mev.state === "ok" ? mev.value.rows.filter(isOwn).map((row) => ({ of: "mev" as const, row })) : []),
    ...(tips.state === "ok" ? tips.value.rows.filter(isOwn).map((row) => ({ of: "tips" as const, row })) : []),
  ].map(({ of, row }) => ({
    of,
    by: null,
    row,
    list: null,
    shows: sideOfMev(toKnownBasisPoints(row.mevBasisPoints), sought),
  }));
  const closed: Reading[] = [];
  if (closedMev.state === "ok" && isNear(closedMev.value.epoch, sought)) {
    const { epoch, rows } = closedMev.value;
    const row = rows.find(isOwn) ?? null;
    closed.push({
      of: "closedMev",
      by: null,
      row,
      list: { epoch, rows: rows.length },
      shows: sideOfMev(mevOf(row), sought),
    });
  }
  if (closedTips.state === "ok" && isNear(closedTips.value.epoch, sought) && "answers" in closedTips.value)
    closed.push(...ofClosedAnswers(closedTips.value, sought));
  else if (closedTips.state === "ok" && isNear(closedTips.value.epoch, sought) && "rows" in closedTips.value) {
    const { epoch, rows } = closedTips.value;
    const row = rows.find(isOwn);
    // Only accounts that were asked for are in it.
    if (row !== undefined)
      closed.push({
        of: "closedTips",
        by: null,
        row,
        list: { epoch, rows: rows.length },
        shows: sideOfMev(mevOf(row), sought),
      });
  }
  return [...latest, ...closed];
}

function ofClosedAnswers({ epoch, votes, answers }: PanelClosedTips, sought: Sought): Reading[] {
  const index = votes.indexOf(sought.votePubkey);
  if (index === -1) return [];
  const list = { epoch, rows: votes.length };
  return answers.map((answer): Reading => {
    if (answer.state === "failed") return { ...ofSilent("closedTips", answer), list };
    const share = answer.shares[index] ?? null;
    const { endpoint, slot } = answer;
    const row = { exists: share !== null, mevBasisPoints: share?.[0] ?? null };
    return { of: "closedTips", by: { endpoint, slot }, row, list, shows: sideOfMev(mevOf(row), sought) };
  });
}

/** MEV was disabled: the epoch before shows the old state, the event's own the new one. */
function isNear(closed: number, { epoch }: Sought): boolean {
  return closed === epoch || closed === epoch - 1;
}

/** "disabled": the epoch has no record at all. */
function mevOf(row: { mevBasisPoints: number | null; exists?: boolean } | null): MevState {
  if (row === null || row.exists === false) return "disabled";
  return toKnownBasisPoints(row.mevBasisPoints);
}

/** The event's epoch and the one before. */
function ofHistory({ validators }: HistoryEntry, sought: Sought): Reading[] {
  const points = validators.find(({ vote }) => vote === sought.votePubkey)?.points ?? [];
  return points
    .filter(({ epoch }) => isNear(epoch, sought))
    .map((row) => {
      const said = { basisPoints: null, percent: row.percent };
      const isInflation = sought.source === "COMMISSION";
      const shows = isInflation
        ? sideOf(toCommission(said, { isWhole: false }), sought)
        : sideOfMev(toKnownBasisPoints(row.mevBasisPoints), sought);
      return { of: "history", by: null, row, list: null, shows };
    });
}

function sideOf(commission: Commission | null, { from, to }: Sought): Reading["shows"] {
  if (commission === null) return "nothing";
  const is = (value: MevState) => typeof value === "number" && agrees(commission, { basisPoints: value, exact: true });
  if (is(from) && is(to)) return "either";
  if (is(from)) return "old";
  return is(to) ? "new" : "another";
}

function sideOfMev(mev: MevState, { from, to }: Sought): Reading["shows"] {
  if (mev === null) return "nothing";
  if (mev === to) return "new";
  return mev === from ? "old" : "another";
}
