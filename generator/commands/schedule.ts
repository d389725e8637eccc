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
  const at = (Math.floor(after / cadence.checkMilliseconds) + 1) * cadence.checkMilliseconds;
  const onTheMinute: Tick = { at, kind: at % cadence.snapshotMilliseconds === 0 ? "snapshot" : "check" };
  const around = boundaries.flatMap((boundary) => [
    boundary - BOUNDARY_MARGIN_MILLISECONDS,
    boundary + BOUNDARY_MARGIN_MILLISECONDS,
  ]);
  const next = around.find((time) => time > after && time < at);
  return next === undefined ? onTheMinute : { at: Math.ceil(next), kind: "check" };
}
