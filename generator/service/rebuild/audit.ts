import { isDeepStrictEqual } from "node:util";
import {
  listCheckpoints,
  loadCheckpoint,
  saveCheckpoint,
  type CheckpointHead,
} from "../../journal/checkpoints.ts";
import { MISSING } from "../../journal/entries.ts";
import type { JournalPlace } from "../../journal/names.ts";
import { FOLD_VERSION, type Ledger } from "../../ledger/ledger.ts";
import { getOrDamaged, isUndamaged, setAside } from "../../store/damaged.ts";
import type { FoldedLedger } from "../projection/checkpoints.ts";
import { findHoles } from "../projection/holes.ts";
import type { Quarantined } from "../projection/quarantined.ts";

const WRONG = "its ledger contradicts the journal: damaged, or made by other code";

/** Nearer to the end, folding is faster than loading. */
const LEAST_LEFT = 64;

/** Compares the checkpoints of runs with the ledger that a rebuild folds. */
export interface CheckpointAudit {
  /** Examines the checkpoints of a ledger's position. */
  pass(folded: FoldedLedger): Promise<void>;
  /** Call it last: deletes what another process made from a wrong checkpoint meanwhile. */
  finish(): Promise<void>;
  /** Checkpoints that are wrong or cannot be read. */
  quarantined(): Quarantined[];
  /** Whether a checkpoint had another ledger than the journal's. */
  isWrongLineage(): boolean;
}

/**
 * Runs trust the checkpoints they find. A wrong one is therefore reported, deleted and replaced;
 * with `verify` it is only reported. The audit also makes the checkpoints that a run would have
 * kept: one at the end, and others each twice as far before it.
 * @throws {StoreError}
 */
export async function openCheckpointAudit(
  place: JournalPlace,
  { verify }: { verify: boolean },
): Promise<CheckpointAudit> {
  const { store } = place;
  const heads = await listCheckpoints(place, { foldVersion: FOLD_VERSION });
  const byName = Map.groupBy(heads, ({ name }) => name);
  const quarantined: Quarantined[] = [];
  const trusted = new Set<string>();
  let firstWrong: string | null = null;

  async function pass(folded: FoldedLedger): Promise<void> {
    const { ledger, leftOut, digest, left } = folded;
    const own = byName.get(ledger.position?.name ?? "") ?? [];
    let isRemoved = false;
    for (const head of own.filter((one) => one.digest === digest))
      if (!(await examine(head, folded))) isRemoved = true;
    // A run must not begin from a ledger with a hole.
    const isWhole = findHoles(ledger, leftOut).length === 0;
    const isKept = own.some(({ key }) => trusted.has(key));
    if (!verify && isWhole && !isKept && (isRemoved || isDue(left)))
      trusted.add(
        await saveCheckpoint(place, { ledger, leftOut, digest, foldVersion: FOLD_VERSION }),
      );
  }

  async function examine(
    head: CheckpointHead,
    { ledger, leftOut }: FoldedLedger,
  ): Promise<boolean> {
    const loaded = await loadCheckpoint<Ledger>(place, { head, foldVersion: FOLD_VERSION });
    if ("unreadable" in loaded) {
      if (loaded.unreadable === MISSING) return true;
      quarantined.push({ object: head.key, reason: loaded.unreadable });
    } else {
      // It lacks readable entries: it does not count.
      if (!isDeepStrictEqual(loaded.leftOut.map(toName), leftOut.map(toName))) return true;
      if (isDeepStrictEqual(loaded.ledger, ledger)) {
        trusted.add(head.key);
        return true;
      }
      quarantined.push({ object: head.key, reason: WRONG });
      firstWrong ??= head.name;
    }
    if (!verify) await remove(head.key);
    return false;
  }

  async function remove(key: string): Promise<void> {
    const object = await getOrDamaged(store, key);
    if (isUndamaged(object)) await setAside(store, object);
    await store.delete(key);
  }

  async function finish(): Promise<void> {
    if (verify || firstWrong === null) return;
    for (const { key, name } of await listCheckpoints(place, { foldVersion: FOLD_VERSION }))
      if (name >= firstWrong && !trusted.has(key)) await store.delete(key);
  }

  return {
    pass,
    finish,
    quarantined: () => quarantined,
    isWrongLineage: () => firstWrong !== null,
  };
}

/** At the end, and 64, 128, 256 … entries before it. */
function isDue(left: number): boolean {
  return left === 0 || (left >= LEAST_LEFT && Number.isInteger(Math.log2(left)));
}

function toName({ name }: { name: string }): string {
  return name;
}
