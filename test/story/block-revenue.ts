import type { Entry } from "../../generator/entries/entry.ts";
import { blockRevenueSteps } from "../../generator/ledger/rates/block-revenue-steps.ts";
import { slotAt, SLOTS_A_MINUTE } from "./clock.ts";
import { foldStory } from "./fold.ts";
import { validatorOf } from "./outcome.ts";
import { panelSnapshot } from "./panels.ts";
import { AUTHORITY } from "./transactions.ts";
import { withA } from "./validators.ts";
import { all } from "./witnesses.ts";

/**
 * Snapshots every ten minutes, by so many witnesses; of
 * each the basis points of A that the witnesses read.
 */
export function revenueSnapshots(
  of: number,
  ...revenues: (number | null | (number | null)[])[]
): Entry[] {
  return revenues.map((revenue, index) =>
    panelSnapshot(index * 10, withA(500), {
      of,
      authority: AUTHORITY.address,
      revenue: Array.isArray(revenue) ? revenue : all(of, revenue),
    }),
  );
}

/** As "5000 → 10000 at 10, observed", by the minute. */
export function revenueStepsOf(...entries: Entry[]): string[] {
  return blockRevenueSteps(validatorOf(foldStory(...entries), "A")).map(
    ({ from, to, slot, proof, seen }) => {
      const how = proof === null ? "observed" : proof.verified;
      return `${from} → ${to} at ${(slot - slotAt(0)) / SLOTS_A_MINUTE}, ${how}${seen === null ? ", unseen" : ""}`;
    },
  );
}

export function newestRevenueOf(...entries: Entry[]): number | null {
  return validatorOf(foldStory(...entries), "A").blockRevenueBasisPoints;
}
