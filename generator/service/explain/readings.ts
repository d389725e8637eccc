import { agrees, toCommission, toKnownBasisPoints, toStoredCommission } from "../../ledger/commission.ts";
import type { AccountsAnswer, ConfirmEntry, Entry, HistoryEntry, ListRow, SnapshotEntry } from "../../entries/entry.ts";
import type { Commission, MevState } from "../../ledger/records.ts";
import type { ExplainedEvent } from "./event.ts";

type ReadingOf = "votes" | "account" | "tips" | "history";

/** A witness of a panel: the slot of its answer, or why there is none. */
type Voice = { endpoint: string; slot: number } | { endpoint: string; reason: string };

export interface Reading {
  of: ReadingOf;
  /** null: the entry's own endpoint. */
  by: Voice | null;
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
      return sought.source === "COMMISSION" ? ofVotes(entry.votes, sought) : [];
    case "snapshot":
      return sought.source === "COMMISSION" ? ofSnapshot(entry, sought) : ofTips(entry, sought);
    case "confirm":
      return sought.source === "COMMISSION" ? ofConfirmed(entry, sought) : [];
    case "history":
      return ofHistory(entry, sought);
    case "ruling":
    case "transactions":
      return [];
  }
}

function toReading(
  of: ReadingOf,
  row: object | null,
  shows: Reading["shows"],
  more: Partial<Pick<Reading, "by">> = {},
): Reading {
  return { of, by: null, row, shows, ...more };
}

function ofSilent(of: ReadingOf, { endpoint, reason }: { endpoint: string; reason: string }): Reading {
  return toReading(of, null, "nothing", { by: { endpoint, reason } });
}

type Said = { vote: string; basisPoints: number | null; percent: number | null };

function ofVotes(votes: readonly Said[], sought: Sought): Reading[] {
  return votes
    .filter(({ vote }) => vote === sought.votePubkey)
    .map((row) => toReading("votes", row, sideOf(toCommission(row, { isWhole: false }), sought)));
}

/** Each witness's list, then its account. */
function ofConfirmed({ votes, answers }: ConfirmEntry, sought: Sought): Reading[] {
  const index = votes.indexOf(sought.votePubkey);
  if (index === -1) return [];
  return answers.flatMap(({ endpoint, list, accounts }) => [
    ...(list === null ? [] : [ofListRow({ endpoint, ...list }, index, sought)]),
    ...(accounts === null ? [] : ofAnswers({ votes, answers: [{ endpoint, ...accounts }] }, sought)),
  ]);
}

function ofListRow(
  list: { endpoint: string } & ({ state: "ok"; slot: number; rows: ListRow[] } | { state: "failed"; reason: string }),
  index: number,
  sought: Sought,
): Reading {
  if (list.state === "failed") return ofSilent("votes", list);
  const by = { endpoint: list.endpoint, slot: list.slot };
  const row = list.rows[index] ?? null;
  if (row === null) return toReading("votes", null, "nothing", { by });
  const [basisPoints, percent] = row;
  const shows = sideOf(toCommission({ basisPoints, percent }, { isWhole: false }), sought);
  return toReading("votes", { basisPoints, percent }, shows, { by });
}

function ofSnapshot({ votes, accounts }: SnapshotEntry, sought: Sought): Reading[] {
  const keys = votes.map(({ vote }) => vote);
  return [...ofVotes(votes, sought), ...ofAnswers({ votes: keys, answers: accounts }, sought)];
}

function ofAnswers(
  { votes, answers }: { votes: readonly string[]; answers: readonly AccountsAnswer[] },
  sought: Sought,
): Reading[] {
  const index = votes.indexOf(sought.votePubkey);
  if (index === -1) return [];
  return answers.map((answer) => {
    if (answer.state === "failed") return ofSilent("account", answer);
    const { endpoint, slot, rows } = answer;
    const by = { endpoint, slot };
    const account = rows[index] ?? null;
    if (account === null) return toReading("account", null, "nothing", { by });
    const [basisPoints, percent, withdrawAuthority] = account;
    const shows = sideOf(toStoredCommission({ basisPoints, percent }), sought);
    return toReading("account", { basisPoints, percent, withdrawAuthority }, shows, { by });
  });
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
      const row = { epoch, exists: share !== null, mevBasisPoints: share?.[0] ?? null };
      return toReading("tips", row, sideOfTip(row, sought), { by: { endpoint: answer.endpoint, slot: answer.slot } });
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
    .map((row) => {
      const said = toCommission({ basisPoints: null, percent: row.percent }, { isWhole: false });
      return toReading(
        "history",
        row,
        sought.source === "COMMISSION"
          ? sideOf(said, sought)
          : sideOfMev(toKnownBasisPoints(row.mevBasisPoints), sought),
      );
    });
}

function sideOf(commission: Commission | null, { from, to }: Sought): Reading["shows"] {
  if (commission === null) return "nothing";
  const is = (value: MevState) => typeof value === "number" && agrees(commission, { basisPoints: value, exact: true });
  if (is(from) && is(to)) return "either";
  if (is(from)) return "old";
  return is(to) ? "new" : "another";
}

/** No account of the event's epoch: disabled, if the epoch is over. */
function sideOfTip(row: { exists: boolean; mevBasisPoints: number | null }, sought: Sought): Reading["shows"] {
  return sideOfMev(row.exists ? toKnownBasisPoints(row.mevBasisPoints) : "disabled", sought);
}

function sideOfMev(mev: MevState, { from, to }: Sought): Reading["shows"] {
  if (mev === null) return "nothing";
  if (mev === to) return "new";
  return mev === from ? "old" : "another";
}
