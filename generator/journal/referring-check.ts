import { z } from "zod";
import { pubkeySchema } from "../contract/values.ts";
import {
  checkEntrySchema,
  ENTRY_FORMAT,
  type CheckEntry,
  type CheckRow,
} from "../entries/entry.ts";
import { CHECK_FIELDS } from "../entries/rows.ts";
import { compareRows, restoreRows } from "./referring-rows.ts";
import { mayRefer, referring, REFERRING_FORMAT, type Reference } from "./referring.ts";

/* A check stored as its difference from an earlier one:
   a thousand rows are 45 KB, and nearly always the same. */

/** A check with more different rows is stored whole. */
const DIFFERENT_MOST_SHARE = 1 / 4;
/** With fewer equal rows it is not worth it: a reference's name is as long as some rows. */
const SAME_LEAST = 8;

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
  const earlier = reference.entry.votes;
  if (!mayRefer(entry, reference.entry)) return null;
  const changes = compareRows(votes, earlier, isSame);
  if (changes === null) return null;
  const { changed, gone } = changes;
  if (changed.length + gone.length > earlier.length * DIFFERENT_MOST_SHARE) return null;
  if (votes.length - changed.length < SAME_LEAST) return null;
  return { ...rest, format: REFERRING_FORMAT, base: reference.name, changed, gone };
}

function isSame(one: CheckRow, other: CheckRow): boolean {
  return CHECK_FIELDS.every((field) => one[field] === other[field]);
}

/**
 * Restores a check from its difference.
 * @throws {Error} when it was not made from this reference
 */
export function resolveCheck(
  { base: name, changed, gone, ...rest }: ReferringCheck,
  { votes: rows }: CheckEntry,
): CheckEntry {
  const votes = restoreRows({ changed, gone }, { name, rows });
  return { ...rest, format: ENTRY_FORMAT, votes };
}
