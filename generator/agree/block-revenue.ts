import type { SnapshotEntry } from "../entries/entry.ts";
import { findMajority } from "./majority.ts";
import { keepNear, spanOf } from "./slots.ts";
import { decidesAlone, type WitnessLists } from "./witness-lists.ts";

/** A vote account's commission on block revenue on which a majority agrees. */
export interface AgreedBlockRevenue {
  /** Basis points, at most 10,000. */
  basisPoints: number;
  /** The earliest slot at which lying witnesses cannot have invented it. */
  slot: number;
  /** Whether only one of two witnesses answered, so that it decides alone. */
  isAlone: boolean;
}

/** The most that the runtime pays. */
const BASIS_POINTS_MOST = 10_000;

type Observed = Pick<SnapshotEntry, "votes" | "accounts" | "slot">;

/**
 * Finds the commission on block revenue on which a majority agrees, for each vote account of a
 * snapshot.
 * @returns in the order of `votes`; null: too few witnesses could read it
 */
export function agreeOnBlockRevenue(
  { votes, accounts, slot }: Observed,
  lists: Pick<WitnessLists, "isAlone" | "silent">,
): (AgreedBlockRevenue | "disputed" | null)[] {
  const answers = keepNear(
    accounts.filter((answer) => answer.state === "ok"),
    slot,
  );
  const isAlone = decidesAlone(lists, accounts, answers);
  const size = isAlone ? 1 : accounts.length;
  // Most vote accounts have one of a few rates, so equal answers are evaluated only once.
  const readings = new Map<string, AgreedBlockRevenue | "disputed" | null>();
  return votes.map((_, index) => {
    const rates = answers.map(({ rows }) => rows[index]?.[3] ?? null);
    const key = rates.join();
    let reading = readings.get(key);
    if (reading === undefined) {
      const counted = answers.flatMap(({ slot: at }, witness) => {
        const basisPoints = rates[witness] ?? null;
        return basisPoints === null
          ? []
          : [{ basisPoints: Math.min(basisPoints, BASIS_POINTS_MOST), slot: at }];
      });
      reading = agreeOn(counted, { size, isAlone });
      readings.set(key, reading);
    }
    return reading;
  });
}

function agreeOn(
  counted: readonly Pick<AgreedBlockRevenue, "basisPoints" | "slot">[],
  { size, isAlone }: { size: number; isAlone: boolean },
): AgreedBlockRevenue | "disputed" | null {
  const alike = findMajority(counted, size, (one, other) => one.basisPoints === other.basisPoints);
  const [first] = alike;
  if (first === undefined)
    return counted.some(({ basisPoints }) => basisPoints !== counted[0]?.basisPoints)
      ? "disputed"
      : null;
  const slots = alike.map((one) => one.slot);
  return { basisPoints: first.basisPoints, slot: spanOf(slots, size).from, isAlone };
}
