import { SEARCH_MAX_RESULTS, type SearchResult } from "../../generator/contract/search.ts";
import type { SnapshotIndex } from "../../generator/contract/snapshot-index.ts";

/** One validator as a search looks at it. */
interface SearchRow {
  /** Folded, as the text searched for is. */
  name: string;
  votePubkey: string;
  /** Both in one: most rows are passed over, and one look at each is half the time of two. */
  text: string;
  /** The result as JSON text. */
  json: string;
}

/** Known validators, listed ones apart from those that left the list; both by rank. */
export interface SearchTable {
  listed: readonly SearchRow[];
  unlisted: readonly SearchRow[];
}

export function toSearchTable(index: SnapshotIndex): SearchTable {
  return { listed: index.validators.map(toRow), unlisted: index.unlisted.map(toRow) };
}

/**
 * At most 20 results as JSON text. Listed validators come first; among them exact matches of name or key, then
 * beginnings, then parts; then by rank. Case does not matter, in keys neither: people retype them.
 */
export function search(table: SearchTable, text: string): string[] {
  const wanted = fold(text);
  const found = searchRows(table.listed, wanted);
  if (found.length < SEARCH_MAX_RESULTS) found.push(...searchRows(table.unlisted, wanted));
  return found.slice(0, SEARCH_MAX_RESULTS).map((row) => row.json);
}

function searchRows(rows: readonly SearchRow[], wanted: string): SearchRow[] {
  const exact: SearchRow[] = [];
  const beginning: SearchRow[] = [];
  const part: SearchRow[] = [];
  for (const row of rows) {
    if (!row.text.includes(wanted)) continue;
    const nameAt = row.name.indexOf(wanted);
    const keyAt = row.votePubkey.indexOf(wanted);
    if (nameAt < 0 && keyAt < 0) continue;
    if (row.name === wanted || row.votePubkey === wanted) exact.push(row);
    else if (nameAt === 0 || keyAt === 0) beginning.push(row);
    else part.push(row);
  }
  return [...exact, ...beginning, ...part];
}

function toRow(validator: SearchResult): SearchRow {
  const { votePubkey, name, iconUrl, identityPubkey, rank, activeStake, delinquent } = validator;
  const result: SearchResult = { votePubkey, name, iconUrl, identityPubkey, rank, activeStake, delinquent };
  const folded = { name: fold(name ?? ""), votePubkey: fold(votePubkey) };
  return { ...folded, text: `${folded.name}\n${folded.votePubkey}`, json: JSON.stringify(result) };
}

/** Upper case first: it brings letters together that have two lower-case forms, such as the final sigma. */
function fold(text: string): string {
  return text.toUpperCase().toLowerCase();
}
