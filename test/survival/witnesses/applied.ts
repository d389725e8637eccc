import { renderCommissionHistory } from "../../../generator/documents/commission-history.ts";
import { createView } from "../../../generator/documents/view.ts";
import { epochOf, isMember, rateAt, timeOf, tipAt, type Cluster, type Validator } from "./cluster.ts";
import type { Record } from "./record.ts";
import type { Scenario } from "./scenario.ts";
import type { Fault } from "./verdict.ts";

/** Of each closed epoch it is said what the chain pays, or that it is not known. */
export function findWrongApplied({ cluster, end, promise }: Scenario, { ledger }: Record): Fault[] {
  if (ledger === null || promise === "nothing false") return [];
  const view = createView(ledger);
  const running = epochOf(cluster, tipAt(cluster, end));
  return cluster.validators.flatMap((validator) => {
    const { vote } = validator;
    const points = renderCommissionHistory(view, vote)?.data ?? [];
    return points.flatMap(({ epoch, appliedCommission }): Fault[] => {
      if (appliedCommission === null || epoch >= running) return [];
      const paid = paidIn(cluster, validator, epoch);
      if (paid === null || paid === Math.round(appliedCommission * 100)) return [];
      const text = `epoch ${epoch} is said to pay ${appliedCommission} %, and pays ${paid} basis points`;
      return [{ kind: "wrong applied", at: timeOf(cluster, (epoch + 1) * cluster.slotsInEpoch), vote, text }];
    });
  });
}

/** By membership: the state at the end of E−2 for a member of E's set, of E−1 for one of E+1's, else of E; null: no account. */
function paidIn(cluster: Cluster, validator: Validator, epoch: number): number | null {
  const before = isMember(cluster, validator, epoch) ? 2 : isMember(cluster, validator, epoch + 1) ? 1 : 0;
  return rateAt(validator, (epoch - before + 1) * cluster.slotsInEpoch - 1);
}
