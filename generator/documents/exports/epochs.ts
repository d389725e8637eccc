import type { EpochRow } from "../../contract/epochs.ts";
import type { Stake } from "../../contract/values.ts";
import { renderEpochs } from "../epochs.ts";
import type { View } from "../view.ts";
import { tableOf, type Table } from "./table.ts";

const toTable = tableOf<"epochs", EpochRow>("epochs", {
  supplyLamports: ({ supply }) => toLamports(supply),
  activeStakeLamports: ({ activeStake }) => toLamports(activeStake),
});

/** Every tracked epoch, oldest first, as `/epochs` lists them. */
export function toEpochsTable(view: View): Table | null {
  return view.latestEpoch === null ? null : toTable(renderEpochs(view).data);
}

function toLamports(stake: Stake | null): bigint | null {
  return stake === null ? null : BigInt(stake.lamports);
}
