import { zstdCompressSync, zstdDecompressSync } from "node:zlib";
import { SEGMENT_CHANGES, toSegment, type Change } from "../contract/change.ts";

/** Every publication of an event, in order. */
export interface ChangeLog {
  /** Full segments, oldest first: JSON compressed with Zstandard, as only rendering reads them. */
  full: Uint8Array[];
  /** Of the segment that is not full. */
  newest: Change[];
  /** What is published now, by event id, in the order of publication. */
  published: Map<string, { validatorIndex: number; digest: string }>;
}

/** An empty log; its first change gets number 1. */
export function createChangeLog(): ChangeLog {
  return { full: [], newest: [], published: new Map() };
}

/** Number of the newest change; 0: there is none. */
export function headOf({ full, newest }: ChangeLog): number {
  return full.length * SEGMENT_CHANGES + newest.length;
}

/**
 * Appends a change under the next number. Every `SEGMENT_CHANGES` changes it compresses a
 * segment.
 */
export function appendChange(log: ChangeLog, change: Omit<Change, "seq">): void {
  log.newest.push({ seq: headOf(log) + 1, ...change });
  if (log.newest.length < SEGMENT_CHANGES) return;
  // Not a Buffer: a checkpoint restores plain bytes, and a rebuild compares them.
  log.full.push(Uint8Array.from(zstdCompressSync(JSON.stringify(log.newest))));
  log.newest = [];
}

/** The changes with a number above `after`, ascending. */
export function changesAfter(log: ChangeLog, after: number): Change[] {
  const changes: Change[] = [];
  for (let segment = toSegment(after + 1); segment <= log.full.length; segment += 1)
    changes.push(...(readSegment(log, segment) ?? []));
  return [...changes, ...log.newest].filter(({ seq }) => seq > after);
}

/**
 * The changes of a full segment, ascending; null: the segment is not full.
 * @param segment from 1
 */
export function readSegment({ full }: ChangeLog, segment: number): Change[] | null {
  const bytes = full[segment - 1];
  return bytes === undefined
    ? null
    : (JSON.parse(zstdDecompressSync(bytes).toString()) as Change[]);
}

/** The newest change of each event, by its id, in one pass from the newest on. */
export function findNewest(log: ChangeLog, ids: ReadonlySet<string>): Map<string, Change> {
  const found = new Map<string, Change>();
  for (let segment = log.full.length + 1; segment > 0 && found.size < ids.size; segment -= 1) {
    const changes = readSegment(log, segment) ?? log.newest;
    for (const change of changes.toReversed())
      if (ids.has(change.event.id) && !found.has(change.event.id))
        found.set(change.event.id, change);
  }
  return found;
}
