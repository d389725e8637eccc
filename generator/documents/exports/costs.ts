import type { CommissionEvent, Source } from "../../contract/event.ts";
import type { ChangeCost } from "../../contract/cost.ts";
import type { MevChangeCost } from "../../contract/mev-cost.ts";
import type { View } from "../view.ts";
import { tableOf, toLamports, type Table } from "./table.ts";
import { isClosed } from "./events.ts";

interface Row {
  eventId: string;
  votePubkey: string;
  source: Source;
  cost: ChangeCost | null;
  mevCost: MevChangeCost | null;
  either: ChangeCost | MevChangeCost;
}

const toTable = tableOf<"costs", Row>("costs", {
  epoch: ({ either }) => either.basis.epoch,
  lamportsPerEpoch: ({ either }) => toLamports(either.lamportsPerEpoch),
  per1000SolLamports: ({ either }) => toLamports(either.per1000SolLamports),
  leastLamportsPerEpoch: ({ cost }) => toLamports(cost?.bounds?.leastLamportsPerEpoch),
  mostLamportsPerEpoch: ({ cost }) => toLamports(cost?.bounds?.mostLamportsPerEpoch),
  fromCommission: ({ either }) => either.basis.fromCommission,
  toCommission: ({ either }) => either.basis.toCommission,
  activeStakeLamports: ({ either }) => toLamports(either.basis.activeStake.lamports),
  totalActiveStakeLamports: ({ cost }) => toLamports(cost?.basis.totalActiveStake.lamports),
  inflationRate: ({ cost }) => cost?.basis.inflationRate ?? null,
  supplyLamports: ({ cost }) => toLamports(cost?.basis.supply.lamports),
  epochsPerYear: ({ cost }) => cost?.basis.epochsPerYear ?? null,
  voteCreditsRatio: ({ cost }) => cost?.basis.voteCreditsRatio ?? null,
  tipsLamports: ({ mevCost }) => toLamports(mevCost?.basis.tips.lamports),
  isSettled: ({ either }) => either.basis.isSettled,
  isUpperBound: ({ mevCost }) => mevCost?.basis.isUpperBound ?? null,
});

/** What each event of the closed epochs costs, newest first, if that is known. */
export function toCostsTable(view: View): Table | null {
  if (view.closedEpochs().size === 0) return null;
  const events = view.events().filter(({ epoch }) => isClosed(view, epoch));
  return toTable(events.flatMap(toRows));
}

function toRows({ id, votePubkey, source, cost, mevCost }: CommissionEvent): Row[] {
  const either = cost ?? mevCost;
  return either === null ? [] : [{ eventId: id, votePubkey, source, cost, mevCost, either }];
}
