import { agrees, toCommission, toShare, toStoredCommission } from "../../ledger/commission.ts";
import type {
  ConfirmEntry,
  Entry,
  HistoryEntry,
  PanelClosedTips,
  PanelConfirmEntry,
  SnapshotEntry,
} from "../../ledger/entry.ts";
import type { Commission, MevState } from "../../ledger/records.ts";
import type { ExplainedEvent } from "./subject.ts";

/** Which part of an entry tells something of a validator. */
export type ReadingOf = "votes" | "account" | "mev" | "tips" | "closedMev" | "closedTips" | "history";

/** What one part of an entry says of the validator of an event. */
export interface Reading {
  of: ReadingOf;
  /** As the journal keeps it: uncapped, nothing interpreted. null: the list is there, and has no row of the validator. */
  row: object | null;
  /** Rows of a list of a closed epoch, and which epoch; null for all other parts. */
  list: { epoch: number; rows: number } | null;
  /** Which side of the event that is; "either": a percent that can stand for both. */
  shows: "old" | "new" | "either" | "another" | "nothing";
}

export type Sought = Pick<ExplainedEvent, "votePubkey" | "source" | "epoch" | "from" | "to">;

/** Everything that an entry says of the event's validator and kind of commission. None for a ruling. */
export function readingsOf(entry: Entry, sought: Sought): Reading[] {
  switch (entry.kind) {
    case "check":
      return sought.source === "COMMISSION" ? ofVotes(entry.votes, sought) : [];
    case "snapshot":
      return sought.source === "COMMISSION" ? ofVotes(entry.votes, sought) : ofMevSections(entry, sought);
    case "confirm":
      return sought.source === "COMMISSION" ? ofAccounts(entry, sought) : ofTips(entry, sought);
    case "history":
      return ofHistory(entry, sought);
    case "ruling":
      return [];
  }
}

type Said = { vote: string; basisPoints: number | null; percent: number | null };

function ofVotes(votes: readonly Said[], sought: Sought): Reading[] {
  return votes
    .filter(({ vote }) => vote === sought.votePubkey)
    .map((row) => ({ of: "votes", row, list: null, shows: sideOf(toCommission(row), sought) }));
}

function ofAccounts(entry: ConfirmEntry, sought: Sought): Reading[] {
  if ("answers" in entry) return ofAnswers(entry, sought);
  return entry.accounts
    .filter(({ vote }) => vote === sought.votePubkey)
    .map((row) => ({ of: "account", row, list: null, shows: sideOf(toStoredCommission(row), sought) }));
}

/** What each witness that answered says of the account: the row names who. */
function ofAnswers({ votes, answers }: PanelConfirmEntry, sought: Sought): Reading[] {
  const index = votes.indexOf(sought.votePubkey);
  if (index === -1) return [];
  return answers.flatMap((answer): Reading[] => {
    if (answer.state === "failed") return [{ of: "account", row: answer, list: null, shows: "nothing" }];
    const { endpoint, slot } = answer;
    const [basisPoints, percent] = answer.rows[index] ?? [null, null];
    const shows = sideOf(toStoredCommission({ basisPoints, percent }), sought);
    return [{ of: "account", row: { endpoint, slot, basisPoints, percent }, list: null, shows }];
  });
}

function ofTips(entry: ConfirmEntry, sought: Sought): Reading[] {
  if ("answers" in entry) return ofShares(entry, sought);
  return entry.tips
    .filter(({ vote }) => vote === sought.votePubkey)
    .map((row) => ({ of: "tips", row, list: null, shows: sideOfShare(toShare(row.mevBasisPoints), sought) }));
}

function ofShares({ tips, answers }: PanelConfirmEntry, sought: Sought): Reading[] {
  return tips.flatMap(({ vote, epoch }, index) => {
    if (vote !== sought.votePubkey) return [];
    return answers.flatMap((answer): Reading[] => {
      if (answer.state === "failed") return [{ of: "tips", row: answer, list: null, shows: "nothing" }];
      const share = answer.shares[index] ?? null;
      const row = { endpoint: answer.endpoint, slot: answer.slot, epoch, mevBasisPoints: share?.[0] ?? null };
      return [{ of: "tips", row, list: null, shows: sideOfShare(toShare(row.mevBasisPoints), sought) }];
    });
  });
}

