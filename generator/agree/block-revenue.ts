import type { SnapshotEntry } from "../entries/entry.ts";
import { findMajority, isOneAlone } from "./majority.ts";
import { inPlace, spanOf } from "./place.ts";

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
  // Most vote accounts have one of few rates, and then all is said of the first.
  const readings = new Map<string, AgreedBlockRevenue | "disputed" | null>();
  return votes.map((_, index) => {
    const rates = answers.map(({ rows }) => rows[index]?.[3] ?? null);
    const key = rates.join();
    let reading = readings.get(key);
    if (reading === undefined) {
      const said = answers.flatMap(({ slot: at }, witness) => {
        const basisPoints = rates[witness] ?? null;
        return basisPoints === null ? [] : [{ basisPoints: Math.min(basisPoints, BASIS_POINTS_MOST), slot: at }];
      });
      reading = agreeOn(said, accounts);
      readings.set(key, reading);
    }
    return reading;
  });
}

function agreeOn(
  said: readonly Pick<AgreedBlockRevenue, "basisPoints" | "slot">[],
  accounts: SnapshotEntry["accounts"],
): AgreedBlockRevenue | "disputed" | null {
  const size = accounts.length;
  const isAlone = isOneAlone(accounts, said.length);
  const alike = findMajority(said, isAlone ? 1 : size, (one, other) => one.basisPoints === other.basisPoints);
  const [first] = alike;
  if (first === undefined)
    return said.some(({ basisPoints }) => basisPoints !== said[0]?.basisPoints) ? "disputed" : null;
  const slots = alike.map((one) => one.slot);
  return { basisPoints: first.basisPoints, slot: spanOf(slots, size).from, isAlone };
}
