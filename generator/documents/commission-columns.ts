import type { Column } from "../ledger/columns.ts";
import type { Ledger } from "../ledger/ledger.ts";

/** The columns of one epoch: where the first says nothing of a validator the next does (points.ts). */
export interface CommissionColumns {
  epoch: number;
  inflation: readonly (Uint16Array | undefined)[];
  mev: readonly (Uint16Array | undefined)[];
}

/** Lays the ledger's columns of commissions side by side, by epoch, ascending. */
export function toCommissionColumns(ledger: Ledger, epochs: readonly number[]): CommissionColumns[] {
  const { proved, inflation, mev, history } = ledger;
  const at = (column: Column<Uint16Array>, epoch: number) => column.get(epoch);
  return epochs.map((epoch) => ({
    epoch,
    inflation: [at(proved, epoch), at(inflation, epoch), at(history.inflation, epoch)],
    mev: [at(mev, epoch), at(history.mev, epoch)],
  }));
}
