import type { Network } from "../contract/networks.ts";
import type { ObjectReference } from "../contract/objects.ts";
import { allReferences, touchedReferences } from "../documents/references.ts";
import { MISSING, type Fault, type UnreadableEntry } from "../journal/entries.ts";
import type { Journal } from "../journal/journal.ts";
import { dayOfPack } from "../journal/packs.ts";
import { uniteLeftOut, type StartingPoint } from "../journal/starting-point.ts";
import type { Folded } from "../ledger/fold.ts";
import { foldEntry } from "./fold-entry.ts";
import { createLedger, FOLD_VERSION, type Ledger } from "../ledger/ledger.ts";
import { createTouched, uniteTouched, type Touched } from "../ledger/touched.ts";
import { findReadable, openCheckpoints, type Checkpoints } from "./checkpoints.ts";
import { findHoles, tellUnreadable } from "./holes.ts";
import { toQuarantined, type Quarantined } from "./quarantined.ts";

export const NOT_AN_ENTRY = "not the name of an entry";

/** A ledger's last entry, and the digest of the names up to it. */
export interface JournalPosition {
  through: string;
  digest: string;
}

/** What the fold said, by the entry's name. */
export type Outcomes = Map<string, Folded["outcome"]>;

/** One network's ledger, kept in step with its journal. */
export interface Projection {
  /** Folds what the ledger lacks, whoever wrote it. */
  refresh(): Promise<Outcomes>;
  /** Folds up to an entry; null: all. Returns how many. */
  foldThrough(name: string | null): Promise<number>;
  ledger(): Ledger;
  /** null: nothing was folded yet. */
  position(): JournalPosition | null;
  /** Tells which position is published; null: unknown. */
  setPublished(position: JournalPosition | null): void;
  /** What may differ from what is published. */
  changed(): Changed;
  /** Unusable objects of journal and checkpoints, without those that a ruling leaves out. */
  quarantined(): Quarantined[];
  /** Entries and packs that the ledger lacks and no ruling leaves out: it must not be published. */
  holes(): UnreadableEntry[];
  /** Why it must not be published: a newer version journals what this one cannot read. null: it may be. */
  outdated(): string | null;
  /** `resumedAt`: entries folded before it began. */
  counts(): { done: number; total: number; resumedAt: number };
}

export interface Changed {
  references: ObjectReference[];
  /** Counted from this published position; null: they are all there are. */
  since: JournalPosition | null;
}

export interface FoldProgress {
  network: Network;
  folded: number;
  total: number;
}

interface ProjectionOptions {
  network: Network;
  series: number;
  journal: Journal;
  now: () => number;
  checkpoints?: Checkpoints;
  onProgress?: (progress: FoldProgress) => void;
  /** Ends folding after an entry. */
  signal?: AbortSignal;
}

interface Held {
  ledger: Ledger;
  position: JournalPosition | null;
  /** Changed since the published position; "all": this ledger did not pass it. */
  touched: Touched | "all";
  loadedAt: number;
  /** By key or name. */
  unreadable: Map<string, Fault>;
  leftOut: UnreadableEntry[];
}

interface FoldWork {
  base: StartingPoint<Ledger>;
  names: string[];
  /** The last entry to fold; null: all. */
  through: string | null;
  tell: (name: string, outcome: Folded["outcome"]) => void;
}

