import type { EpochRow } from "../../contract/epochs.ts";
import { tableOf, toLamports, type Table } from "./table.ts";

const toTable = tableOf<"epochs", EpochRow>("epochs", {
  supplyLamports: ({ supply }) => toLamports(supply?.lamports),
  activeStakeLamports: ({ activeStake }) => toLamports(activeStake?.lamports),
});

/** @param rows as `/epochs` lists them; none: nothing was ever observed */
export function toEpochsTable(rows: EpochRow[]): Table | null {
  return rows.length === 0 ? null : toTable(rows);
}
