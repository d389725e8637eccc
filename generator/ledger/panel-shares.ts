import type { PanelConfirmEntry } from "./entry.ts";
import { foldMevConfirm, type TipReading } from "./mev.ts";
import type { Step } from "./step.ts";
import { findClusterSlot, isInPlace, toPanel } from "./witnesses.ts";

/** What a majority of the panel reads in tip accounts decides about MEV commissions; without a majority nothing does. */
export function foldPanelTips(step: Step, { tips, answers }: PanelConfirmEntry): void {
  const { majority } = toPanel(step.ledger, answers);
  const told = answers.filter((answer) => answer.state === "ok");
  const clusterSlot = findClusterSlot(
    step.ledger,
    told.map(({ slot }) => slot),
    step.moment.time,
  );
  const inPlace = told.filter(({ slot }) => isInPlace(slot, clusterSlot));
  const readings = tips.flatMap(({ vote, epoch }, index) => {
    const shares = inPlace.map((answer) => answer.shares[index] ?? null);
    const common = shares.find((share) => shares.filter((other) => isSame(share, other)).length >= majority);
    if (common === undefined) return [];
    return [{ vote, epoch, exists: common !== null, mevBasisPoints: common?.[0] ?? null } satisfies TipReading];
  });
  foldMevConfirm(step, readings);
}

function isSame(one: [number | null] | null, other: [number | null] | null): boolean {
  return one === null || other === null ? one === other : one[0] === other[0];
}
