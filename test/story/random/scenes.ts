import fc from "fast-check";

/* What all validators and witnesses of a cluster do at one moment, where anything may be odd. */

/** Ten, so that two may be gone and the rest is still believed. */
export const NAMES = Array.from({ length: 10 }, (_, index) => `validator ${index}`);

/** Usual values are likelier, or nothing would be believed. */
const mood = fc.record({
  commission: fc.constantFrom<{ bps: number | null; percent: number | null }[]>(
    ...Array.from({ length: 6 }, () => ({ bps: 500, percent: null })),
    { bps: 550, percent: null },
    { bps: 9500, percent: null },
    { bps: 12_000, percent: 120 },
    { bps: null, percent: 5 },
    { bps: null, percent: 6 },
    { bps: null, percent: 95 },
    { bps: null, percent: null },
  ),
  stake: fc.constantFrom<bigint[]>(5_000_000_000n, 5_000_000_000n, 5_100_000_000n, 0n),
  delinquent: fc.constantFrom(false, false, false, false, false, true),
  inSet: fc.constantFrom(true, true, true, false),
  identity: fc.constantFrom("own", "own", "own", "own", "another", "shared"),
  title: fc.constantFrom<(string | null)[]>("a name", "a name", "another name", "\u202e", null),
  version: fc.constantFrom<(string | null)[]>("4.2.1", "4.2.1", "4.2.2", "broken", null),
  clientId: fc.constantFrom(3, 3, 3, 6, null),
  city: fc.constantFrom<(string | null)[]>("Frankfurt", "Frankfurt", "Paris", null),
  asn: fc.constantFrom(24940, 24940, 213230, 16276, null),
  mevBps: fc.constantFrom<(number | null)[]>(800, 800, 800, 9500, 11_000, null),
  onMevList: fc.constantFrom(true, true, true, true, false),
  onClosedList: fc.constantFrom(true, true, true, true, false),
  runningBam: fc.constantFrom(null, true, false),
  leaderSlots: fc.constantFrom<number[]>(40, 40, 0),
});

const side = fc.constantFrom(
  "ok" as const,
  "ok" as const,
  "failed" as const,
  "off" as const,
  "skipped" as const,
);

/** The sections of a snapshot that one source gives. */
export function anySides<State>(side: fc.Arbitrary<State>) {
  return fc.record({
    nodes: side,
    info: side,
    production: side,
    stakeAccounts: side,
    mev: side,
    priorityFees: side,
    tips: side,
    closedProduction: side,
    issuance: side,
    tipAmounts: side,
    locations: side,
  });
}

/** A witness's list: the true one, with others' rates, without some rows, or none. */
type OddList = "same" | "different" | "lacking" | "silent";

const oddList = fc.constantFrom<OddList[]>(
  "same",
  "same",
  "same",
  "same",
  "different",
  "lacking",
  "silent",
);

export const oddScene = fc.record({
  kind: fc.constantFrom("check" as const, "snapshot" as const, "snapshot" as const),
  /** Since the previous scene; an epoch has 120. */
  minutes: fc.constantFrom<number[]>(0.1, 1, 1, 2, 10, 45, 130, 260),
  moods: fc.tuple(...NAMES.map(() => mood)),
  gone: fc.subarray(NAMES.slice(0, 2)),
  /** Whether absent ones were asked for by key. */
  asked: fc.constantFrom(true, true, true, false),
  slotsOff: fc.constantFrom(0, 0, 0, 0, -200, 100),
  epochsOff: fc.constantFrom(0, 0, 0, 0, 0, 0, -1, 1),
  /** Which of three witnesses is silent; 3: none of them. */
  silent: fc.constantFrom<number[]>(0, 1, 2, 3),
  lists: fc.tuple(oddList, oddList, oddList),
  /** What a list may lack. */
  lacking: fc.subarray(NAMES, { minLength: 1, maxLength: 2 }),
  ruled: fc.constantFrom(null, null, null, null, null, "accept" as const, "ignore" as const),
  sides: anySides(side),
});

export type Mood = typeof mood extends fc.Arbitrary<infer Value> ? Value : never;
export type Scene = typeof oddScene extends fc.Arbitrary<infer Value> ? Value : never;
