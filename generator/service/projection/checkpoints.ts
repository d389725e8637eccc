import { messageOf } from "../../contract/error-message.ts";
import {
  listCheckpoints,
  loadCheckpoint,
  saveCheckpoint,
  type CheckpointHead,
} from "../../journal/checkpoints.ts";
import { MISSING, type UnreadableEntry } from "../../journal/entries.ts";
import type { Journal } from "../../journal/journal.ts";
import { numberOf, toNames, type JournalPlace } from "../../journal/names.ts";
import type { ReadEntry } from "../../journal/reading.ts";
import { actsBy, digestOfPosition, type StoredRuling } from "../../journal/rulings.ts";
import { FOLD_VERSION, type Ledger } from "../../ledger/ledger.ts";
import { findStoreAdvice } from "../../store/advice.ts";
import { StoreError } from "../../store/store.ts";
import { findBrokenLink } from "./holes.ts";
import type { Quarantined } from "./quarantined.ts";

/** Time folded between two checkpoints: a cold start then folds little more than an hour. */
const EVERY_MILLISECONDS = 50 * 60_000;
/** How often a running process starts over from a checkpoint. */
const RELOAD_EVERY_MILLISECONDS = 70 * 60_000;

/** Where a projection starts, and what it leaves for the next one. */
export interface Checkpoints {
  reloadMilliseconds: number;
  /** @param query.notAfter the latest entry to begin after */
  begin(query: {
    notAfter: string | null;
    rulings: readonly StoredRuling[];
  }): Promise<Beginning | null>;
  /** Call it after each entry and the rulings that act by it. */
  passed(folded: FoldedLedger): Promise<void>;
  /** Checkpoints that are wrong, cannot be read or cannot be kept. */
  quarantined(): Quarantined[];
}

/** A ledger to fold on, and the entries before its position that it lacks. */
interface Beginning {
  ledger: Ledger;
  leftOut: readonly UnreadableEntry[];
}

/** A ledger between two entries. */
export interface FoldedLedger extends Beginning {
  /** `digestOfPosition` */
  digest: string;
  /** Entries still to fold. */
  left: number;
}

/**
 * The checkpoints that runs leave for each other.
 * @param options.keeps false: read only
 */
export function openCheckpoints(
  { place, journal }: { place: JournalPlace; journal: Journal },
  { keeps = true }: { keeps?: boolean } = {},
): Checkpoints {
  let lastTime = -Infinity;
  let failures: Quarantined[] = [];

  /** A checkpoint is only a cache, so a failure to save one must not lose an observation. */
  async function keep({ ledger, leftOut, digest }: FoldedLedger): Promise<void> {
    try {
      await saveCheckpoint(place, { ledger, leftOut, digest, foldVersion: FOLD_VERSION });
      failures = failures.filter(({ object }) => object !== "checkpoints");
    } catch (error) {
      if (!(error instanceof StoreError)) throw error;
      const reason = `none could be kept, so that commands take longer: ${findStoreAdvice(error) ?? messageOf(error)}`;
      failures.push({ object: "checkpoints", reason });
    }
  }

  return {
    reloadMilliseconds: RELOAD_EVERY_MILLISECONDS,
    async begin({ notAfter, rulings }) {
      const heads = await listCheckpoints(place, { foldVersion: FOLD_VERSION });
      const found = await findFitting({ place, journal, rulings }, heads, notAfter);
      failures = found.unreadable;
      lastTime = found.beginning === null ? -Infinity : timeOf(found.beginning.ledger);
      return found.beginning;
    },
    async passed(folded) {
      const time = timeOf(folded.ledger);
      // The difference may be negative if a clock was set back.
      if (!keeps || folded.left > 0 || Math.abs(time - lastTime) < EVERY_MILLISECONDS) return;
      await keep(folded);
      lastTime = time;
    },
    quarantined: () => failures,
  };
}

interface Search {
  place: JournalPlace;
  journal: Journal;
  rulings: readonly StoredRuling[];
}

interface Found {
  beginning: Beginning | null;
  /** Checkpoints that cannot be read back; they only cost time. */
  unreadable: Quarantined[];
}

/**
 * The newest checkpoint whose entries and rulings are those of the journal, and that is older than
 * any entry restored from a copy.
 * @param heads newest first
 * @param notAfter null: any
 */
export async function findFitting(
  { place, journal, rulings }: Search,
  heads: readonly CheckpointHead[],
  notAfter: string | null,
): Promise<Found> {
  const unreadable: Quarantined[] = [];
  let last = notAfter;
  for (const head of heads) {
    const { name, digest } = head;
    if (last !== null && name > last) continue;
    const hash = await journal.hashOf(name);
    const acting = rulings.filter(({ ruling }) => actsBy(ruling, name));
    if (hash === null || digestOfPosition(hash, acting) !== digest) continue;
    const loaded = await loadCheckpoint<Ledger>(place, { head, foldVersion: FOLD_VERSION });
    // Another process may just have deleted it as spare.
    if ("unreadable" in loaded && loaded.unreadable === MISSING) continue;
    if ("unreadable" in loaded) {
      unreadable.push({ object: head.key, reason: loaded.unreadable });
      continue;
    }
    const readable = await findReadable(journal, loaded.leftOut);
    if (readable === null) return { beginning: loaded, unreadable };
    last = readable;
  }
  return { beginning: null, unreadable };
}

/**
 * The first left-out entry that can be read now: it was restored from a copy, the entry before it
 * was, or this version knows its format. null: none.
 */
export async function findReadable(
  journal: Journal,
  leftOut: readonly UnreadableEntry[],
): Promise<string | null> {
  const out = new Set(leftOut.map(({ name }) => name));
  const names = new Set(
    [...out].flatMap((name) => toNames(Math.max(1, numberOf(name) - 1), numberOf(name))),
  );
  let before: ReadEntry | null = null;
  for await (const read of journal.read([...names].sort())) {
    const isRead = "entry" in read;
    if (isRead && out.has(read.name) && findBrokenLink(before, read) === null) return read.name;
    before = isRead ? read : null;
  }
  return null;
}

/** Time of the newest entry folded, in milliseconds since 1970; NaN: none was folded. */
export function timeOf(ledger: Ledger): number {
  return Date.parse(ledger.position?.time ?? "");
}
