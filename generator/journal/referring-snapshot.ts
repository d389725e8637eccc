import { isDeepStrictEqual } from "node:util";
import { z } from "zod";
import { WITNESSES_MAX } from "../contract/values.ts";
import {
  ENTRY_FORMAT,
  snapshotEntrySchema,
  type AccountsAnswer,
  type SnapshotEntry,
} from "../entries/entry.ts";
import { accountsAnswer } from "../entries/panel-answers.ts";
import { isOfLast, referring, REFERRING_FORMAT, type Reference } from "./referring.ts";

/* A snapshot without what it shares with an earlier one: two thirds of it seldom change. */

/** Limits how many snapshots are lost with a reference. */
const SERVES_MILLISECONDS = 60 * 60_000;

const [answered, failed] = accountsAnswer.options;

/**
 * A missing part is as in the reference: a section, or the rows of the witness at the same index.
 */
export const referringSnapshotSchema = snapshotEntrySchema
  .partial({ nodes: true, info: true, mev: true, locations: true })
  .extend({
    ...referring,
    accounts: z
      .array(z.discriminatedUnion("state", [answered.partial({ rows: true }), failed]))
      .min(1)
      .max(WITNESSES_MAX),
  });

type ReferringSnapshot = z.infer<typeof referringSnapshotSchema>;

/** A snapshot as its difference from another; null: the reference is too old. */
export function referSnapshot(
  entry: SnapshotEntry,
  { name, entry: reference }: Reference<SnapshotEntry>,
): ReferringSnapshot | null {
  if (!isOfLast(SERVES_MILLISECONDS, reference, entry)) return null;
  return {
    ...entry,
    format: REFERRING_FORMAT,
    base: name,
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
  const { base, accounts, ...rest } = referring;
  return {
    ...rest,
    format: ENTRY_FORMAT,
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

function rowsAt({ accounts }: SnapshotEntry, index: number) {
  const answer = accounts[index];
  return answer?.state === "ok" ? answer.rows : undefined;
}
