import type { Sleep } from "./retry.ts";

/** What the public endpoints allow one address for one method (Solana documentation, "Clusters"). */
const CALLS_MAX = 40;
const WINDOW_MILLISECONDS = 10_000;

/** Nothing is counted: for a server of one's own. */
export const UNLIMITED: CallBudget = { take: () => Promise.resolve() };

export interface CallBudget {
  /** Waits until one more call of the method keeps within the budget, and counts it. */
  take(method: string): Promise<void>;
}

/** At most 40 calls of a method in any 10 seconds, on one endpoint. */
export function createCallBudget({ now, sleep }: { now: () => number; sleep: Sleep }): CallBudget {
  const takenAt = new Map<string, number[]>();

  return {
    async take(method) {
      for (;;) {
        const time = now();
        const recent = (takenAt.get(method) ?? []).filter((taken) => taken > time - WINDOW_MILLISECONDS);
        takenAt.set(method, recent);
        const oldest = recent[0];
        if (oldest === undefined || recent.length < CALLS_MAX) {
          recent.push(time);
          return;
        }
        await sleep(oldest + WINDOW_MILLISECONDS - time);
      }
    },
  };
}
