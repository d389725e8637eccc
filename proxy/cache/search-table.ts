import { SEARCH_MAX_RESULTS, type SearchResult } from "../../generator/contract/search.ts";
import type { SnapshotIndex } from "../../generator/contract/snapshot-index.ts";

/** One validator as a search looks at it. */
interface SearchRow {
  /** Name and key, each on a line of its own and folded, as the text searched for is: one look finds it in both. */
  text: string;
  /** Where the key begins. */
  keyAt: number;
}

/** Known validators, listed ones first, then those that left the list; both by rank. */
export interface SearchTable {
  rows: readonly SearchRow[];
  /** How many of the rows are of listed validators. */
  listedCount: number;
  grams: Grams;
  /** The results, by row. */
  results: Results;
}

export function toSearchTable({ validators, unlisted }: SnapshotIndex): SearchTable {
  const known = [...validators, ...unlisted];
  const rows = known.map(toRow);
  return {
    rows,
    listedCount: validators.length,
    grams: toGrams(rows.map(({ text }) => text)),
    results: toResults(known.map(toResult)),
  };
}

/** What was found. */
export interface SearchResults {
  count: number;
  /** JSON in UTF-8, with commas between them. */
  items: Uint8Array;
}

/**
 * At most 20 results. Listed validators come first; among them exact matches of name or
 * key, then beginnings, then parts; then by rank. Case does not matter, in keys neither: people retype them.
 */
export function search(table: SearchTable, text: string): SearchResults {
  const found = findPlaces(table, fold(text));
  return { count: found.length, items: table.results(found) };
}

/** Places of rows, best first. */
function findPlaces({ rows, listedCount, grams }: SearchTable, wanted: string): number[] {
  // No name or key has two lines, but a name and a key together have.
  if (wanted.includes("\n")) return [];
  const listed: Found = { exact: [], beginning: [], part: [] };
  const unlisted: Found = { exact: [], beginning: [], part: [] };
  let listedFound = 0;
  for (const place of grams.candidates(wanted)) {
    const isListed = place < listedCount;
    // Rows that left the list come last, and are not looked at where listed ones fill the answer.
    if (!isListed && listedFound >= SEARCH_MAX_RESULTS) break;
    const row = rows[place];
    const match = row === undefined ? null : toMatch(row, wanted);
    if (match === null) continue;
    if (isListed) listedFound += 1;
    const found = (isListed ? listed : unlisted)[match];
    if (found.length < SEARCH_MAX_RESULTS) found.push(place);
  }
  const best = [listed, unlisted].flatMap(({ exact, beginning, part }) => [...exact, ...beginning, ...part]);
  return best.slice(0, SEARCH_MAX_RESULTS);
}

/** Places by how the text was found there. */
type Found = Record<Match, number[]>;
type Match = "exact" | "beginning" | "part";

/** How a text is found in a name or key; null: in neither. */
function toMatch({ text, keyAt }: SearchRow, wanted: string): Match | null {
  const foundAt = text.indexOf(wanted);
  if (foundAt < 0) return null;
  const beginsKey = text.startsWith(wanted, keyAt);
  if (beginsKey && wanted.length === text.length - keyAt) return "exact";
  if (foundAt === 0) return wanted.length === keyAt - 1 ? "exact" : "beginning";
  return beginsKey ? "beginning" : "part";
}

function toRow({ votePubkey, name }: SearchResult): SearchRow {
  const line = `${fold(name ?? "")}\n`;
  return { text: line + fold(votePubkey), keyAt: line.length };
}

function toResult({ votePubkey, name, iconUrl, identityPubkey, rank, activeStake, delinquent }: SearchResult) {
  return { votePubkey, name, iconUrl, identityPubkey, rank, activeStake, delinquent } satisfies SearchResult;
}

/** Upper case first: it brings letters together that have two lower-case forms, such as the final sigma. */
function fold(text: string): string {
  return text.toUpperCase().toLowerCase();
}

