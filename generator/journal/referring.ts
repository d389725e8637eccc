import { z } from "zod";
import { pubkeySchema } from "../contract/values.ts";
import { checkEntrySchema, ENTRY_FORMAT, type CheckEntry, type CheckRow } from "../entries/entry.ts";
import { dayOf, isEntryName } from "./names.ts";

/*
 * A check that is written down by what differs from one before it. Who looks every ten seconds sees nearly always the same, and
 * a thousand rows of it are 45 KB. Only the journal knows this form: who reads gets the whole check.
 */

/** The formats of entries are numbered through: one that knows no reference refuses this as a newer generator's. */
export const REFERRING_FORMAT = 2;

/** Where more rows than this share differ, all of them are written down. */
const DIFFERENT_MOST_SHARE = 1 / 4;
/** A reference is as long as some rows: it is worth it where more than so many stay as they were. */
const SAME_LEAST = 8;
/** A base serves so long: one that is lost takes no more checks with it. */
const SERVES_MILLISECONDS = 10 * 60_000;

/** A check whose rows are those of another, but for some. */
export const referringCheckSchema = checkEntrySchema.omit({ votes: true }).extend({
  format: z.literal(REFERRING_FORMAT),
  /** Name of the check that is written down whole, of the same UTC day, before this one. */
  base: z.string(),
  /** Rows that differ or are new. */
  changed: checkEntrySchema.shape.votes,
  /** Vote accounts of the base that have no row any more. */
  gone: z.array(pubkeySchema),
});

export type ReferringCheck = z.infer<typeof referringCheckSchema>;

/** A check that is written down whole, under its name. */
export interface Base {
  name: string;
  entry: CheckEntry;
}

/** A check by what differs from a base; null: it is to be written down whole. */
export function refer(entry: CheckEntry, base: Base | null): ReferringCheck | null {
  const { votes, ...rest } = entry;
  if (base === null || !mayServe(base, entry) || !isAscending(toVotes(votes))) return null;
  const before = new Map(base.entry.votes.map((row) => [row.vote, row]));
  const changed = votes.filter((row) => !isSame(row, before.get(row.vote)));
  for (const { vote } of votes) before.delete(vote);
  const gone = [...before.keys()];
  if (changed.length + gone.length > base.entry.votes.length * DIFFERENT_MOST_SHARE) return null;
  if (votes.length - changed.length < SAME_LEAST) return null;
  return { ...rest, format: REFERRING_FORMAT, base: base.name, changed, gone };
}

/**
 * The whole check.
 * @throws {Error} when it is not one that was made of this base
 */
export function resolve({ base: name, changed, gone, ...rest }: ReferringCheck, base: CheckEntry): CheckEntry {
  const rows = new Map(base.votes.map((row) => [row.vote, row]));
  const known = rows.size;
  for (const vote of gone) if (!rows.delete(vote)) throw new Error(`it takes away ${vote}, which ${name} lacks`);
  for (const row of changed) rows.set(row.vote, row);
  const votes = [...rows.values()];
  // A row that is set again keeps its place; a new one stands at the end.
  if (rows.size > known - gone.length) votes.sort((one, other) => (one.vote < other.vote ? -1 : 1));
  if (!isAscending(toVotes(votes)) || !isAscending(toVotes(changed)))
    throw new Error(`it is not by what differs from ${name}`);
  return { ...rest, format: ENTRY_FORMAT, votes };
}

/** Why a check cannot refer to what it names; null: it can. */
export function refuseBase(name: string, { base }: ReferringCheck): string | null {
  if (!isEntryName(base) || !base.includes("-check-")) return `it refers to ${JSON.stringify(base)}, which is no check`;
  const isBefore = dayOf(base) === dayOf(name) && base < name;
  return isBefore ? null : `it refers to ${base}, which is not before it on its day`;
}

/** Whether the base is of the same day and before, not too long ago, and its rows stand in an order that can be restored. */
function mayServe({ entry: base }: Base, entry: CheckEntry): boolean {
  const age = Date.parse(entry.time) - Date.parse(base.time);
  const isOfDay = base.time.slice(0, 10) === entry.time.slice(0, 10);
  return isOfDay && age > 0 && age < SERVES_MILLISECONDS && isAscending(toVotes(base.votes));
}

function toVotes(rows: readonly CheckRow[]): string[] {
  return rows.map(({ vote }) => vote);
}

function isAscending(votes: readonly string[]): boolean {
  return votes.every((vote, index) => index === 0 || (votes[index - 1] ?? "") < vote);
}

function isSame(one: CheckRow, other: CheckRow | undefined): boolean {
  return (
    other !== undefined &&
    one.basisPoints === other.basisPoints &&
    one.percent === other.percent &&
    one.delinquent === other.delinquent &&
    one.activeStake === other.activeStake
  );
}
