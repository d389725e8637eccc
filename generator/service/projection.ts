import type { Network } from "../contract/networks.ts";
import type { ObjectReference } from "../contract/objects.ts";
import { allReferences, touchedReferences } from "../documents/references.ts";
import type { Base, BaseQuery } from "../journal/base.ts";
import { MISSING, type UnreadableEntry } from "../journal/entries.ts";
import { isOfNewer } from "../journal/formats.ts";
import type { Journal } from "../journal/journal.ts";
import { fold, type Folded } from "../ledger/fold.ts";
import { createLedger, FOLD_VERSION, type Ledger } from "../ledger/ledger.ts";
import { addTouched, createTouched, type Touched } from "../ledger/touched.ts";
import { findReadable, toQuarantined, type Quarantined } from "./quarantined.ts";

/** A checkpoint is taken of a moment so long past that late entries are hardly expected before it. */
export const SETTLED_MILLISECONDS = 10 * 60_000;
/** So much time is folded between two checkpoints: a cold start has little more than an hour to fold. */
export const CHECKPOINT_EVERY_MILLISECONDS = 50 * 60_000;
/** A process that goes on loads anew so often, and leaves a newer checkpoint behind. */
const RELOAD_EVERY_MILLISECONDS = 70 * 60_000;

/** Why a key among the entries is quarantined. */
export const NOT_AN_ENTRY = "not named as an entry is";

/** Where in the journal a ledger stands: its last entry, and the digest of what was folded in the window ending there. */
export interface JournalPosition {
  through: string;
  digest: string;
}

/** Keeps the ledger of one network in step with its journal. */
export interface Projection {
  /** Folds what the journal holds and the ledger has not seen, whoever wrote it. Gives what the fold said of each entry. */
  refresh(): Promise<Map<string, Folded["outcome"]>>;
  ledger(): Ledger;
  /** null: nothing was folded yet. */
  position(): JournalPosition | null;
  /** Says what position the public documents are of; null: of none that can be told. */
  setPublished(position: JournalPosition | null): void;
  /** The objects whose content may differ from what is published. */
  changed(): Changed;
  /** Objects of the journal and its checkpoints that could not be read, in the order of their names. */
  quarantined(): Quarantined[];
  /** Why the ledger must not be published: a newer version journals what this one cannot read. null: it may be. */
  outdated(): string | null;
}

export interface Changed {
  references: ObjectReference[];
  /** The published position since which they were counted; null: they are all there are. */
  since: JournalPosition | null;
}

interface Held {
  ledger: Ledger;
  position: JournalPosition | null;
  /** Touched since the published position; "all": that position is not on the way this ledger went. */
  touched: Touched | "all";
  loadedAt: number;
  /** Time of the checkpoint that this ledger came from, or that was made of it last; -Infinity: of none. */
  checkpointAt: number;
  /** Objects that were set aside, and why. */
  unreadable: Map<string, string>;
  /** The entries among them, in order. */
  leftOut: UnreadableEntry[];
}

