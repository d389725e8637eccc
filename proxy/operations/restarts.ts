/** So many deaths within a minute: starting again does not help. */
export const DEATHS_MAX = 5;
const WINDOW_MILLISECONDS = 60_000;
const FIRST_DELAY_MILLISECONDS = 100;

/** Decides what happens after a process has died. */
export interface Restarts {
  /** Milliseconds until another is started, doubled with each death of the last minute; null: it is given up. */
  afterDeath: () => number | null;
}

/** @param now milliseconds since the epoch */
export function createRestarts({ now }: { now: () => number }): Restarts {
  let deaths: number[] = [];
  return {
    afterDeath() {
      const at = now();
      deaths = [...deaths.filter((death) => at - death < WINDOW_MILLISECONDS), at];
      if (deaths.length >= DEATHS_MAX) return null;
      return FIRST_DELAY_MILLISECONDS * 2 ** (deaths.length - 1);
    },
  };
}