/**
 * Which rows of a table could contain a text. Rows are listed by the twos and threes of characters that follow each other in
 * them, and a row with a text has all of the text's: only those with its rarest must be looked at. Of 3,000 names and keys
 * those are a few where a key is searched for, and all of them if all begin alike.
 */
interface Grams {
  /** Ascending places of rows. The text has two UTF-16 code units or more. */
  candidates(text: string): Uint32Array;
}

/** Grams share lists: of keys there are 1,200 twos, and most of their threes are in one key or two. A power of two. */
const LISTS = 65_536;
const [SHORT, LONG] = [2, 3];

function toGrams(rows: readonly string[]): Grams {
  const ends = new Uint32Array(LISTS);
  forEachList(rows, (list) => (ends[list] = at(ends, list) + 1));
  for (let list = 1; list < LISTS; list += 1) ends[list] = at(ends, list) + at(ends, list - 1);
  const places = new Uint32Array(at(ends, LISTS - 1));
  // Each list is filled from where the one before it ends.
  const next = new Uint32Array(LISTS);
  next.set(ends.subarray(0, -1), 1);
  forEachList(rows, (list, row) => {
    const place = at(next, list);
    places[place] = row;
    next[list] = place + 1;
  });

  const startOf = (list: number) => (list === 0 ? 0 : at(ends, list - 1));
  const lengthOf = (list: number) => at(ends, list) - startOf(list);

  return {
    candidates(text) {
      const size = Math.min(text.length, LONG);
      let rarest = toList(text, 0, size);
      for (let from = 1; from + size <= text.length; from += 1) {
        const list = toList(text, from, size);
        if (lengthOf(list) < lengthOf(rarest)) rarest = list;
      }
      return places.subarray(startOf(rarest), at(ends, rarest));
    },
  };
}

/** Every list a row belongs to, once, in the order of the rows. */
function forEachList(rows: readonly string[], visit: (list: number, row: number) => void): void {
  const lastVisited = new Int32Array(LISTS).fill(-1);
  for (const [row, text] of rows.entries())
    for (let size = SHORT; size <= LONG; size += 1)
      for (let from = 0; from + size <= text.length; from += 1) {
        const list = toList(text, from, size);
        if (lastVisited[list] === row) continue;
        lastVisited[list] = row;
        visit(list, row);
      }
}

/** The list of the gram that begins at a place. */
function toList(text: string, from: number, size: number): number {
  let hash = size;
  for (let place = from; place < from + size; place += 1) hash = (hash * 131 + text.charCodeAt(place)) % LISTS;
  return hash;
}

function at(numbers: Uint32Array, index: number): number {
  return numbers[index] ?? 0;
}

/** The results at some places, in that order, as they stand in an array. @throws {RangeError} if there is none at one of them */
type Results = (places: readonly number[]) => Uint8Array;

const COMMA_BYTES = 1;

/** Serialises values once, each behind a comma, in one piece of memory: an answer is put together by copying. */
function toResults(values: readonly unknown[]): Results {
  const texts = values.map((value) => `,${JSON.stringify(value)}`);
  const bytes = Buffer.from(texts.join(""));
  /** Where each value begins, its comma included, and behind the last one where it ends. */
  const starts = new Uint32Array(values.length + 1);
  for (const [place, text] of texts.entries()) starts[place + 1] = at(starts, place) + Buffer.byteLength(text);

  return (places) => {
    let length = 0;
    for (const place of places) length += at(starts, place + 1) - at(starts, place);
    const picked = Buffer.allocUnsafe(Math.max(0, length - COMMA_BYTES));
    let end = 0;
    // The first without its comma. Copied by place: a view of each would take longer to make than its bytes to copy.
    for (const place of places)
      end += bytes.copy(picked, end, at(starts, place) + (end === 0 ? COMMA_BYTES : 0), at(starts, place + 1));
    return picked;
  };
}
