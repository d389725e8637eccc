import { listCheckpoints, loadCheckpoint, saveCheckpoint, type CheckpointHead } from "../../journal/checkpoints.ts";
import { createNameDigest, type JournalPlace } from "../../journal/names.ts";
import { MISSING, type UnreadableEntry } from "../../journal/entries.ts";
import { uniteLeftOut } from "../../journal/starting-point.ts";
import { FOLD_VERSION, type Ledger } from "../../ledger/ledger.ts";
import { findReadable, type Checkpoints, type Standing } from "../checkpoints.ts";
import type { Quarantined } from "../quarantined.ts";
import { openCheckpointAudit, type CheckpointAudit } from "./audit.ts";
import type { Context } from "../context.ts";

/*
 * A rebuild trusts only checkpoints of its own progress, named by moment and digest of every name so far: a late,
 * ruled or vanished entry makes one unfit, and an older one is taken.
 */

const folder = "rebuild";
const MOMENT_LENGTH = 20;
/** Sorts before every name: all entries are folded. */
const BEFORE_ALL = "";
/** Saving takes at most a twentieth of the time. */
const WORK_PER_SAVING = 20;

export interface RebuildCheckpoints extends Checkpoints {
  finish(): Promise<void>;
}

export interface RebuildCheckpointsOptions {
  verify: boolean;
  /** Least work between two savings. */
  saveMilliseconds: number;
  /** Once aborted, the progress is saved after the next entry. */
  signal: AbortSignal;
}

/** Continues an earlier rebuild, and audits the checkpoints of runs. */
export function openRebuildCheckpoints(context: Context, options: RebuildCheckpointsOptions): RebuildCheckpoints {
  const { journal, clock } = context;
  const { verify, saveMilliseconds, signal } = options;
  const unreadable: Quarantined[] = [];
  let audit: CheckpointAudit | null = null;
  let names = createNameDigest();
  let savedAt = clock.timer();
  let savingMilliseconds = 0;

  async function save({ ledger, leftOut }: Standing): Promise<void> {
    // Continued behind a wrong checkpoint, a rebuild would not find it again.
    if (verify && audit?.isWrongLineage() === true) return;
    const beganAt = clock.timer();
    const digest = names.digest();
    await saveCheckpoint(placeOf(context), { ledger, leftOut, digest, foldVersion: FOLD_VERSION, folder });
    savedAt = clock.timer();
    savingMilliseconds = savedAt - beganAt;
  }

  return {
    reloadMilliseconds: Infinity,
    async begin({ through }) {
      const query = { now: clock.now(), foldVersion: FOLD_VERSION, notAfter: BEFORE_ALL };
      const base = await journal.findStartingPoint<Ledger>(query);
      const wanted = base.names.filter((name) => through === null || name <= through);
      const saved = await findProgress(context, { names: wanted, unreadable });
      audit = await openCheckpointAudit(context, { verify });
      names = createNameDigest();
      const behind = saved?.count ?? 0;
      for (const name of wanted.slice(0, behind)) names.add(name);
      const leftOut = uniteLeftOut(saved?.leftOut ?? [], base.leftOut);
      return { base, ledger: saved?.ledger ?? null, leftOut, behind, isMended: false };
    },
    async before(standing, nextTime) {
      await audit?.pass(standing, nextTime);
    },
    async after(standing, passed) {
      for (const name of passed) names.add(name);
      const isDue = clock.timer() - savedAt >= Math.max(saveMilliseconds, savingMilliseconds * WORK_PER_SAVING);
      if (isDue || signal.aborted) await save(standing);
    },
    quarantined: () => [...unreadable, ...(audit?.quarantined() ?? [])],
    finish: async () => audit?.finish(),
  };
}

interface Progress {
  ledger: Ledger;
  leftOut: UnreadableEntry[];
  count: number;
}

/**
 * The newest progress that folded exactly these names up to its position.
 * @param options.names of all entries, in order
 * @param options.unreadable receives progress that does not read back
 */
async function findProgress(
  context: Context,
  { names, unreadable }: { names: readonly string[]; unreadable: Quarantined[] },
): Promise<Progress | null> {
  const place = placeOf(context);
  const heads = await listCheckpoints(place, { foldVersion: FOLD_VERSION, fromDay: null, folder });
  for (const [head, count] of [...findFitting(heads, names)].reverse()) {
    const loaded = await loadCheckpoint<Ledger>(place, { head, foldVersion: FOLD_VERSION });
    if ("unreadable" in loaded) {
      if (loaded.unreadable !== MISSING) unreadable.push({ object: head.key, reason: loaded.unreadable });
      continue;
    }
    if ((await findReadable(context.journal, loaded.leftOut)) === null) return { ...loaded, count };
  }
  return null;
}

/** Progress that fits, oldest first, with the count of names behind it. */
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

/**
 * Deletes the progress of any fold version.
 * @throws {StoreError}
 */
export async function forgetProgress({ stateStore, network }: Context): Promise<void> {
  for await (const { key } of stateStore.list(`${folder}/${network}/`)) await stateStore.delete(key);
}

function placeOf({ stateStore, network, series }: Context): JournalPlace {
  return { store: stateStore, network, series };
}
