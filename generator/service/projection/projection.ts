import type { Network } from "../../contract/networks.ts";
import type { ObjectReference } from "../../contract/objects.ts";
import { allReferences, touchedReferences } from "../../documents/references.ts";
import type { UnreadableEntry } from "../../journal/entries.ts";
import type { Journal, JournalListing } from "../../journal/journal.ts";
import { numberOf } from "../../journal/names.ts";
import { actsBy } from "../../journal/rulings.ts";
import type { Folded } from "../../ledger/fold.ts";
import { createLedger, type Ledger } from "../../ledger/ledger.ts";
import { createTouched } from "../../ledger/touched.ts";
import { findReadable, type Checkpoints } from "./checkpoints.ts";
import { describeHole, findHoles } from "./holes.ts";
import {
  applyRulings,
  digestOf,
  isSame,
  notePublished,
  takeEntry,
  toPosition,
  type JournalPosition,
  type LoadedLedger,
  type Predecessor,
} from "./loaded-ledger.ts";
import { toQuarantined, type Quarantined } from "./quarantined.ts";

const FOREIGN = "not the name of an entry or a ruling";

/** Outcome of the fold, by the entry's name. */
export type Outcomes = Map<string, Folded["outcome"]>;

/** One network's ledger, kept in step with its journal. */
export interface Projection {
  /** Folds entries and rulings that the ledger lacks, whichever process wrote them. */
  refresh(): Promise<Outcomes>;
  /** Folds up to an entry; null: all. Returns how many. */
  foldThrough(name: string | null): Promise<number>;
  ledger(): Ledger;
  /** null: nothing was folded yet. */
  position(): JournalPosition | null;
  /** Tells which position is published; null: unknown. */
  setPublished(position: JournalPosition | null): void;
  /** Documents that may differ from those published. */
  changed(): Changed;
  /** Unusable objects of journal and checkpoints, without those that a ruling leaves out. */
  quarantined(): Quarantined[];
  /** Entries that the ledger lacks and no ruling leaves out: it must not be published. */
  holes(): UnreadableEntry[];
  /**
   * Why the ledger must not be published: a newer version writes entries that this one cannot
   * read. null: it may be.
   */
  outdated(): string | null;
  /** `resumedAt`: entries folded before it began. */
  counts(): { done: number; total: number; resumedAt: number };
}

/** The documents that may differ from those published. */
export interface Changed {
  references: ObjectReference[];
  /** The changes are since this published position; null: they are all documents. */
  since: JournalPosition | null;
}

/** Progress of a fold, in entries. */
export interface FoldProgress {
  network: Network;
  folded: number;
  total: number;
}

interface ProjectionOptions {
  network: Network;
  series: number;
  journal: Journal;
  checkpoints: Checkpoints;
  now: () => number;
  onProgress?: (progress: FoldProgress) => void;
  /** Ends folding after an entry. */
  signal?: AbortSignal;
}

interface Work {
  to: LoadedLedger;
  listing: JournalListing;
}

