/** The store is asked every 15 s; one more for the reading itself, under load. */
const SEEN_MAX_MILLISECONDS = 16_000;
/** After an outage a try of 5 s may just have begun, and the next one is 15 s later. */
const RECOVERED_MAX_MILLISECONDS = 21_000;

interface FreshnessOptions {
  now: () => number;
  /** Since when the store is up; null: it is not. */
  upSince: () => number | null;
}

/** How long it takes until a new snapshot is served. */
export interface Freshness {
  published(generation: number): void;
  /** Told of each answer from the index; says what is wrong with when it came, or null. */
  answered(generation: number, isStale: boolean): string | null;
  /** Milliseconds: the most until a snapshot was seen while the store was up, and after it had come back. */
  most(): { whileUp: number; afterOutage: number; seen: number };
}

export function createFreshness({ now, upSince }: FreshnessOptions): Freshness {
  const most = { whileUp: 0, afterOutage: 0, seen: 0 };
  let newest = { generation: 0, at: 0 };
  let seen = 0;

  /** From when a snapshot could be seen, and how long that may take; null: the store is not up. */
  function toDue(publishedAt: number) {
    const since = upSince();
    if (since === null) return null;
    const hasRecovered = publishedAt - since >= RECOVERED_MAX_MILLISECONDS;
    if (hasRecovered) return { from: publishedAt, within: SEEN_MAX_MILLISECONDS, kind: "whileUp" } as const;
    return { from: Math.max(publishedAt, since), within: RECOVERED_MAX_MILLISECONDS, kind: "afterOutage" } as const;
  }

  return {
    published(generation) {
      newest = { generation, at: now() };
    },
    answered(generation, isStale) {
      if (generation < seen) return `the snapshot ${generation} after ${seen}`;
      const due = toDue(newest.at);
      if (due === null) {
        seen = generation;
        return null;
      }
      const waited = now() - due.from;
      if (generation > seen) {
        seen = generation;
        most.seen += 1;
        if (generation === newest.generation) most[due.kind] = Math.max(most[due.kind], waited);
      }
      if (waited <= due.within) return null;
      if (generation < newest.generation)
        return `still the snapshot ${generation}, ${newest.generation} is out for ${waited} ms`;
      return isStale ? `said to be stale ${waited} ms after the store came back` : null;
    },
    most: () => ({ ...most }),
  };
}