/** The lists of the running epoch, and what was asked about the closed ones that can have decided. */
function ofMevSections({ mev, tips, closedMev, closedTips }: SnapshotEntry, sought: Sought): Reading[] {
  const isOwn = ({ vote }: { vote: string }) => vote === sought.votePubkey;
  const latest = [
    ...(mev.state === "ok" ? mev.value.rows.filter(isOwn).map((row) => ({ of: "mev" as const, row })) : []),
    ...(tips.state === "ok" ? tips.value.rows.filter(isOwn).map((row) => ({ of: "tips" as const, row })) : []),
  ].map(({ of, row }) => ({ of, row, list: null, shows: sideOfShare(toShare(row.mevBasisPoints), sought) }));
  const closed: Reading[] = [];
  if (closedMev.state === "ok" && isNear(closedMev.value.epoch, sought)) {
    const { epoch, rows } = closedMev.value;
    const row = rows.find(isOwn) ?? null;
    closed.push({ of: "closedMev", row, list: { epoch, rows: rows.length }, shows: sideOfShare(shareOf(row), sought) });
  }
  if (closedTips.state === "ok" && isNear(closedTips.value.epoch, sought) && "answers" in closedTips.value)
    closed.push(...ofClosedAnswers(closedTips.value, sought));
  else if (closedTips.state === "ok" && isNear(closedTips.value.epoch, sought) && "rows" in closedTips.value) {
    const { epoch, rows } = closedTips.value;
    const row = rows.find(isOwn);
    // Only whose account was asked for is among them.
    if (row !== undefined)
      closed.push({
        of: "closedTips",
        row,
        list: { epoch, rows: rows.length },
        shows: sideOfShare(shareOf(row), sought),
      });
  }
  return [...latest, ...closed];
}

/** What each witness read in the tip account of the closed epoch: the row names who. */
function ofClosedAnswers({ epoch, votes, answers }: PanelClosedTips, sought: Sought): Reading[] {
  const index = votes.indexOf(sought.votePubkey);
  if (index === -1) return [];
  const list = { epoch, rows: votes.length };
  return answers.map((answer): Reading => {
    if (answer.state === "failed") return { of: "closedTips", row: answer, list, shows: "nothing" };
    const share = answer.shares[index] ?? null;
    const { endpoint, slot } = answer;
    const row = { endpoint, slot, exists: share !== null, mevBasisPoints: share?.[0] ?? null };
    return { of: "closedTips", row, list, shows: sideOfShare(shareOf(row), sought) };
  });
}

/** That MEV was disabled before shows in the epoch before the event's; that it is now, in the event's own. */
function isNear(closed: number, { epoch }: Sought): boolean {
  return closed === epoch || closed === epoch - 1;
}

/** "disabled" where there is no record of the epoch at all. */
function shareOf(row: { mevBasisPoints: number | null; exists?: boolean } | null): MevState {
  if (row === null || row.exists === false) return "disabled";
  return toShare(row.mevBasisPoints);
}

/** The points of the event's epoch and of the one before, between which it lies. */
function ofHistory({ validators }: HistoryEntry, sought: Sought): Reading[] {
  const points = validators.find(({ vote }) => vote === sought.votePubkey)?.points ?? [];
  return points
    .filter(({ epoch }) => isNear(epoch, sought))
    .map((row) => {
      const said = { basisPoints: null, percent: row.percent };
      const isInflation = sought.source === "COMMISSION";
      const shows = isInflation ? sideOf(toCommission(said), sought) : sideOfShare(toShare(row.mevBasisPoints), sought);
      return { of: "history", row, list: null, shows };
    });
}

function sideOf(commission: Commission | null, { from, to }: Sought): Reading["shows"] {
  if (commission === null) return "nothing";
  const is = (value: MevState) => typeof value === "number" && agrees(commission, { basisPoints: value, exact: true });
  if (is(from) && is(to)) return "either";
  if (is(from)) return "old";
  return is(to) ? "new" : "another";
}

function sideOfShare(share: MevState, { from, to }: Sought): Reading["shows"] {
  if (share === null) return "nothing";
  if (share === to) return "new";
  return share === from ? "old" : "another";
}