export function createProjection(options: {
  network: Network;
  series: number;
  journal: Journal;
  now: () => number;
}): Projection {
  const { network, series, journal, now } = options;
  let published: JournalPosition | null = null;
  let held: Held | null = null;

  async function refresh(): Promise<Map<string, Folded["outcome"]>> {
    try {
      return await foldNew();
    } catch (error) {
      // It may have stopped half-way through an entry: that ledger is not to be folded on.
      held = null;
      throw error;
    }
  }

  async function foldNew(): Promise<Map<string, Folded["outcome"]>> {
    const going = held === null || now() - held.loadedAt > RELOAD_EVERY_MILLISECONDS ? null : held;
    const onward = going === null ? null : await findOnward(going);
    if (going !== null && onward !== null) return foldOn(going, onward);
    const { base, isMended } = await findWholeBase(journal, {
      now: now(),
      foldVersion: FOLD_VERSION,
      ...(published && { notAfter: published.through }),
    });
    // What was published without an entry that can be read again may differ anywhere.
    const touched = isOnTheWay(base, published) && !isMended ? createTouched() : "all";
    held = {
      ledger: base.ledger ?? createLedger(network, series),
      position: null,
      touched,
      loadedAt: now(),
      checkpointAt: base.ledger === null ? -Infinity : timeOf(base.ledger),
      unreadable: new Map(),
      leftOut: [],
    };
    for (const entry of base.leftOut) leaveOut(held, entry);
    return foldOn(held, base);
  }

  /** What follows the ledger at hand; null: a late entry has made it unfit. */
  async function findOnward({ ledger, position }: Held): Promise<Base<Ledger> | null> {
    if (position === null) return null;
    const base = await journal.findBase({
      now: now(),
      foldVersion: FOLD_VERSION,
      held: { ledger, digest: position.digest },
    });
    return base.ledger === ledger ? base : null;
  }

  async function foldOn(to: Held, base: Base<Ledger>): Promise<Map<string, Folded["outcome"]>> {
    const outcomes = new Map<string, Folded["outcome"]>();
    const keepCheckpoint = createCheckpointing(to, base);
    for (const key of base.foreign) to.unreadable.set(key, NOT_AN_ENTRY);
    for (const { key, reason } of base.unreadable) to.unreadable.set(key, reason);
    for await (const entry of journal.read(base.names)) {
      if ("unreadable" in entry) {
        // Counted as folded it would be left out for good, from here on and in each checkpoint that follows.
        if (entry.unreadable === MISSING)
          throw new Error(`the entry ${entry.name} was listed, and is not there any more`);
        leaveOut(to, entry);
        continue;
      }
      await keepCheckpoint(Date.parse(entry.entry.time));
      const folded = fold(to.ledger, entry);
      to.ledger = folded.ledger;
      if (to.touched !== "all") addTouched(to.touched, folded.touched);
      outcomes.set(entry.name, folded.outcome);
    }
    const through = to.ledger.position?.name;
    to.position = through === undefined ? null : { through, digest: base.digestThrough(through) };
    return outcomes;
  }

  /** Keeps the ledger as it stands just before the entries that are not settled yet, where the last checkpoint is old enough. */
  function createCheckpointing(to: Held, base: Base<Ledger>): (nextTime: number) => Promise<void> {
    const settled = now() - SETTLED_MILLISECONDS;
    return async (nextTime) => {
      const { ledger, leftOut } = to;
      const name = ledger.position?.name;
      if (name === undefined || nextTime <= settled || timeOf(ledger) > settled) return;
      if (timeOf(ledger) - to.checkpointAt < CHECKPOINT_EVERY_MILLISECONDS) return;
      const digest = base.digestThrough(name);
      const before = leftOut.filter((one) => one.name <= name);
      await journal.saveCheckpoint({ ledger, foldVersion: FOLD_VERSION, digest, leftOut: before });
      to.checkpointAt = timeOf(ledger);
    };
  }

  return {
    refresh,
    ledger: () => held?.ledger ?? createLedger(network, series),
    position: () => held?.position ?? null,
    setPublished(position) {
      if (isSame(position, published)) return;
      published = position;
      if (held !== null && isSame(position, held.position)) held.touched = createTouched();
      // Somebody else published what this ledger has not followed: what differs is only seen by folding from there.
      else held = null;
    },
    changed() {
      if (held === null || held.ledger.position === null) return { references: [], since: published };
      if (held.touched === "all") return { references: allReferences(held.ledger), since: null };
      return { references: touchedReferences(held.ledger, held.touched), since: published };
    },
    quarantined: () => toQuarantined(held?.unreadable ?? []),
    outdated() {
      const newer = [...(held?.unreadable ?? [])].find(([, reason]) => isOfNewer(reason));
      return newer?.join(": ") ?? null;
    },
  };
}

/**
 * The base of a fold. A checkpoint that lacks an entry is passed over once the entry can be read: it was put back from a
 * backup, or this is the newer version that wrote it.
 */
async function findWholeBase(
  journal: Journal,
  query: BaseQuery<Ledger>,
): Promise<{ base: Base<Ledger>; isMended: boolean }> {
  const base = await journal.findBase(query);
  const readable = await findReadable(journal, base.leftOut);
  if (readable === null) return { base, isMended: false };
  const { base: older } = await findWholeBase(journal, { ...query, notAfter: readable });
  return { base: older, isMended: true };
}

function leaveOut(from: Held, entry: UnreadableEntry): void {
  from.unreadable.set(entry.name, entry.unreadable);
  from.leftOut.push(entry);
}

function isOnTheWay(base: Base<Ledger>, published: JournalPosition | null): boolean {
  if (published === null) return false;
  try {
    return base.digestThrough(published.through) === published.digest;
  } catch (error) {
    // So old that its window was not listed: whatever changed since, everything may have.
    if (error instanceof RangeError) return false;
    throw error;
  }
}

function isSame(one: JournalPosition | null, other: JournalPosition | null): boolean {
  return one?.through === other?.through && one?.digest === other?.digest;
}

function timeOf(ledger: Ledger): number {
  return Date.parse(ledger.position?.time ?? "");
}
