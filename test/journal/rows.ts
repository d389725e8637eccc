import { createHash } from "node:crypto";
import { base58 } from "@scure/base";
import { openJournal, type Journal } from "../../generator/journal/journal.ts";
import type { JournalPlace } from "../../generator/journal/names.ts";
import type { CheckEntry, CheckRow, Entry } from "../../generator/entries/entry.ts";
import { makeCheck } from "./samples.ts";

const KEYS = Array.from({ length: 40 }, (_, index) =>
  base58.encode(createHash("sha256").update(`${index}`).digest()),
);
export const SORTED = KEYS.toSorted((one, other) => (one < other ? -1 : 1));

export const row = (index: number, more: Partial<CheckRow> = {}): CheckRow => ({
  vote: SORTED[index]!,
  basisPoints: 500,
  percent: 5,
  delinquent: false,
  activeStake: 10n ** 16n + BigInt(index),
  ...more,
});
export const ROWS = Array.from({ length: 30 }, (_, index) => row(index));
export const after = (seconds: number, votes: CheckRow[] = ROWS): CheckEntry =>
  makeCheck(new Date(Date.parse("2026-11-20T10:00:00.000Z") + seconds * 1000).toISOString(), {
    slot: 1_000 + seconds,
    votes,
  });

export async function appendAll(journal: Journal, entries: Entry[]): Promise<string[]> {
  const names: string[] = [];
  for (const entry of entries) names.push(await journal.append(entry));
  return names;
}

export const readAll = (place: JournalPlace, names: Iterable<string>) =>
  Array.fromAsync(openJournal(place).read(names));
