import type { CheckEntry, PanelConfirmEntry, SnapshotEntry } from "../../generator/entries/entry.ts";

export type Reading = CheckEntry | SnapshotEntry | PanelConfirmEntry;

interface Shown {
  /** The endpoint, and whether its list or the account. */
  by: string;
  slot: number;
  commission: number | null;
}

export function ratesIn(entry: Reading, vote: string): Shown[] {
  if (entry.kind === "confirm") return accountsIn(entry.answers, entry.votes.indexOf(vote));
  const { endpoint, slot, votes } = entry;
  const index = votes.findIndex((row) => row.vote === vote);
  const row = votes[index];
  const listed = row === undefined ? [] : [{ by: `${endpoint} list`, slot, commission: toPercent(row.basisPoints) }];
  return [...listed, ...(entry.kind === "snapshot" ? accountsIn(entry.accounts ?? [], index) : [])];
}

function accountsIn(answers: NonNullable<SnapshotEntry["accounts"]>, index: number): Shown[] {
  if (index === -1) return [];
  return answers.flatMap((answer) => {
    if (answer.state !== "ok") return [];
    const { endpoint, slot, rows } = answer;
    return [{ by: `${endpoint} account`, slot, commission: toPercent(rows[index]?.[0] ?? null) }];
  });
}

/** Whoever observes a made-up world reads basis points. */
function toPercent(basisPoints: number | null): number | null {
  return basisPoints === null ? null : Math.min(basisPoints, 10_000) / 100;
}
