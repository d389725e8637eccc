/** A check is made each minute on the minute; every tenth of them is a snapshot. */
export interface Cadence {
  checkMilliseconds: number;
  snapshotMilliseconds: number;
}

export const CADENCE: Cadence = { checkMilliseconds: 60_000, snapshotMilliseconds: 600_000 };

/** So long before and after an epoch begins another check is made: who flips for the boundary is seen. */
const BOUNDARY_MARGIN_MILLISECONDS = 10_000;

export interface Tick {
  /** Milliseconds since 1970. */
  at: number;
  kind: "check" | "snapshot";
}

/**
 * The observation that is late because the one before it took longer than its minute; null: none is. Of several the last:
 * its minute still runs, while the others can be observed no more.
 * @param last when the observation before was due
 */
export function lateTick({ last, now, cadence }: { last: number; now: number; cadence: Cadence }): Tick | null {
  const due = startOfMinute(now, cadence);
  return due > last ? { at: now, kind: kindOf(due, cadence) } : null;
}

/**
 * The next observation after a moment. Missed ones are not made up for: an observation tells of its own time only.
 *
 * @param boundaries when the running epoch began and the next one is expected to; none: slot time is not measured yet
 */
export function nextTick({
  after,
  boundaries,
  cadence,
}: {
  after: number;
  boundaries: readonly number[];
  cadence: Cadence;
}): Tick {
  const at = startOfMinute(after, cadence) + cadence.checkMilliseconds;
  const onTheMinute: Tick = { at, kind: kindOf(at, cadence) };
  const around = boundaries.flatMap((boundary) => [
    boundary - BOUNDARY_MARGIN_MILLISECONDS,
    boundary + BOUNDARY_MARGIN_MILLISECONDS,
  ]);
  const next = around.find((time) => time > after && time < at);
  return next === undefined ? onTheMinute : { at: Math.ceil(next), kind: "check" };
}

function startOfMinute(time: number, { checkMilliseconds }: Cadence): number {
  return Math.floor(time / checkMilliseconds) * checkMilliseconds;
}

function kindOf(due: number, { snapshotMilliseconds }: Cadence): Tick["kind"] {
  return due % snapshotMilliseconds === 0 ? "snapshot" : "check";
}
