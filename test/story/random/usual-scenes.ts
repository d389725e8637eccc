import fc from "fast-check";
import { anySides, NAMES, type Mood, type Scene } from "./scenes.ts";

/** One validator in one entry. Usual values are likelier, or nothing would be confirmed. */
const mood = fc
  .record({
    bps: fc.constantFrom(500, 500, 500, 1000, 9500),
    stake: fc.constantFrom(5_000_000_000n, 5_000_000_000n, 6_000_000_000n),
    delinquent: fc.constantFrom(...Array.from({ length: 9 }, () => false), true),
    title: fc.constantFrom("a name", "a name", "another name"),
    version: fc.constantFrom("4.2.1", "4.2.1", "4.2.2"),
    city: fc.constantFrom("Frankfurt", "Frankfurt", "Paris"),
    mevBps: fc.constantFrom(800, 800, 9500, null),
    runningBam: fc.boolean(),
    leaderSlots: fc.integer({ min: 40, max: 46 }),
  })
  .map(({ bps, ...facts }): Mood => {
    const isOnList = facts.mevBps !== null;
    const usual = { inSet: true, identity: "own", clientId: 3, asn: 24940 } as const;
    return {
      ...facts,
      ...usual,
      commission: { bps, percent: null },
      onMevList: isOnList,
      onClosedList: isOnList,
    };
  });

const side = fc.constantFrom("ok" as const, "skipped" as const);

export const usualScene: fc.Arbitrary<Scene> = fc
  .record({
    kind: fc.constantFrom("check" as const, "snapshot" as const, "snapshot" as const),
    /** Since the previous scene; an epoch has 120. */
    minutes: fc.constantFrom(1, 1, 2, 10, 45, 130),
    moods: fc.tuple(...NAMES.map(() => mood)),
    /** Absent validators; often the same one, so that it is missed repeatedly. */
    gone: fc.constantFrom([], [], NAMES.slice(0, 1), NAMES.slice(0, 1), NAMES.slice(1, 2)),
    sides: anySides(side).map((sides) => ({ ...sides, priorityFees: "skipped" as const })),
  })
  .map(({ moods, ...facts }): Scene => {
    const usual: Omit<Scene, keyof typeof facts | "moods"> = {
      ...{ asked: true, slotsOff: 0, epochsOff: 0, ruled: null },
      ...{ silent: 0, lists: ["same", "same", "same"], lacking: [] },
    };
    // Validator 1's commission is never readable: its history is MEV alone.
    const isUnread = (index: number) => index === 1;
    const unread = { bps: null, percent: null };
    return {
      ...facts,
      ...usual,
      moods: moods.map((one, index) => (isUnread(index) ? { ...one, commission: unread } : one)),
    };
  });
