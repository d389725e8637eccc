import { isDeepStrictEqual } from "node:util";
import {
  listCheckpoints,
  loadCheckpoint,
  saveCheckpoint,
  type CheckpointHead,
  spanOf,
} from "../../journal/checkpoints.ts";
import { MISSING } from "../../journal/entries.ts";
import { timeOf, toMoment, type JournalPlace } from "../../journal/names.ts";
import { FOLD_VERSION, type Ledger } from "../../ledger/ledger.ts";
import { getOrDamaged, isUndamaged, setAside } from "../../store/damaged.ts";
import { isCheckpointDue, leftOutBefore, type Standing } from "../checkpoints.ts";
import { findHoles } from "../holes.ts";
import type { Quarantined } from "../quarantined.ts";
import type { Context } from "../context.ts";

const WRONG = "its ledger contradicts the journal: damaged, or made by other code";

export interface CheckpointAudit {
  /**
   * Examines the checkpoints of the ledger's moment.
   * @param nextTime of the next entry, milliseconds since 1970; Infinity: none
   */
  pass(standing: Standing, nextTime: number): Promise<void>;
  /** Call it last: deletes what another process made from a wrong checkpoint meanwhile. */
  finish(): Promise<void>;
  /** Checkpoints that are wrong or cannot be read. */
  quarantined(): Quarantined[];
  /** Whether a checkpoint had another ledger than the journal's. */
  isWrongLineage(): boolean;
}

/**
 * Every run trusts the checkpoint it finds, so a wrong one is named, deleted and replaced (`verify` only names it). For
 * a fast next run it also makes the missing ones of each day or month, and the newest settled one.
 * @throws {StoreError}
 */
export async function openCheckpointAudit(context: Context, { verify }: { verify: boolean }): Promise<CheckpointAudit> {
  const { stateStore, network, series, clock } = context;
  const place: JournalPlace = { store: stateStore, network, series };
  const heads = (await listCheckpoints(place, { foldVersion: FOLD_VERSION, fromDay: null })).reverse();
  const quarantined: Quarantined[] = [];
  const trusted = new Set<string>();
  const newest = toMoment(new Date(clock.now()).toISOString());
  let next = 0;
  let lastTrusted: string | null = null;
  let firstWrong: string | null = null;

  async function pass(standing: Standing, nextTime: number): Promise<void> {
    const { position } = standing.ledger;
    if (position === null) return;
    const time = Date.parse(position.time);
    // Two entries may share a millisecond.
    if (time === nextTime) return;
    const moment = toMoment(position.time);
    while ((heads[next]?.moment ?? "~") < moment) next += 1;
    let isRemoved = false;
    for (; heads[next]?.moment === moment; next += 1) {
      const head = heads[next];
      if (head?.digest !== standing.digestThrough(position.name)) continue;
      if (!(await examine(head, standing))) isRemoved = true;
    }
    // A run must not begin from a ledger with a hole.
    const isWhole = findHoles(standing.ledger, leftOutBefore(standing)).length === 0;
    if (!verify && isWhole && (isRemoved || isDue({ moment, time, nextTime }))) trust(moment, await save(standing));
  }

  /** Due at the end of a day or month without one, and just before the unsettled entries. */
  function isDue({ moment, time, nextTime }: { moment: string; time: number; nextTime: number }): boolean {
    const nextMoment = nextTime === Infinity ? null : toMoment(new Date(nextTime).toISOString());
    const span = spanOf(moment, newest);
    const isEndOfSpan = nextMoment !== null && spanOf(nextMoment, newest) !== span;
    if (isEndOfSpan && (lastTrusted === null || spanOf(lastTrusted, newest) !== span)) return true;
    const lastTime = lastTrusted === null ? -Infinity : timeOf(lastTrusted);
    return isCheckpointDue({ time, nextTime, lastTime, now: clock.now() });
  }

  async function examine(head: CheckpointHead, standing: Standing): Promise<boolean> {
    const loaded = await loadCheckpoint<Ledger>(place, { head, foldVersion: FOLD_VERSION });
    if ("unreadable" in loaded) {
      if (loaded.unreadable === MISSING) return true;
      quarantined.push({ object: head.key, reason: loaded.unreadable });
    } else {
      // It lacks readable entries: it does not count.
      if (!isDeepStrictEqual(loaded.leftOut.map(toName), leftOutBefore(standing).map(toName))) return true;
      if (isDeepStrictEqual(loaded.ledger, standing.ledger)) {
        trust(head.moment, head.key);
        return true;
      }
      quarantined.push({ object: head.key, reason: WRONG });
      firstWrong ??= head.moment;
    }
    if (!verify) await remove(head.key);
    return false;
  }

  async function remove(key: string): Promise<void> {
    const object = await getOrDamaged(stateStore, key);
    if (isUndamaged(object)) await setAside(stateStore, object);
    await stateStore.delete(key);
  }

  function save(standing: Standing): Promise<string> {
    const { ledger, digestThrough } = standing;
    const digest = digestThrough(ledger.position?.name ?? "");
    return saveCheckpoint(place, { ledger, leftOut: leftOutBefore(standing), foldVersion: FOLD_VERSION, digest });
  }

  function trust(moment: string, key: string): void {
    trusted.add(key);
    lastTrusted = moment;
  }

  async function finish(): Promise<void> {
    if (verify || firstWrong === null) return;
    for (const { key, moment } of await listCheckpoints(place, { foldVersion: FOLD_VERSION, fromDay: null })) {
      if (moment >= firstWrong && !trusted.has(key)) await stateStore.delete(key);
    }
  }

  return { pass, finish, quarantined: () => quarantined, isWrongLineage: () => firstWrong !== null };
}

function toName({ name }: { name: string }): string {
  return name;
}
