import { listCheckpoints, loadCheckpoint, saveCheckpoint, type CheckpointHead } from "../../journal/checkpoints.ts";
import { createNameDigest } from "../../journal/digest.ts";
import { MISSING, type UnreadableEntry } from "../../journal/entries.ts";
import type { JournalPlace } from "../../journal/names.ts";
import { FOLD_VERSION, type Ledger } from "../../ledger/ledger.ts";
import { findReadable, type Quarantined } from "../quarantined.ts";
import type { Context } from "../context.ts";

/*
 * How far a rebuild has come, in a folder of its own in the state store. Each state is named by its moment and by the digest
 * of every name folded up to there: a late entry, a ruling on the past or a vanished entry makes it unfit, and an older one
 * is taken, or the beginning.
 */

const folder = "rebuild";
/** Of a moment, `2026-11-20/153000000`. */
const MOMENT_LENGTH = 20;

/** A state to go on from. */
export interface SavedProgress {
  ledger: Ledger;
  /** Entries before its position that could not be read, and cannot be now. */
  leftOut: UnreadableEntry[];
  /** Names of the journal, from the first, that it has behind it. */
  count: number;
}

/**
 * The newest state that has folded exactly the names given, up to its position; null: none. `unreadable` gets those that do
 * not read back.
 *
 * @param names of all entries, in order.
 * @throws {StoreError}
 */
export async function findProgress(
  context: Context,
  { names, unreadable }: { names: readonly string[]; unreadable: Quarantined[] },
): Promise<SavedProgress | null> {
  const place = placeOf(context);
  const heads = await listCheckpoints(place, { foldVersion: FOLD_VERSION, fromDay: null, folder });
  const fitting = findFitting(heads, names);
  for (const [head, count] of [...fitting].reverse()) {
    const loaded = await loadCheckpoint<Ledger>(place, { head, foldVersion: FOLD_VERSION });
    if ("unreadable" in loaded) {
      if (loaded.unreadable !== MISSING) unreadable.push({ object: head.key, reason: loaded.unreadable });
      continue;
    }
    if ((await findReadable(context.journal, loaded.leftOut)) === null) return { ...loaded, count };
  }
  return null;
}

/** The states that the names lead to, oldest first, each with the count of names it has behind it. */
function findFitting(heads: readonly CheckpointHead[], names: readonly string[]): Map<CheckpointHead, number> {
  const fitting = new Map<CheckpointHead, number>();
  const through = createNameDigest();
  let count = 0;
  for (const head of heads.toReversed()) {
    for (; (names[count]?.slice(0, MOMENT_LENGTH) ?? "~") <= head.moment; count += 1) through.add(names[count] ?? "");
    if (through.digest() === head.digest) fitting.set(head, count);
  }
  return fitting;
}

/** @param state `digest`: of all names up to the ledger's position. @throws {StoreError} */
export async function saveProgress(
  context: Context,
  state: { ledger: Ledger; digest: string; leftOut: readonly UnreadableEntry[] },
): Promise<void> {
  await saveCheckpoint(placeOf(context), { ...state, foldVersion: FOLD_VERSION, folder });
}

/** Deletes what rebuilds of any fold version left behind. @throws {StoreError} */
export async function forgetProgress({ stateStore, network }: Context): Promise<void> {
  for await (const { key } of stateStore.list(`${folder}/${network}/`)) await stateStore.delete(key);
}

function placeOf({ stateStore, network, series }: Context): JournalPlace {
  return { store: stateStore, network, series };
}
