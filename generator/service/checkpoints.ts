import type { StartingPoint, StartingPointQuery } from "../journal/starting-point.ts";
import type { UnreadableEntry } from "../journal/entries.ts";
import { dayOfPack } from "../journal/packs.ts";
import type { Journal } from "../journal/journal.ts";
import { FOLD_VERSION, type Ledger } from "../ledger/ledger.ts";
import type { Quarantined } from "./quarantined.ts";

/** Late entries are unlikely before a moment so long past. */
export const SETTLED_MILLISECONDS = 10 * 60_000;
/** Time folded between two checkpoints: a cold start then folds little more than an hour. */
const EVERY_MILLISECONDS = 50 * 60_000;
/** How often a running process starts over from a checkpoint and leaves a newer one. */
const RELOAD_EVERY_MILLISECONDS = 70 * 60_000;

/** Where a projection starts, and what it leaves for the next one. */
export interface Checkpoints {
  /** How long a projection runs before it starts over. */
  reloadMilliseconds: number;
  /**
   * @param query.through the last entry to fold; null: all
   * @param query.notAfter see {@link StartingPointQuery}
   */
  begin(query: { through: string | null; notAfter?: string }): Promise<Beginning>;
  /** Call it with the time of each entry before folding it, and with Infinity at the end. */
  before(standing: Standing, nextTime: number): Promise<void>;
  /** @param passed the entry just folded, after those left out before it */
  after?(standing: Standing, passed: readonly string[]): Promise<void>;
  /** Checkpoints that were wrong or did not read back. */
  quarantined(): Quarantined[];
}

export interface Beginning {
  base: StartingPoint<Ledger>;
  /** null: no entry. */
  ledger: Ledger | null;
  /** Entries and packs that it lacks. */
  leftOut: readonly UnreadableEntry[];
  /** Names of the base that are behind the ledger. */
  behind: number;
  /** A lost entry is readable again: everything published without it may differ. */
  isMended: boolean;
}

/** A ledger between two entries. */
export interface Standing {
  ledger: Ledger;
  /** Unreadable entries and packs, some perhaps before its position. */
  leftOut: readonly UnreadableEntry[];
  digestThrough: StartingPoint<Ledger>["digestThrough"];
}

/**
 * The checkpoints that runs leave for each other.
 * @param options.keeps false: read only
 */
export function openCheckpoints(
  journal: Journal,
  { now, keeps = true }: { now: () => number; keeps?: boolean },
): Checkpoints {
  let lastTime = -Infinity;
  return {
    reloadMilliseconds: RELOAD_EVERY_MILLISECONDS,
    async begin({ notAfter }) {
      const query = { now: now(), foldVersion: FOLD_VERSION, ...(notAfter !== undefined && { notAfter }) };
      const { base, isMended } = await findWholeStartingPoint(journal, query);
      lastTime = base.ledger === null ? -Infinity : timeOf(base.ledger);
      return { base, ledger: base.ledger, leftOut: base.leftOut, behind: 0, isMended };
    },
    async before(standing, nextTime) {
      const { ledger, digestThrough } = standing;
      const { position } = ledger;
      if (!keeps || position === null || nextTime === Infinity) return;
      if (!isCheckpointDue({ time: timeOf(ledger), nextTime, lastTime, now: now() })) return;
      const digest = digestThrough(position.name);
      await journal.saveCheckpoint({ ledger, foldVersion: FOLD_VERSION, digest, leftOut: leftOutBefore(standing) });
      lastTime = timeOf(ledger);
    },
    quarantined: () => [],
  };
}

/** Whether a ledger stands just before the unsettled entries, long enough after the last checkpoint. */
export function isCheckpointDue(moments: { time: number; nextTime: number; lastTime: number; now: number }): boolean {
  const { time, nextTime, lastTime, now } = moments;
  const settled = now - SETTLED_MILLISECONDS;
  return time <= settled && nextTime > settled && time - lastTime >= EVERY_MILLISECONDS;
}

/** Entries and packs before its position that a ledger lacks. */
export function leftOutBefore({ ledger, leftOut }: Pick<Standing, "ledger" | "leftOut">): UnreadableEntry[] {
  return leftOut.filter(({ name }) => (dayOfPack(name) ?? name) <= (ledger.position?.name ?? ""));
}

/** The first left-out entry, or the day of the first pack, that can be read now; null: none. */
export async function findReadable(journal: Journal, leftOut: readonly UnreadableEntry[]): Promise<string | null> {
  const readable: string[] = [];
  for (const { name } of leftOut) {
    const day = dayOfPack(name);
    if (day !== null && (await journal.findPackFault(name)) === null) readable.push(day);
  }
  const names = leftOut.flatMap(({ name }) => (dayOfPack(name) === null ? [name] : [])).sort();
  for await (const entry of journal.read(names)) {
    if (!("entry" in entry)) continue;
    readable.push(entry.name);
    break;
  }
  return readable.sort()[0] ?? null;
}

/** For an entry restored from a backup, or written by this newer version. */
async function findWholeStartingPoint(
  journal: Journal,
  query: StartingPointQuery<Ledger>,
): Promise<{ base: StartingPoint<Ledger>; isMended: boolean }> {
  const base = await journal.findStartingPoint(query);
  const readable = await findReadable(journal, base.leftOut);
  if (readable === null) return { base, isMended: false };
  const { base: older } = await findWholeStartingPoint(journal, { ...query, notAfter: readable });
  return { base: older, isMended: true };
}

function timeOf(ledger: Ledger): number {
  return Date.parse(ledger.position?.time ?? "");
}
