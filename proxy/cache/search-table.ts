import { SEARCH_MAX_RESULTS, type SearchResult } from "../../generator/contract/search.ts";
import type { SnapshotIndex } from "../../generator/contract/snapshot-index.ts";

interface SearchRow {
  /** Name, vote account and identity, folded, a line each: one `indexOf` searches all three. */
  text: string;
  /** Where the keys' lines begin. */
  voteAt: number;
  identityAt: number;
}

/** Listed validators by rank, then those that left the list. */
export interface SearchTable {
  rows: readonly SearchRow[];
  listedCount: number;
  grams: Grams;
  results: readonly string[];
}

/** Makes the table that searches go through, once for each index. */
export function toSearchTable({ validators, unlisted }: SnapshotIndex): SearchTable {
  const known: SearchResult[] = [...validators, ...unlisted];
  const rows = known.map(({ votePubkey, identityPubkey, name }) => {
    const nameLine = `${fold(name ?? "")}\n`;
    const voteLine = `${fold(votePubkey)}\n`;
    const identityAt = nameLine.length + voteLine.length;
    return {
      text: nameLine + voteLine + fold(identityPubkey ?? ""),
      voteAt: nameLine.length,
      identityAt,
    };
  });
  const results = known.map(
    ({ votePubkey, name, iconUrl, identityPubkey, rank, activeStake, delinquent, verdict }) =>
      JSON.stringify({
        votePubkey,
        name,
        iconUrl,
        identityPubkey,
        rank,
        activeStake,
        delinquent,
        verdict,
      } satisfies SearchResult),
  );
  return { rows, listedCount: validators.length, grams: toGrams(rows), results };
}

/**
 * Results as JSON, 20 at most: listed ones first; then exact
 * matches, beginnings, parts; then by rank. Ignores case.
 */
export function search({ rows, listedCount, grams, results }: SearchTable, text: string): string[] {
  const wanted = fold(text);
  // Only the joined text of a row has line breaks.
  if (wanted.includes("\n")) return [];
  /** Listed: exact, beginning, part; then the same of the unlisted. */
  const found: string[][] = [[], [], [], [], [], []];
  let listedFound = 0;
  for (const place of findCandidates(grams, wanted)) {
    const isListed = place < listedCount;
    if (!isListed && listedFound >= SEARCH_MAX_RESULTS) break;
    const row = rows[place];
    const match = row === undefined ? null : toMatch(row, wanted);
    if (match === null) continue;
    if (isListed) listedFound += 1;
    found[isListed ? match : match + 3]?.push(results[place] ?? "");
  }
  return found.flat().slice(0, SEARCH_MAX_RESULTS);
}

const [EXACT, BEGINNING, PART] = [0, 1, 2];

function toMatch({ text, voteAt, identityAt }: SearchRow, wanted: string): number | null {
  const foundAt = text.indexOf(wanted);
  if (foundAt < 0) return null;
  const beginsName = foundAt === 0;
  const beginsVote = text.startsWith(wanted, voteAt);
  const beginsIdentity = text.startsWith(wanted, identityAt);
  const { length } = wanted;
  if (beginsName && length === voteAt - 1) return EXACT;
  if (beginsVote && length === identityAt - voteAt - 1) return EXACT;
  if (beginsIdentity && length === text.length - identityAt) return EXACT;
  return beginsName || beginsVote || beginsIdentity ? BEGINNING : PART;
}

/** Upper case last: a sigma's lower case depends on whether a word ends with it. */
function fold(text: string): string {
  return text.toLowerCase().toUpperCase();
}

/** Places of rows, ascending, by the hash of a gram: 2 or 3 characters in a row. */
type Grams = readonly (readonly number[] | undefined)[];

/**
 * Grams may share a list: keys have 1,200 twos, and most of their threes are in one or two keys.
 */
const LISTS = 65_536;
const [SHORT, LONG] = [2, 3];

function toGrams(rows: readonly SearchRow[]): Grams {
  const lists: (number[] | undefined)[] = Array.from({ length: LISTS });
  for (const [place, { text }] of rows.entries())
    for (let size = SHORT; size <= LONG; size += 1)
      for (let from = 0; from + size <= text.length; from += 1) {
        const list = (lists[toList(text, from, size)] ??= []);
        if (list.at(-1) !== place) list.push(place);
      }
  return lists;
}

/**
 * A row that contains the text has all its grams, so only rows with the rarest gram are candidates.
 */
function findCandidates(grams: Grams, text: string): readonly number[] {
  const size = Math.min(text.length, LONG);
  let rarest: readonly number[] | undefined;
  for (let from = 0; from + size <= text.length; from += 1) {
    const list = grams[toList(text, from, size)] ?? [];
    if (rarest === undefined || list.length < rarest.length) rarest = list;
  }
  return rarest ?? [];
}

function toList(text: string, from: number, size: number): number {
  let hash = size;
  for (let place = from; place < from + size; place += 1)
    hash = (hash * 131 + text.charCodeAt(place)) % LISTS;
  return hash;
}
