import type { EpochRow } from "../../contract/epochs.ts";
import { renderEpochs } from "../epochs.ts";
import type { View } from "../view.ts";
import { tableOf, toLamports, type Table } from "./table.ts";

const toTable = tableOf<"epochs", EpochRow>("epochs", {
  supplyLamports: ({ supply }) => toLamports(supply?.lamports),
  activeStakeLamports: ({ activeStake }) => toLamports(activeStake?.lamports),
});

/** Every tracked epoch, oldest first, as `/epochs` lists them. */
export function toEpochsTable(view: View): Table | null {
  return view.latestEpoch === null ? null : toTable(renderEpochs(view).data);
}
