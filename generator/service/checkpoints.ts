import { messageOf } from "../contract/error-message.ts";
import type { Keepable } from "../journal/checkpoints.ts";
import type { StartingPoint, StartingPointQuery } from "../journal/starting-point.ts";
import type { UnreadableEntry } from "../journal/entries.ts";
import { dayOfPack } from "../journal/packs.ts";
import type { Journal } from "../journal/journal.ts";
import { FOLD_VERSION, type Ledger } from "../ledger/ledger.ts";
import { findStoreAdvice } from "../store/advice.ts";
import { StoreError } from "../store/store.ts";
import type { Quarantined } from "./quarantined.ts";

/** Late entries are unlikely before a moment so long past. */
export const SETTLED_MILLISECONDS = 10 * 60_000;
/** Time folded between two: a cold start folds little more than an hour. */
const EVERY_MILLISECONDS = 50 * 60_000;
/** How often a running process starts over from a checkpoint. */
const RELOAD_EVERY_MILLISECONDS = 70 * 60_000;

/** Where a projection starts, and what it leaves for the next one. */
export interface Checkpoints {
  reloadMilliseconds: number;
  /** @param query.through the last entry to fold; null: all */
  begin(query: { through: string | null; notAfter?: string }): Promise<Beginning>;
  /** Call it before folding an entry of this time; Infinity: at the end. */
  before(standing: Standing, nextTime: number): Promise<void>;
  /** @param passed the entry just folded, and those left out before it */
  after?(standing: Standing, passed: readonly string[]): Promise<void>;
  /** Checkpoints that are wrong, cannot be read or cannot be kept. */
  quarantined(): Quarantined[];
}

interface Beginning {
  base: StartingPoint<Ledger>;
  /** null: no entry. */
  ledger: Ledger | null;
  leftOut: readonly UnreadableEntry[];
  /** Names of the base that are behind the ledger. */
  behind: number;
  /** A lost entry is readable again: what was published without it may differ. */
  isMended: boolean;
}

/** A ledger between two entries. */
export interface Standing {
  ledger: Ledger;
  /** Some perhaps before its position. */
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
  let failure: Quarantined | null = null;

  /** Only a cache: an observation must not be lost because it could not be kept. */
  async function keep(keepable: Keepable): Promise<void> {
    try {
      await journal.saveCheckpoint(keepable);
      failure = null;
    } catch (error) {
      if (!(error instanceof StoreError)) throw error;
      const reason = `none could be kept, so that commands take longer: ${findStoreAdvice(error) ?? messageOf(error)}`;
      failure = { object: "checkpoints", reason };
    }
  }

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
      await keep({ ledger, foldVersion: FOLD_VERSION, digest, leftOut: leftOutBefore(standing) });
      lastTime = timeOf(ledger);
    },
    quarantined: () => (failure === null ? [] : [failure]),
  };
}

/** Due just before the unsettled entries, long enough after the last checkpoint. */
export function isCheckpointDue(moments: { time: number; nextTime: number; lastTime: number; now: number }): boolean {
  const { time, nextTime, lastTime, now } = moments;
  const settled = now - SETTLED_MILLISECONDS;
  return time <= settled && nextTime > settled && time - lastTime >= EVERY_MILLISECONDS;
}

/** What a ledger lacks before its position. */
export function leftOutBefore({ ledger, leftOut }: Pick<Standing, "ledger" | "leftOut">): UnreadableEntry[] {
  return leftOut.filter(({ name }) => (dayOfPack(name) ?? name) <= (ledger.position?.name ?? ""));
}

/** The first left-out entry, or day of a left-out pack, that can be read now. */
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

/** An entry may be back from a backup, or readable by this version. */
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
