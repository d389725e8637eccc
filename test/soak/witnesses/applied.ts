import { renderCommissionHistory } from "../../../generator/documents/histories.ts";
import { createView } from "../../../generator/documents/view.ts";
import { epochOf, isMember, timeOf, tipAt, type Cluster, type Validator } from "./cluster.ts";
import type { Record } from "./record.ts";
import type { Scenario } from "./scenario.ts";
import { STANDING, STANDING_UNSHOWN, type Fault } from "./verdict.ts";

/** Of each closed epoch it is said what the chain pays, or that it is not known. */
export function findWrongApplied({ cluster, end, promise, isPercentOnly }: Scenario, { ledger }: Record): Fault[] {
  if (ledger === null || promise === "nothing false") return [];
  const standing = isPercentOnly ? STANDING_UNSHOWN : STANDING;
  const view = createView(ledger);
  const running = epochOf(cluster, tipAt(cluster, end));
  return cluster.validators.flatMap((validator) => {
    const { vote } = validator;
    const points = renderCommissionHistory(view, vote)?.data ?? [];
    return points.flatMap(({ epoch, appliedCommission }): Fault[] => {
      // Of an epoch in which nothing was accepted nothing is known, and forward-filled.
      const isSeen = ledger.epochs.some((seen) => seen.epoch === epoch - 2);
      if (appliedCommission === null || epoch >= running || !isSeen) return [];
      const paid = paidIn(cluster, validator, { epoch, standing });
      if (paid === null || paid === Math.round(appliedCommission * 100)) return [];
      const text = `epoch ${epoch} is said to pay ${appliedCommission} %, and pays ${paid} basis points`;
      return [{ kind: "wrong applied", at: timeOf(cluster, (epoch + 1) * cluster.slotsInEpoch), vote, text }];
    });
  });
}

/**
 * The rate at the end of the epoch before the last one. null: nothing is promised of it: without stake, which makes members
 * here, an epoch pays nobody, and what stood for a moment around the boundary only its transactions tell.
 */
function paidIn(
  cluster: Cluster,
  validator: Validator,
  { epoch, standing }: { epoch: number; standing: number },
): number | null {
  const slot = (epoch - 1) * cluster.slotsInEpoch - 1;
  const began = validator.rates.findLast((step) => step.slot <= slot);
  const ended = validator.rates.find((step) => step.slot > slot);
  if (!isMember(cluster, validator, epoch) || began === undefined) return null;
  const stood = (ended === undefined ? Infinity : timeOf(cluster, ended.slot)) - timeOf(cluster, began.slot);
  return stood < standing ? null : began.value;
}