export function createProjection(options: ProjectionOptions): Projection {
  const { network, series, journal, now, signal, onProgress } = options;
  const checkpoints = options.checkpoints ?? openCheckpoints(journal, { now });
  let published: JournalPosition | null = null;
  let held: Held | null = null;
  let counts = { done: 0, total: 0, resumedAt: 0 };

  async function foldNew(through: string | null, tell: (name: string, outcome: Folded["outcome"]) => void) {
    try {
      const { to, base } = (await findOnward()) ?? (await begin(through));
      const from = to.ledger.position?.name ?? "";
      const names = base.names.filter((name) => name > from && (through === null || name <= through));
      counts.total = counts.done + names.filter((name) => !to.unreadable.has(name)).length;
      await foldOn(to, { base, names, tell, through });
    } catch (error) {
      // A ledger that failed half-way through an entry must not be folded on.
      held = null;
      throw error;
    }
  }

  /** Null: no ledger is at hand, or a late entry made it unfit. */
  async function findOnward(): Promise<{ to: Held; base: StartingPoint<Ledger> } | null> {
    if (held?.position == null || now() - held.loadedAt > checkpoints.reloadMilliseconds) return null;
    const { ledger, position } = held;
    const query = { now: now(), foldVersion: FOLD_VERSION, held: { ledger, digest: position.digest } };
    // What is back fills its hole at once.
    if ((await findReadable(journal, findHoles(ledger, held.leftOut))) !== null) return null;
    const base = await journal.findStartingPoint(query);
    return base.ledger === ledger ? { to: held, base } : null;
  }

  async function begin(through: string | null): Promise<{ to: Held; base: StartingPoint<Ledger> }> {
    const notAfter = published?.through;
    const { base, ledger, leftOut, behind, isMended } = await checkpoints.begin({
      through,
      ...(notAfter !== undefined && { notAfter }),
    });
    counts = { done: behind, total: behind, resumedAt: behind };
    held = {
      ledger: ledger ?? createLedger(network, series),
      position: null,
      touched: isOnTheWay(base, published) && !isMended ? createTouched() : "all",
      loadedAt: now(),
      unreadable: new Map(leftOut.map((left) => [left.name, left])),
      leftOut: [...leftOut],
    };
    return { to: held, base };
  }

  async function foldOn(to: Held, work: FoldWork): Promise<void> {
    const { base, names, tell, through } = work;
    const { digestThrough } = base;
    const standing = () => ({ ledger: to.ledger, leftOut: to.leftOut, digestThrough });
    for (const key of base.foreign) to.unreadable.set(key, { unreadable: NOT_AN_ENTRY });
    for (const { key, reason, ...kind } of base.unreadable) to.unreadable.set(key, { unreadable: reason, ...kind });
    const packs = base.leftOut.filter(({ name }) => isPackBefore(name, through));
    to.leftOut = uniteLeftOut(to.leftOut, packs);
    let passed: string[] = [];
    for await (const entry of journal.read(names)) {
      passed.push(entry.name);
      if (!to.unreadable.has(entry.name)) counts.done += 1;
      if ("unreadable" in entry) {
        leaveOut(to, entry);
        continue;
      }
      await checkpoints.before(standing(), Date.parse(entry.entry.time));
      const folded = foldEntry(to.ledger, entry);
      to.ledger = folded.ledger;
      if (to.touched !== "all") to.touched = uniteTouched(to.touched, folded.touched);
      if (to.unreadable.delete(entry.name)) to.leftOut = to.leftOut.filter(({ name }) => name !== entry.name);
      tell(entry.name, folded.outcome);
      onProgress?.({ network, folded: counts.done, total: counts.total });
      await checkpoints.after?.(standing(), passed);
      passed = [];
      if (signal?.aborted === true) break;
    }
    if (signal?.aborted !== true) await checkpoints.before(standing(), Infinity);
    const last = to.ledger.position?.name;
    to.position = last === undefined ? null : { through: last, digest: digestThrough(last) };
  }

  const ofCheckpoints = () => checkpoints.quarantined().map(({ object, reason }) => [object, reason] as const);

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
    ledger: () => held?.ledger ?? createLedger(network, series),
    position: () => held?.position ?? null,
    setPublished(position) {
      if (isSame(position, published)) return;
      published = position;
      if (held !== null && isSame(position, held.position)) held.touched = createTouched();
      // Another process published what this ledger never passed: fold from there to see the differences.
      else held = null;
    },
    changed() {
      if (held === null || held.ledger.position === null) return { references: [], since: published };
      if (held.touched === "all") return { references: allReferences(held.ledger), since: null };
      return { references: touchedReferences(held.ledger, held.touched), since: published };
    },
    quarantined: () => toQuarantined([...(held === null ? [] : tellUnreadable(held)), ...ofCheckpoints()]),
    holes: () => (held === null ? [] : findHoles(held.ledger, held.leftOut)),
    outdated() {
      const newer = [...(held?.unreadable ?? [])].find(([, { isOfNewer }]) => isOfNewer);
      return newer === undefined ? null : `${newer[0]}: ${newer[1].unreadable}`;
    },
    counts: () => counts,
  };
}

function isPackBefore(name: string, through: string | null): boolean {
  const day = dayOfPack(name);
  return day !== null && (through === null || day <= through);
}

/** @throws {Error} for an entry that has vanished: counted as folded, it would be lost */
function leaveOut(from: Held, entry: UnreadableEntry): void {
  if (entry.unreadable === MISSING) throw new Error(`the entry ${entry.name} was listed and has vanished`);
  if (!from.unreadable.has(entry.name)) from.leftOut.push(entry);
  from.unreadable.set(entry.name, entry);
}

function isOnTheWay(base: StartingPoint<Ledger>, published: JournalPosition | null): boolean {
  if (published === null) return false;
  try {
    return base.digestThrough(published.through) === published.digest;
  } catch (error) {
    // Too old to be listed: anything may have changed.
    if (error instanceof RangeError) return false;
    throw error;
  }
}

function isSame(one: JournalPosition | null, other: JournalPosition | null): boolean {
  return one?.through === other?.through && one?.digest === other?.digest;
}
