/** One run of generate.yml that watches, not one that somebody began for another command. */
interface ChainRun {
  id: number;
  isOver: boolean;
}

/** What a run that ends knows. */
interface EndingRun {
  id: number;
  /** Milliseconds since its first part began. */
  lastedMilliseconds: number;
  /** All of the newest, itself included. */
  runs: readonly ChainRun[];
}

/**
 * A run that lasted less than one part did no work. A chain of such runs would go round without
 * end; the next tick of the schedule tries again.
 */
const LASTED_MILLISECONDS_MIN = 45 * 60_000;

/**
 * Whether a run that ends must start its successor. A tick of the schedule that waits already is
 * one: whoever waits begins when this run is over, and never beside it.
 */
export function needsSuccessor({ id, lastedMilliseconds, runs }: EndingRun): boolean {
  if (lastedMilliseconds < LASTED_MILLISECONDS_MIN) return false;
  return runs.every((run) => run.isOver || run.id === id);
}
