import type { CommissionEvent, Source } from "../../contract/event.ts";
import type { ChangeCost } from "../../contract/cost.ts";
import type { MevChangeCost } from "../../contract/mev-cost.ts";
import type { View } from "../view.ts";
import { tableOf, type Table } from "./table.ts";
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
  lamportsPerEpoch: ({ either }) => BigInt(either.lamportsPerEpoch),
  per1000SolLamports: ({ either }) => BigInt(either.per1000SolLamports),
  leastLamportsPerEpoch: ({ cost }) => toBigInt(cost?.bounds?.leastLamportsPerEpoch),
  mostLamportsPerEpoch: ({ cost }) => toBigInt(cost?.bounds?.mostLamportsPerEpoch),
  fromCommission: ({ either }) => either.basis.fromCommission,
  toCommission: ({ either }) => either.basis.toCommission,
  activeStakeLamports: ({ either }) => BigInt(either.basis.activeStake.lamports),
  totalActiveStakeLamports: ({ cost }) => toBigInt(cost?.basis.totalActiveStake.lamports),
  inflationRate: ({ cost }) => cost?.basis.inflationRate ?? null,
  supplyLamports: ({ cost }) => toBigInt(cost?.basis.supply.lamports),
  epochsPerYear: ({ cost }) => cost?.basis.epochsPerYear ?? null,
  voteCreditsRatio: ({ cost }) => cost?.basis.voteCreditsRatio ?? null,
  tipsLamports: ({ mevCost }) => toBigInt(mevCost?.basis.tips.lamports),
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

function toBigInt(lamports: string | undefined): bigint | null {
  return lamports === undefined ? null : BigInt(lamports);
}
