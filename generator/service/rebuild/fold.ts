import type { Base } from "../../journal/base.ts";
import { createNameDigest } from "../../journal/digest.ts";
import type { UnreadableEntry } from "../../journal/entries.ts";
import { isOfNewer } from "../../journal/formats.ts";
import { fold } from "../../ledger/fold.ts";
import { createLedger, FOLD_VERSION, type Ledger } from "../../ledger/ledger.ts";
import { NOT_AN_ENTRY, type JournalPosition } from "../projection.ts";
import { toQuarantined, type Quarantined } from "../quarantined.ts";
import { openOrdinaryCheckpoints, type OrdinaryCheckpoints } from "./checkpoints.ts";
import { createPace, type RebuildProgress } from "./pace.ts";
import { findProgress, saveProgress } from "./progress.ts";
import type { Context } from "../context.ts";

export interface FoldOptions {
  /** Change nothing but the own progress. */
  verify: boolean;
  /** Least work between two savings of the progress; they never take more than a twentieth of the time. */
  saveMilliseconds: number;
  signal: AbortSignal;
  onProgress: (progress: RebuildProgress) => void;
}

/** The journal, folded from its first entry on. */
export interface JournalFold {
  /**
   * Folds what there is and was not folded yet, as far as an entry; null: all. Goes on from where an earlier rebuild was
   * stopped. Ends early when the signal is given, and saves its progress then.
   *
   * @returns how many entries it folded.
   * @throws {StoreError}
   */
  foldThrough(name: string | null): Promise<number>;
  /** Deletes checkpoints that another process may have made of a wrong one meanwhile. */
  finish(): Promise<void>;
  ledger(): Ledger;
  /** null: nothing is folded. */
  position(): JournalPosition | null;
  /** What could not be read or is not as it should be, in the journal, the progress and the checkpoints. */
  quarantined(): Quarantined[];
  /** Why the ledger must not be published: a newer version wrote an entry. null: it may be. */
  outdated(): string | null;
  /** Entries behind it, those of an earlier process included, of how many. */
  counts(): { done: number; total: number; resumedAt: number; milliseconds: number };
}

/** Nothing is before the empty name: so no checkpoint fits, and all entries are to fold. */
const BEFORE_ALL = "";

/** Begins to fold a journal with no ledger believed but those that a rebuild left behind on the same way. */
export function openJournalFold(context: Context, options: FoldOptions): JournalFold {
  const { journal, network, series, clock } = context;
  const pace = createPace(clock, { leastMilliseconds: options.saveMilliseconds });
  const unreadable: Quarantined[] = [];
  const foreign = new Set<string>();
  let state = createState(createLedger(network, series));
  let position: JournalPosition | null = null;
  let checkpoints: OrdinaryCheckpoints | null = null;
  let counts = { done: 0, total: 0, resumedAt: 0, milliseconds: 0 };

  async function foldThrough(last: string | null): Promise<number> {
    const base = (await findOnward()) ?? (await begin(last));
    for (const key of base.foreign) foreign.add(key);
    const names = base.names.filter((name) => name > state.seen && (last === null || name <= last));
    counts = { ...counts, total: counts.done + names.length };
    const beganAt = clock.timer();
    const folded = await foldNames(names, base);
    counts.milliseconds += clock.timer() - beganAt;
    const through = state.ledger.position?.name;
    position = through === undefined ? null : { through, digest: base.digestThrough(through) };
    return folded;
  }

  /** What follows the ledger at hand; null: there is none, or a late entry has made it unfit. */
  async function findOnward(): Promise<Base<Ledger> | null> {
    if (position === null) return null;
    const held = { ledger: state.ledger, digest: position.digest };
    const base = await journal.findBase({ now: clock.now(), foldVersion: FOLD_VERSION, held });
    return base.ledger === state.ledger ? base : null;
  }

  async function begin(last: string | null): Promise<Base<Ledger>> {
    const base = await journal.findBase<Ledger>({ now: clock.now(), foldVersion: FOLD_VERSION, notAfter: BEFORE_ALL });
    const names = base.names.filter((name) => last === null || name <= last);
    const saved = await findProgress(context, { names, unreadable });
    const count = saved?.count ?? 0;
    state = { ...createState(saved?.ledger ?? createLedger(network, series)), leftOut: saved?.leftOut ?? [] };
    for (const name of names.slice(0, count)) state.names.add(name);
    state.seen = names[count - 1] ?? "";
    counts = { ...counts, done: count, total: names.length, resumedAt: count };
    checkpoints = await openOrdinaryCheckpoints(context, { verify: options.verify });
    return base;
  }

  async function foldNames(names: readonly string[], base: Base<Ledger>): Promise<number> {
    let folded = 0;
    for await (const entry of journal.read(names)) {
      counts.done += 1;
      state.seen = entry.name;
      if ("unreadable" in entry) {
        state.leftOut.push(entry);
        state.names.add(entry.name);
        continue;
      }
      await checkpoints?.pass({ ...state, digestThrough: base.digestThrough }, Date.parse(entry.entry.time));
      state.ledger = fold(state.ledger, entry).ledger;
      state.names.add(entry.name);
      folded += 1;
      pace.step();
      options.onProgress(pace.tell({ network, folded: counts.done, total: counts.total }));
      if (options.signal.aborted || pace.isSavingDue()) await pace.saving(save);
      if (options.signal.aborted) return folded;
    }
    await checkpoints?.pass({ ...state, digestThrough: base.digestThrough }, Infinity);
    return folded;
  }

  /** To be called right after an entry was folded: the digest of the names is then that of its position. */
  async function save(): Promise<void> {
    // A rebuild that goes on from behind a wrong checkpoint would not find it, and this one only tells of it.
    if (options.verify && checkpoints?.isWrongLineage() === true) return;
    await saveProgress(context, { ...state, digest: state.names.digest() });
  }

  return {
    foldThrough,
    finish: async () => checkpoints?.finish(),
    ledger: () => state.ledger,
    position: () => position,
    quarantined: () =>
      toQuarantined([
        ...[...foreign].map((key) => [key, NOT_AN_ENTRY] as const),
        ...state.leftOut.map((entry) => [entry.name, entry.unreadable] as const),
        ...[...unreadable, ...(checkpoints?.quarantined() ?? [])].map(
          ({ object, reason }) => [object, reason] as const,
        ),
      ]),
    outdated() {
      const newer = state.leftOut.find((entry) => isOfNewer(entry.unreadable));
      return newer === undefined ? null : `${newer.name}: ${newer.unreadable}`;
    },
    counts: () => counts,
  };
}

function createState(ledger: Ledger) {
  return {
    ledger,
    /** Entries before its position that could not be read. */
    leftOut: [] as UnreadableEntry[],
    /** All names behind it. */
    names: createNameDigest(),
    /** The last of them. */
    seen: "",
  };
}
