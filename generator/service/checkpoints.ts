import type { StartingPoint, StartingPointQuery } from "../journal/starting-point.ts";
import type { UnreadableEntry } from "../journal/entries.ts";
import type { Journal } from "../journal/journal.ts";
import { FOLD_VERSION, type Ledger } from "../ledger/ledger.ts";
import type { Quarantined } from "./quarantined.ts";

/** A checkpoint is taken of a moment so long past that late entries are hardly expected before it. */
export const SETTLED_MILLISECONDS = 10 * 60_000;
/** So much time is folded between two checkpoints: a cold start has little more than an hour to fold. */
const EVERY_MILLISECONDS = 50 * 60_000;
/** A process that goes on loads anew so often, and leaves a newer checkpoint behind. */
const RELOAD_EVERY_MILLISECONDS = 70 * 60_000;

/** Where a projection begins, and what it leaves behind for the next one. */
export interface Checkpoints {
  /** A projection that goes on begins anew after so long. */
  reloadMilliseconds: number;
  /**
   * @param query.through the last entry to fold; null: all of them
   * @param query.notAfter as of a {@link StartingPointQuery}
   */
  begin(query: { through: string | null; notAfter?: string }): Promise<Beginning>;
  /** To be called before an entry is folded, with its time; and with Infinity after the last one. */
  before(standing: Standing, nextTime: number): Promise<void>;
  /** @param passed name of an entry folded just now, behind those of entries left out before it */
  after?(standing: Standing, passed: readonly string[]): Promise<void>;
  /** Checkpoints that did not read back or were wrong. */
  quarantined(): Quarantined[];
}

export interface Beginning {
  base: StartingPoint<Ledger>;
  /** null: of no entry. */
  ledger: Ledger | null;
  /** Entries behind the ledger that it lacks. */
  leftOut: readonly UnreadableEntry[];
  /** The names of the base that the ledger has behind it. */
  behind: number;
  /** An entry can be read again: what was published without it may differ anywhere. */
  isMended: boolean;
}

/** A ledger between two entries. */
export interface Standing {
  ledger: Ledger;
  /** Entries that could not be read, some perhaps behind its position. */
  leftOut: readonly UnreadableEntry[];
  digestThrough: StartingPoint<Ledger>["digestThrough"];
}

/** The checkpoints that runs leave for each other. @param options.keeps false: for who only asks */
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

/** Whether a ledger stands just before the entries that are not settled yet, long enough after the last checkpoint. */
export function isCheckpointDue(moments: { time: number; nextTime: number; lastTime: number; now: number }): boolean {
  const { time, nextTime, lastTime, now } = moments;
  const settled = now - SETTLED_MILLISECONDS;
  return time <= settled && nextTime > settled && time - lastTime >= EVERY_MILLISECONDS;
}

/** The entries before its position that a ledger lacks. */
export function leftOutBefore({ ledger, leftOut }: Standing): UnreadableEntry[] {
  return leftOut.filter(({ name }) => name <= (ledger.position?.name ?? ""));
}

/** The first of the entries left out that can be read now; null: none can. */
export async function findReadable(journal: Journal, leftOut: readonly UnreadableEntry[]): Promise<string | null> {
  const names = leftOut.map(({ name }) => name).sort();
  for await (const entry of journal.read(names)) {
    if ("entry" in entry) return entry.name;
  }
  return null;
}

/** The entry was put back from a backup, or this is the newer version that wrote it. */
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
