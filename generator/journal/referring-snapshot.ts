import { isDeepStrictEqual } from "node:util";
import { z } from "zod";
import { pubkeySchema } from "../contract/values.ts";
import { WITNESSES_MAX } from "../contract/panel.ts";
import {
  ENTRY_FORMAT,
  snapshotEntrySchema,
  type AccountsAnswer,
  type SnapshotEntry,
  type SnapshotRow,
} from "../entries/entry.ts";
import { accountsAnswer } from "../entries/panel-answers.ts";
import { quickRows, readCreditsChange } from "../entries/quick-rows.ts";
import { creditsChange, snapshotRow } from "../entries/rows.ts";
import { compareRows, restoreRows, type RowChanges } from "./referring-rows.ts";
import { mayRefer, referring, REFERRING_FORMAT, type Reference } from "./referring.ts";

/* A snapshot without what it shares with an earlier one: two thirds of it seldom change. */

const FIELDS_BUT_CREDITS = snapshotRow.omit({ credits: true }).keyof().options;

const [answered, failed] = accountsAnswer.options;

/**
 * A missing part is as in the reference: a row of the list, a section, or the rows of the witness
 * at the same index.
 */
export const referringSnapshotSchema = snapshotEntrySchema
  .omit({ votes: true })
  .partial({ nodes: true, info: true, mev: true, locations: true })
  .extend({
    ...referring,
    changed: snapshotEntrySchema.shape.votes,
    gone: z.array(pubkeySchema),
    /** Of the reference's rows, in their order. null also where a row is changed or gone. */
    credits: quickRows(creditsChange, readCreditsChange),
    accounts: z
      .array(z.discriminatedUnion("state", [answered.partial({ rows: true }), failed]))
      .min(1)
      .max(WITNESSES_MAX),
  });

type CreditsChange = z.infer<typeof creditsChange>;
type ReferringSnapshot = z.infer<typeof referringSnapshotSchema>;

/**
 * A snapshot as its difference from another; null: the reference is too old, or the rows of either
 * are not in order.
 */
export function referSnapshot(
  entry: SnapshotEntry,
  { name, entry: reference }: Reference<SnapshotEntry>,
): ReferringSnapshot | null {
  if (!mayRefer(entry, reference)) return null;
  const { votes, ...rest } = entry;
  const changes = compareRows(votes, reference.votes, isSameButCredits);
  if (changes === null) return null;
  return {
    ...rest,
    format: REFERRING_FORMAT,
    base: name,
    ...changes,
    credits: compareCredits(votes, reference.votes, changes),
    accounts: entry.accounts.map((answer, index) =>
      answer.state === "ok"
        ? { ...answer, rows: unlessSame(answer.rows, rowsAt(reference, index)) }
        : answer,
    ),
    nodes: unlessSame(entry.nodes, reference.nodes),
    info: unlessSame(entry.info, reference.info),
    mev: unlessSame(entry.mev, reference.mev),
    locations: unlessSame(entry.locations, reference.locations),
  };
}

function isSameButCredits(one: SnapshotRow, other: SnapshotRow): boolean {
  return FIELDS_BUT_CREDITS.every((field) => one[field] === other[field]);
}

function compareCredits(
  votes: readonly SnapshotRow[],
  earlier: readonly SnapshotRow[],
  { changed }: RowChanges<SnapshotRow>,
): CreditsChange[] {
  const now = new Map(votes.map(({ vote, credits }) => [vote, credits]));
  for (const { vote } of changed) now.delete(vote);
  return earlier.map(({ vote, credits: known }) => {
    const credits = now.get(vote);
    if (credits === undefined || isDeepStrictEqual(known, credits)) return null;
    const differing = credits.findIndex((row, index) => !isDeepStrictEqual(row, known[index]));
    const kept = differing === -1 ? credits.length : differing;
    return [kept, credits.slice(kept)];
  });
}

function unlessSame<Value>(value: Value, other: Value | undefined): Value | undefined {
  return isDeepStrictEqual(value, other) ? undefined : value;
}

/**
 * Restores a snapshot from its difference.
 * @throws {Error} when it was not made from this reference
 */
export function resolveSnapshot(
  referring: ReferringSnapshot,
  reference: SnapshotEntry,
): SnapshotEntry {
  const { base, changed, gone, credits, accounts, ...rest } = referring;
  const earlier = { name: base, rows: withCredits(credits, { name: base, rows: reference.votes }) };
  return {
    ...rest,
    format: ENTRY_FORMAT,
    votes: restoreRows({ changed, gone }, earlier),
    accounts: accounts.map((answer, index): AccountsAnswer => {
      if (answer.state === "failed") return answer;
      const rows = answer.rows ?? rowsAt(reference, index);
      if (rows === undefined) throw new Error(`${base} has no accounts of ${answer.endpoint}`);
      return { ...answer, rows };
    }),
    nodes: rest.nodes ?? reference.nodes,
    info: rest.info ?? reference.info,
    mev: rest.mev ?? reference.mev,
    locations: rest.locations ?? reference.locations,
  };
}

function withCredits(
  changes: readonly CreditsChange[],
  { name, rows }: { name: string; rows: SnapshotRow[] },
): SnapshotRow[] {
  if (changes.length !== rows.length)
    throw new Error(
      `it has credits of ${changes.length} vote accounts, of which ${name} has ${rows.length}`,
    );
  return rows.map((row, index) => {
    const [kept, newer] = changes[index] ?? [null, []];
    if (kept === null) return row;
    if (kept > row.credits.length)
      throw new Error(`it keeps ${kept} credits of ${row.vote}, of which ${name} has fewer`);
    return { ...row, credits: [...row.credits.slice(0, kept), ...newer] };
  });
}

function rowsAt({ accounts }: SnapshotEntry, index: number) {
  const answer = accounts[index];
  return answer?.state === "ok" ? answer.rows : undefined;
}
