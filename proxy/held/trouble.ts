import type { Log } from "../log/entry.ts";

/** A source must not have failed for so long before it is said to be well again: one that comes and goes is one trouble. */
export const QUIET_MILLISECONDS = 60_000;
/** A trouble that lasts is told again so often. */
export const REMINDER_MILLISECONDS = 600_000;

interface TroubleOptions {
  /** What fails, as the object of «cannot read». */
  subject: string;
  /** Whether there is something to answer from meanwhile. */
  isHeld: () => boolean;
  /** Milliseconds since the epoch. */
  now: () => number;
  log: Log;
}

/** Tells the log when a source begins to fail and when it is well again: an outage of an hour is a few lines, not a million. */
export interface Trouble {
  failed(error: unknown): void;
  succeeded(): void;
}

export function createTrouble({ subject, isHeld, now, log }: TroubleOptions): Trouble {
  let trouble: { since: number; lastAt: number; toldAt: number; failures: number } | undefined;

  return {
    failed(error) {
      const time = now();
      trouble ??= { since: time, lastAt: time, toldAt: -Infinity, failures: 0 };
      trouble.failures += 1;
      trouble.lastAt = time;
      if (time - trouble.toldAt < REMINDER_MILLISECONDS) return;
      trouble.toldAt = time;
      const count = trouble.failures === 1 ? "" : `, ${trouble.failures} times by now`;
      const meanwhile = isHeld() ? "keeping what is held" : "with nothing held to answer from";
      log({ level: "warn", message: `cannot read ${subject}, ${meanwhile}${count}`, error });
    },

    succeeded() {
      const time = now();
      if (trouble === undefined || time - trouble.lastAt < QUIET_MILLISECONDS) return;
      const seconds = Math.round((trouble.lastAt - trouble.since) / 1_000);
      log({ level: "info", message: `can read ${subject} again: ${trouble.failures} failures in ${seconds} s` });
      trouble = undefined;
    },
  };
}
