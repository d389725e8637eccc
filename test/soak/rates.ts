import type {
  AccountRow,
  AccountsAnswer,
  CheckEntry,
  ConfirmEntry,
  SnapshotEntry,
} from "../../generator/entries/entry.ts";

export type Reading = CheckEntry | SnapshotEntry | ConfirmEntry;

interface Shown {
  /** The endpoint, and whether its list or the account. */
  by: string;
  slot: number;
  commission: number | null;
}

export function ratesIn(entry: Reading, vote: string): Shown[] {
  if (entry.kind === "confirm" && !("answers" in entry))
    return entry.accounts
      .filter((account) => account.vote === vote)
      .map((account) => ({ by: `${entry.endpoint} account`, slot: entry.slot, commission: toPercent(account) }));
  const accounts = accountsIn(entry, vote).map(({ endpoint, slot, row }) => {
    const [basisPoints, percent] = row ?? [null, null];
    return { by: `${endpoint} account`, slot, commission: toPercent({ basisPoints, percent }) };
  });
  if (entry.kind === "confirm") return accounts;
  const { endpoint, slot } = entry;
  const rows = entry.votes.filter((row) => row.vote === vote);
  return [...rows.map((row) => ({ by: `${endpoint} list`, slot, commission: toPercent(row) })), ...accounts];
}

function accountsIn(entry: Reading, vote: string): { endpoint: string; slot: number; row: AccountRow }[] {
  const index = entry.kind === "check" ? -1 : keysOf(entry).indexOf(vote);
  if (index === -1) return [];
  return answersIn(entry).flatMap((answer) =>
    answer.state === "ok" ? [{ endpoint: answer.endpoint, slot: answer.slot, row: answer.rows[index] ?? null }] : [],
  );
}

function answersIn(entry: Reading): readonly AccountsAnswer[] {
  if (entry.kind === "snapshot") return entry.accounts ?? [];
  return entry.kind === "confirm" && "answers" in entry ? entry.answers : [];
}

function keysOf(entry: Exclude<Reading, { kind: "check" }>): string[] {
  if (entry.kind === "snapshot") return entry.votes.map(({ vote }) => vote);
  return "answers" in entry ? entry.votes : [];
}

function toPercent({ basisPoints, percent }: { basisPoints: number | null; percent: number | null }): number | null {
  return basisPoints === null ? percent : Math.min(basisPoints, 10_000) / 100;
}
