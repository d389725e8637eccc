/** Checks and snapshots fall on multiples of their interval since 1970. */
export interface Cadence {
  checkMilliseconds: number;
  snapshotMilliseconds: number;
}

const MINUTE_MILLISECONDS = 60_000;
const SNAPSHOT_MILLISECONDS = 10 * MINUTE_MILLISECONDS;

/** Early enough to observe a change made just for the boundary. */
const BURST_LEAD_MILLISECONDS = 10_000;
const BURST_STEP_MILLISECONDS = 2_000;
const BURST_MAX_MILLISECONDS = 60_000;
/** A snapshot may take 90 s and must end before the burst. */
const SNAPSHOT_MARGIN_MILLISECONDS = 100_000;

/** The end of the newest accepted reading's epoch. */
export interface Boundary {
  epoch: number;
  /** Expected, in milliseconds since 1970. */
  at: number;
}

/** The next observation to make. */
export interface Tick {
  /** Milliseconds since 1970. */
  at: number;
  kind: "check" | "snapshot";
}

/**
 * What the schedule remembers between ticks. `last` is the last tick; all times are in
 * milliseconds since 1970.
 */
export interface Progress {
  last: number;
  /** A snapshot is due, and waits for the boundary to pass or for another witness. */
  owesSnapshot: boolean;
  isRepeated: boolean;
  /** The running burst: its epoch and its start. */
  burst: { epoch: number; from: number } | null;
  /** No burst begins before this time: with slow slots each reading expects the boundary later. */
  restUntil: number;
}

interface Now {
  now: number;
  /** null: slot time is not measured yet. */
  boundary: Boundary | null;
  cadence: Cadence;
}

/** The schedule of a process that begins: a snapshot is due at once. */
export const BEGINNING: Progress = {
  last: -Infinity,
  owesSnapshot: true,
  isRepeated: false,
  burst: null,
  restUntil: -Infinity,
};

/** @param checkSeconds 5 to 60 */
export function toCadence(checkSeconds: number): Cadence {
  return { checkMilliseconds: checkSeconds * 1000, snapshotMilliseconds: SNAPSHOT_MILLISECONDS };
}

/**
 * A late observation is made at once; missed ones are dropped. Around an epoch's end a burst of
 * checks replaces all other observations until a reading of the new epoch is accepted; then
 * follows the snapshot that fell due.
 */
export function nextTick(
  before: Progress,
  { now: clock, boundary, cadence }: Now,
): { tick: Tick; progress: Progress } {
  const progress =
    clock < before.last - cadence.checkMilliseconds ? afterStepBack(before, clock) : before;
  const now = Math.max(progress.last, clock);
  const facts = { now, boundary, cadence };
  const { burst } = progress;
  if (burst === null) return nextOutside(progress, facts, { isFree: false });
  const at = nextStep(burst.from, now);
  const endsAt = burst.from + BURST_MAX_MILLISECONDS;
  // A burst also ends by time, so that it delays no snapshot for longer.
  const isOver = boundary?.epoch !== burst.epoch;
  if (isOver || at >= endsAt) {
    const restUntil = isOver ? progress.restUntil : endsAt;
    return nextOutside({ ...progress, burst: null, restUntil }, facts, { isFree: true });
  }
  const owesSnapshot = progress.owesSnapshot || isSnapshotDue(progress.last, at, cadence);
  return { tick: { at, kind: "check" }, progress: { ...progress, last: at, owesSnapshot } };
}

/** After the clock was set back: waiting until it reaches the last time again could take hours. */
function afterStepBack({ owesSnapshot }: Progress, now: number): Progress {
  return { ...BEGINNING, last: now, owesSnapshot };
}

/** A refused snapshot is repeated once, with another witness. */
export function afterSnapshot(progress: Progress, isAccepted: boolean): Progress {
  const isRepeated = !isAccepted && !progress.isRepeated;
  return { ...progress, isRepeated, owesSnapshot: progress.owesSnapshot || isRepeated };
}

/** The next observation: on time, late, or the first of a burst. */
function nextOutside(
  progress: Progress,
  facts: Now,
  { isFree }: { isFree: boolean },
): { tick: Tick; progress: Progress } {
  const { last, owesSnapshot } = progress;
  const { now, boundary, cadence } = facts;
  const mayBegin = (time: number) => isFree || !isNearBoundary(time, boundary);
  // One slot later, because a snapshot of the same slot as a check would be refused.
  const owedAt =
    owesSnapshot && mayBegin(now) ? Math.max(now, last + BURST_STEP_MILLISECONDS) : Infinity;
  const due = lastDue(now, cadence) > last ? now : Math.min(owedAt, nextDue(now, cadence));
  const burst = findBurst(progress, { ...facts, until: due });
  const at = burst === null ? due : Math.max(Math.ceil(burst.from), now);
  const isWanted = owesSnapshot || isSnapshotDue(last, at, cadence);
  const isSnapshot = isWanted && burst === null && mayBegin(at);
  return {
    tick: { at, kind: isSnapshot ? "snapshot" : "check" },
    progress: { ...progress, last: at, owesSnapshot: isWanted && !isSnapshot, burst },
  };
}

function findBurst(
  { restUntil }: Progress,
  { now, boundary, until }: Now & { until: number },
): Progress["burst"] {
  if (boundary === null) return null;
  const from = boundary.at - BURST_LEAD_MILLISECONDS;
  if (from > until || from < restUntil || now >= from + BURST_MAX_MILLISECONDS) return null;
  return { epoch: boundary.epoch, from };
}

function nextStep(from: number, now: number): number {
  const steps = Math.floor((now - from) / BURST_STEP_MILLISECONDS) + 1;
  return Math.ceil(from + steps * BURST_STEP_MILLISECONDS);
}

/** Whether a snapshot that begins then may lie in the burst. */
function isNearBoundary(time: number, boundary: Boundary | null): boolean {
  if (boundary === null || time < boundary.at - SNAPSHOT_MARGIN_MILLISECONDS) return false;
  return time < boundary.at - BURST_LEAD_MILLISECONDS + BURST_MAX_MILLISECONDS;
}

/** Whether a snapshot fell due since the last observation and is not too late. */
function isSnapshotDue(
  last: number,
  time: number,
  { checkMilliseconds, snapshotMilliseconds }: Cadence,
): boolean {
  const due = floorTo(time, snapshotMilliseconds);
  return due > last && time - due < Math.max(checkMilliseconds, MINUTE_MILLISECONDS);
}

function lastDue(time: number, { checkMilliseconds, snapshotMilliseconds }: Cadence): number {
  return Math.max(floorTo(time, checkMilliseconds), floorTo(time, snapshotMilliseconds));
}

function nextDue(time: number, { checkMilliseconds, snapshotMilliseconds }: Cadence): number {
  return Math.min(
    floorTo(time, checkMilliseconds) + checkMilliseconds,
    floorTo(time, snapshotMilliseconds) + snapshotMilliseconds,
  );
}

function floorTo(time: number, milliseconds: number): number {
  return Math.floor(time / milliseconds) * milliseconds;
}
