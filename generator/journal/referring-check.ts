import { z } from "zod";
import { pubkeySchema } from "../contract/values.ts";
import {
  checkEntrySchema,
  ENTRY_FORMAT,
  type CheckEntry,
  type CheckRow,
} from "../entries/entry.ts";
import { CHECK_FIELDS } from "../entries/rows.ts";
import { isOfLast, referring, REFERRING_FORMAT, type Reference } from "./referring.ts";

/* A check stored as its difference from an earlier one:
   a thousand rows are 45 KB, and nearly always the same. */

/** A check with more different rows is stored whole. */
const DIFFERENT_MOST_SHARE = 1 / 4;
/** With fewer equal rows it is not worth it: a reference's name is as long as some rows. */
const SAME_LEAST = 8;
/** Limits how many checks are lost with a reference. */
const SERVES_MILLISECONDS = 10 * 60_000;

/** A check as stored: rows that changed, and vote accounts that are gone. */
export const referringCheckSchema = checkEntrySchema
  .omit({ votes: true })
  .extend({ ...referring, changed: checkEntrySchema.shape.votes, gone: z.array(pubkeySchema) });

/** A check that is stored as its difference from another. */
export type ReferringCheck = z.infer<typeof referringCheckSchema>;

/** A check as its difference from another; null: it is better stored whole. */
export function referCheck(
  entry: CheckEntry,
  reference: Reference<CheckEntry>,
): ReferringCheck | null {
  const { votes, ...rest } = entry;
  if (!isOfLast(SERVES_MILLISECONDS, reference.entry, entry)) return null;
  if (!isAscending(reference.entry.votes) || !isAscending(votes)) return null;
  const before = new Map(reference.entry.votes.map((row) => [row.vote, row]));
  const changed = votes.filter((row) => !isSame(row, before.get(row.vote)));
  for (const { vote } of votes) before.delete(vote);
  const gone = [...before.keys()];
  if (changed.length + gone.length > reference.entry.votes.length * DIFFERENT_MOST_SHARE)
    return null;
  if (votes.length - changed.length < SAME_LEAST) return null;
  return { ...rest, format: REFERRING_FORMAT, base: reference.name, changed, gone };
}

function isSame(one: CheckRow, other: CheckRow | undefined): boolean {
  return other !== undefined && CHECK_FIELDS.every((field) => one[field] === other[field]);
}

/**
 * Restores a check from its difference.
 * @throws {Error} when it was not made from this reference
 */
export function resolveCheck(
  { base: name, changed, gone, ...rest }: ReferringCheck,
  reference: CheckEntry,
): CheckEntry {
  const isUnchanged = changed.length + gone.length === 0;
  const votes = isUnchanged ? reference.votes : change(reference.votes, { name, changed, gone });
  if (!isAscending(votes) || !isAscending(changed))
    throw new Error(`its rows or those of ${name} are not in order`);
  return { ...rest, format: ENTRY_FORMAT, votes };
}

function change(
  votes: readonly CheckRow[],
  { name, changed, gone }: { name: string } & Pick<ReferringCheck, "changed" | "gone">,
): CheckRow[] {
  const rows = new Map(votes.map((row) => [row.vote, row]));
  const known = rows.size;
  for (const vote of gone)
    if (!rows.delete(vote)) throw new Error(`it removes ${vote}, which ${name} does not have`);
  for (const row of changed) rows.set(row.vote, row);
  // A row set again keeps its place; a new one goes to the end.
  const isWithNew = rows.size > known - gone.length;
  return isWithNew
    ? [...rows.values()].sort((one, other) => (one.vote < other.vote ? -1 : 1))
    : [...rows.values()];
}

function isAscending(rows: readonly CheckRow[]): boolean {
  return rows.every(({ vote }, index) => index === 0 || (rows[index - 1]?.vote ?? "") < vote);
}
