/** How often the cluster is looked at: checks on multiples of their time since 1970, snapshots on multiples of theirs. */
export interface Cadence {
  checkMilliseconds: number;
  snapshotMilliseconds: number;
}

const MINUTE_MILLISECONDS = 60_000;
const SNAPSHOT_MILLISECONDS = 10 * MINUTE_MILLISECONDS;

/** A burst begins so long before the epoch is expected to end: who flips for the boundary is seen. */
const BURST_LEAD_MILLISECONDS = 10_000;
const BURST_STEP_MILLISECONDS = 2_000;
const BURST_MOST_MILLISECONDS = 60_000;
/** A snapshot may take 90 s: one that begins later would still run when the burst is to begin. */
const WITHHELD_MILLISECONDS = 100_000;

/** The end of the epoch that the newest accepted reading is of. */
export interface Boundary {
  epoch: number;
  /** When it is expected, in milliseconds since 1970. */
  at: number;
}

export interface Tick {
  /** Milliseconds since 1970. */
  at: number;
  kind: "check" | "snapshot";
}

/** What a schedule remembers from one tick to the next. */
export interface Progress {
  /** When the last observation was due. */
  last: number;
  /** Whether a snapshot waits for the boundary to pass, or for another witness to be read. */
  owesSnapshot: boolean;
  /** Whether the last snapshot was one that is made once more. */
  isRepeated: boolean;
  /** The burst that runs: for the end of which epoch, and since when. */
  burst: { epoch: number; from: number } | null;
  /** No burst begins before: where slots limp, the boundary is expected later each time. */
  restUntil: number;
}

interface Now {
  now: number;
  /** null: slot time is not measured yet. */
  boundary: Boundary | null;
  cadence: Cadence;
}

/** How a schedule begins: with a snapshot, at once. */
export const BEGINNING: Progress = {
  last: -Infinity,
  owesSnapshot: true,
  isRepeated: false,
  burst: null,
  restUntil: -Infinity,
};

/** @param checkSeconds between two checks, 5 to 60 */
export function toCadence(checkSeconds: number): Cadence {
  return { checkMilliseconds: checkSeconds * 1000, snapshotMilliseconds: SNAPSHOT_MILLISECONDS };
}

/**
 * A late observation is made at once; those missed are not made up for. Around the end of an epoch a burst of checks
 * takes the place of all others, until a reading of the new epoch was accepted; a snapshot in its way is made right
 * after it.
 */
export function nextTick(progress: Progress, facts: Now): { tick: Tick; progress: Progress } {
  const { burst } = progress;
  if (burst === null) return nextOutside(progress, facts, { isFree: false });
  const { now, boundary, cadence } = facts;
  const at = nextStep(burst.from, now);
  const endsAt = burst.from + BURST_MOST_MILLISECONDS;
  // The burst ends by what was accepted, or by the clock, and keeps back no snapshot longer.
  const isOver = boundary?.epoch !== burst.epoch;
  if (isOver || at >= endsAt) {
    const restUntil = isOver ? progress.restUntil : endsAt;
    return nextOutside({ ...progress, burst: null, restUntil }, facts, { isFree: true });
  }
  const owesSnapshot = progress.owesSnapshot || isSnapshotDue(progress.last, at, cadence);
  return { tick: { at, kind: "check" }, progress: { ...progress, last: at, owesSnapshot } };
}

/** A snapshot that was refused is made once more, at once: another witness is read then. */
export function afterSnapshot(progress: Progress, isAccepted: boolean): Progress {
  const isRepeated = !isAccepted && !progress.isRepeated;
  return { ...progress, isRepeated, owesSnapshot: progress.owesSnapshot || isRepeated };
}

/** The next observation where no burst runs: on its time, late, or the first of a burst. */
function nextOutside(
  progress: Progress,
  facts: Now,
  { isFree }: { isFree: boolean },
): { tick: Tick; progress: Progress } {
  const { last, owesSnapshot } = progress;
  const { now, boundary, cadence } = facts;
  const mayBegin = (time: number) => isFree || !isWithheld(time, boundary);
  // A slot later: a snapshot of the very slot that a check was just accepted of would be refused.
  const owedAt = owesSnapshot && mayBegin(now) ? Math.max(now, last + BURST_STEP_MILLISECONDS) : Infinity;
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

/** The burst that begins until a moment, or has to be begun late; null: none does. */
function findBurst({ restUntil }: Progress, { now, boundary, until }: Now & { until: number }): Progress["burst"] {
  if (boundary === null) return null;
  const from = boundary.at - BURST_LEAD_MILLISECONDS;
  if (from > until || from < restUntil || now >= from + BURST_MOST_MILLISECONDS) return null;
  return { epoch: boundary.epoch, from };
}

function nextStep(from: number, now: number): number {
  const steps = Math.floor((now - from) / BURST_STEP_MILLISECONDS) + 1;
  return Math.ceil(from + steps * BURST_STEP_MILLISECONDS);
}

/** Whether a snapshot must not begin now, and not before the burst is over. */
function isWithheld(time: number, boundary: Boundary | null): boolean {
  if (boundary === null || time < boundary.at - WITHHELD_MILLISECONDS) return false;
  return time < boundary.at - BURST_LEAD_MILLISECONDS + BURST_MOST_MILLISECONDS;
}

/** Whether a snapshot was to be made since the last observation, and its time still runs. */
function isSnapshotDue(last: number, time: number, { checkMilliseconds, snapshotMilliseconds }: Cadence): boolean {
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