/** A projection without a ledger; its first fold loads a checkpoint. */
export function createProjection(options: ProjectionOptions): Projection {
  const { network, series, journal, checkpoints, now, signal, onProgress } = options;
  let published: JournalPosition | null = null;
  let loaded: LoadedLedger | null = null;
  let counts = { done: 0, total: 0, resumedAt: 0 };

  async function foldNew(
    through: string | null,
    onFolded: (name: string, outcome: Folded["outcome"]) => void,
  ) {
    try {
      const work = (await findOnward()) ?? (await begin(through));
      loaded = work.to;
      await foldOn(work, { through, onFolded });
    } catch (error) {
      // A ledger that failed half-way through an entry must not be folded on.
      loaded = null;
      throw error;
    }
  }

  /**
   * null: there is no ledger to continue, or a ruling on the past or an entry restored from a copy
   * made it unfit.
   */
  async function findOnward(): Promise<Work | null> {
    if (loaded === null || now() - loaded.loadedAt > checkpoints.reloadMilliseconds) return null;
    const to = loaded;
    const name = to.ledger.position?.name ?? null;
    if (name === null || (await findReadable(journal, findHoles(to.ledger, to.leftOut))) !== null)
      return null;
    const listing = await journal.list(name);
    const isUnfit = listing.rulings.some(
      (one) => (one.ruling.after ?? "") < name && !to.applied.has(one.name),
    );
    return isUnfit ? null : { to, listing };
  }

  async function begin(through: string | null): Promise<Work> {
    const [notAfter = null] = [through, published?.through]
      .filter((name) => typeof name === "string")
      .sort();
    const beginning = await checkpoints.begin({ notAfter, rulings: await journal.rulings() });
    const ledger = beginning?.ledger ?? createLedger(network, series);
    const name = ledger.position?.name ?? null;
    const listing = await journal.list(name);
    const acting =
      name === null ? [] : listing.rulings.filter(({ ruling }) => actsBy(ruling, name));
    const behind = numberOf(name);
    counts = { done: behind, total: behind, resumedAt: behind };
    const to: LoadedLedger = {
      ledger,
      rulings: listing.rulings,
      applied: new Set(acting.map((one) => one.name)),
      touched: "all",
      loadedAt: now(),
      leftOut: [...(beginning?.leftOut ?? [])],
      lostRulings: [],
      foreign: new Set(),
    };
    return { to, listing };
  }

  async function foldOn({ to, listing }: Work, { through, onFolded }: FoldOptions): Promise<void> {
    const names = listing.names.filter((name) => through === null || name <= through);
    counts.total = counts.done + names.length;
    Object.assign(to, { rulings: listing.rulings, lostRulings: listing.unreadable });
    for (const key of listing.foreign) to.foreign.add(key);
    notePublished(to, published);
    applyRulings(to, to.ledger.position?.name ?? null);
    let left = names.length;
    let before: Predecessor | null = to.ledger.position;
    for await (const read of journal.read(names)) {
      left -= 1;
      counts.done += 1;
      const outcome = takeEntry(to, before, read);
      notePublished(to, published);
      if (outcome !== null) {
        onFolded(read.name, outcome);
        onProgress?.({ network, folded: counts.done, total: counts.total });
        const digest = digestOf(to) ?? "";
        await checkpoints.passed({ ledger: to.ledger, leftOut: to.leftOut, digest, left });
      }
      before = "entry" in read ? read : null;
      if (signal?.aborted === true) break;
    }
  }

  return {
    async refresh() {
      const outcomes: Outcomes = new Map();
      await foldNew(null, (name, outcome) => outcomes.set(name, outcome));
      return outcomes;
    },
    async foldThrough(name) {
      let folded = 0;
      await foldNew(name, () => (folded += 1));
      return folded;
    },
    ledger: () => loaded?.ledger ?? createLedger(network, series),
    position: () => (loaded === null ? null : toPosition(loaded)),
    setPublished(position) {
      if (isSame(position, published)) return;
      published = position;
      if (loaded !== null && isSame(position, toPosition(loaded))) loaded.touched = createTouched();
      // Another process published what this ledger never
      // passed: fold from there to see the differences.
      else loaded = null;
    },
    changed() {
      if (loaded === null || loaded.ledger.position === null)
        return { references: [], since: published };
      if (loaded.touched === "all")
        return { references: allReferences(loaded.ledger), since: null };
      return { references: touchedReferences(loaded.ledger, loaded.touched), since: published };
    },
    quarantined() {
      const ofCheckpoints = checkpoints
        .quarantined()
        .map(({ object, reason }) => [object, reason] as const);
      if (loaded === null) return toQuarantined(ofCheckpoints);
      const waitedFor = [...findHoles(loaded.ledger, loaded.leftOut), ...loaded.lostRulings];
      const foreign = [...loaded.foreign].map((key) => [key, FOREIGN] as const);
      return toQuarantined([...waitedFor.map(describeHole), ...foreign, ...ofCheckpoints]);
    },
    holes: () =>
      loaded === null ? [] : [...findHoles(loaded.ledger, loaded.leftOut), ...loaded.lostRulings],
    outdated() {
      const newer = loaded?.leftOut.find(({ isOfNewer }) => isOfNewer);
      return newer === undefined ? null : `${newer.name}: ${newer.unreadable}`;
    },
    counts: () => counts,
  };
}

interface FoldOptions {
  /** The last entry to fold; null: all. */
  through: string | null;
  onFolded: (name: string, outcome: Folded["outcome"]) => void;
}
