import type { SnapshotEntry } from "../entries/entry.ts";
import { findMajority, isOneAlone, liarsMostOf } from "./majority.ts";
import { inPlace } from "./place.ts";

/** What a snapshot's witnesses say of a vote account's commission on block revenue. */
export interface AgreedBlockRevenue {
  /** At most 10,000. */
  basisPoints: number;
  /** The earliest that liars cannot have made up. */
  slot: number;
  /** One of two said it, and the other did not answer. */
  isAlone: boolean;
}

/** The runtime caps what it pays. */
const BASIS_POINTS_MOST = 10_000;

type Observed = Pick<SnapshotEntry, "votes" | "accounts" | "slot">;

/** @returns in the order of `votes`; null: too few could read it */
export function agreeOnBlockRevenue({ votes, accounts, slot }: Observed): (AgreedBlockRevenue | "disputed" | null)[] {
  const answers = inPlace(
    accounts.filter((answer) => answer.state === "ok"),
    slot,
  );
  const size = accounts.length;
  return votes.map((_, index) => {
    const said = answers.flatMap(({ slot: at, rows }) => {
      const basisPoints = rows[index]?.[3] ?? null;
      return basisPoints === null ? [] : [{ basisPoints: Math.min(basisPoints, BASIS_POINTS_MOST), slot: at }];
    });
    const isAlone = isOneAlone(accounts, said.length);
    const alike = findMajority(said, isAlone ? 1 : size, (one, other) => one.basisPoints === other.basisPoints);
    const slots = alike.map((one) => one.slot).sort((a, b) => a - b);
    const [first] = alike;
    if (first !== undefined)
      return { ...first, slot: slots[Math.min(liarsMostOf(size), slots.length - 1)] ?? first.slot, isAlone };
    return said.some(({ basisPoints }) => basisPoints !== said[0]?.basisPoints) ? "disputed" : null;
  });
}
