import { LRUCache } from "lru-cache";
import { z } from "zod";
import { pubkeySchema } from "../contract/values.ts";
import { checkEntrySchema, ENTRY_FORMAT, type CheckEntry, type CheckRow, type Entry } from "../entries/entry.ts";
import { isEntryName } from "./names.ts";

/*
 * A check stored as its difference from an earlier one: a thousand rows are 45 KB, and nearly always the same. Only the
 * journal knows this form.
 */

/** Generators that know no references refuse this format as a newer one. */
export const REFERRING_FORMAT = 2;

/** A check with more different rows is stored whole. */
const DIFFERENT_MOST_SHARE = 1 / 4;
/** A reference's name is as long as some rows. */
const SAME_LEAST = 8;
/** Bounds how many checks a lost reference takes with it. */
const SERVES_MILLISECONDS = 10 * 60_000;

/** Several generators have one for each endpoint. */
const KEPT_MAX = 16;

export const referringCheckSchema = checkEntrySchema.omit({ votes: true }).extend({
  format: z.literal(REFERRING_FORMAT),
  /** The number of a whole check before this one, in ten digits. */
  base: z.string(),
  changed: checkEntrySchema.shape.votes,
  gone: z.array(pubkeySchema),
});

export type ReferringCheck = z.infer<typeof referringCheckSchema>;

export interface References {
  remember(name: string, entry: Entry): void;
  recall(name: string): CheckEntry | undefined;
  /** Each endpoint has its own reference: rows of two can all differ. */
  shorten(entry: Entry): Entry | ReferringCheck;
  /** After the write: nothing may refer to an entry that may be missing. */
  written(name: string, entry: Entry | ReferringCheck): void;
}

export function createReferences(): References {
  const kept = new LRUCache<string, CheckEntry>({ max: KEPT_MAX });
  const newest = new LRUCache<string, Reference>({ max: KEPT_MAX });
  return {
    remember(name, entry) {
      if (entry.kind === "check") kept.set(name, entry);
    },
    recall: (name) => kept.get(name),
    shorten(entry) {
      const reference = entry.kind === "check" ? newest.get(entry.endpoint) : undefined;
      return (entry.kind === "check" && reference !== undefined && refer(entry, reference)) || entry;
    },
    written(name, entry) {
      if (entry.kind !== "check" || entry.format === REFERRING_FORMAT) return;
      newest.set(entry.endpoint, { name, entry });
      kept.set(name, entry);
    },
  };
}

/** @throws {Error} when it was not made from this reference */
export function resolve({ base: name, changed, gone, ...rest }: ReferringCheck, reference: CheckEntry): CheckEntry {
  const isSame = changed.length + gone.length === 0;
  const votes = isSame ? reference.votes : change(reference.votes, { name, changed, gone });
  if (!isAscending(votes) || !isAscending(changed)) throw new Error(`its rows or those of ${name} are not in order`);
  return { ...rest, format: ENTRY_FORMAT, votes };
}

function change(
  votes: readonly CheckRow[],
  { name, changed, gone }: { name: string } & Pick<ReferringCheck, "changed" | "gone">,
): CheckRow[] {
  const rows = new Map(votes.map((row) => [row.vote, row]));
  const known = rows.size;
  for (const vote of gone) if (!rows.delete(vote)) throw new Error(`it removes ${vote}, which ${name} does not have`);
  for (const row of changed) rows.set(row.vote, row);
  // A row set again keeps its place; a new one goes to the end.
  const isWithNew = rows.size > known - gone.length;
  return isWithNew ? [...rows.values()].sort((one, other) => (one.vote < other.vote ? -1 : 1)) : [...rows.values()];
}

export function refuseReference(name: string, { base }: ReferringCheck): string | null {
  return isEntryName(base) && base < name ? null : `it refers to ${JSON.stringify(base)}, which is not before it`;
}

interface Reference {
  name: string;
  entry: CheckEntry;
}

function refer(entry: CheckEntry, reference: Reference): ReferringCheck | null {
  const { votes, ...rest } = entry;
  if (!mayServe(reference.entry, entry) || !isAscending(votes)) return null;
  const before = new Map(reference.entry.votes.map((row) => [row.vote, row]));
  const changed = votes.filter((row) => !isSame(row, before.get(row.vote)));
  for (const { vote } of votes) before.delete(vote);
  const gone = [...before.keys()];
  if (changed.length + gone.length > reference.entry.votes.length * DIFFERENT_MOST_SHARE) return null;
  if (votes.length - changed.length < SAME_LEAST) return null;
  return { ...rest, format: REFERRING_FORMAT, base: reference.name, changed, gone };
}

function mayServe(reference: CheckEntry, entry: CheckEntry): boolean {
  const age = Date.parse(entry.time) - Date.parse(reference.time);
  return age > 0 && age < SERVES_MILLISECONDS && isAscending(reference.votes);
}

function isAscending(rows: readonly CheckRow[]): boolean {
  return rows.every(({ vote }, index) => index === 0 || (rows[index - 1]?.vote ?? "") < vote);
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
