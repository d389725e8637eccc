import { listCheckpoints, saveCheckpoint } from "../../journal/checkpoints.ts";
import { FOLD_VERSION } from "../../ledger/ledger.ts";
import { findFitting, type Checkpoints, type FoldedLedger } from "../projection/checkpoints.ts";
import type { Context } from "../context.ts";
import type { Quarantined } from "../projection/quarantined.ts";
import { openCheckpointAudit, type CheckpointAudit } from "./audit.ts";

const folder = "rebuild";
/** Saving takes at most a twentieth of the time. */
const WORK_PER_SAVING = 20;

/** Checkpoints of a rebuild; call `finish` after the last entry. */
export interface RebuildCheckpoints extends Checkpoints {
  finish(): Promise<void>;
}

/** How a rebuild saves its progress. */
export interface RebuildCheckpointsOptions {
  verify: boolean;
  /** Least work between two savings. */
  saveMilliseconds: number;
  /** Once aborted, the progress is saved after the next entry. */
  signal: AbortSignal;
}

/**
 * Continues an earlier rebuild, trusts no checkpoint
 * but its own progress, and audits those of runs.
 */
export function openRebuildCheckpoints(
  { place, journal, clock }: Context,
  options: RebuildCheckpointsOptions,
): RebuildCheckpoints {
  const { verify, saveMilliseconds, signal } = options;
  let unreadable: Quarantined[] = [];
  let audit: CheckpointAudit | null = null;
  let savedAt = clock.timer();
  let savingMilliseconds = 0;

  async function save({ ledger, leftOut, digest }: FoldedLedger): Promise<void> {
    // If a rebuild continued after a wrong checkpoint, it would not find it again.
    if (verify && audit?.isWrongLineage() === true) return;
    const beganAt = clock.timer();
    await saveCheckpoint(place, { ledger, leftOut, digest, foldVersion: FOLD_VERSION, folder });
    savedAt = clock.timer();
    savingMilliseconds = savedAt - beganAt;
  }

  return {
    reloadMilliseconds: Infinity,
    async begin({ notAfter, rulings }) {
      audit = await openCheckpointAudit(place, { verify });
      const heads = await listCheckpoints(place, { foldVersion: FOLD_VERSION, folder });
      const found = await findFitting({ place, journal, rulings }, heads, notAfter);
      unreadable = found.unreadable;
      return found.beginning;
    },
    async passed(folded) {
      await audit?.pass(folded);
      const isDue =
        clock.timer() - savedAt >= Math.max(saveMilliseconds, savingMilliseconds * WORK_PER_SAVING);
      if (isDue || signal.aborted) await save(folded);
    },
    quarantined: () => [...unreadable, ...(audit?.quarantined() ?? [])],
    finish: async () => audit?.finish(),
  };
}

/**
 * Deletes the progress of any fold version.
 * @throws {StoreError}
 */
export async function forgetProgress({ stateStore, network }: Context): Promise<void> {
  for await (const { key } of stateStore.list(`${folder}/${network}/`))
    await stateStore.delete(key);
}
