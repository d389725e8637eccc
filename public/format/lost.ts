import type { RugsPerEpoch } from "../../generator/contract/stats.ts";

type Row = Pick<RugsPerEpoch, "epoch" | "lamportsLost">;

/** An inflation commission is charged so many epochs after it is set. */
const EPOCHS_UNTIL_CHARGED = 2;

/**
 * Whether delegators have paid for an epoch's rugs: the first epoch that charges them is over.
 * @param latestEpoch the running one
 */
export function isLost({ epoch }: Pick<Row, "epoch">, latestEpoch: number): boolean {
  return epoch + EPOCHS_UNTIL_CHARGED < latestEpoch;
}

interface Lost {
  /** Lamports that delegators have paid. */
  lost: bigint;
  /** Lamports that they will pay in epochs that are not over. */
  ahead: bigint;
  /** Epochs whose rugs cost what is not known. */
  unknown: number;
}

/** What the rugs of these epochs take in the first epoch that charges them. */
export function sumLost(rows: readonly Row[], latestEpoch: number): Lost {
  const sums: Lost = { lost: 0n, ahead: 0n, unknown: 0 };
  for (const row of rows) {
    if (row.lamportsLost === null) sums.unknown += 1;
    else sums[isLost(row, latestEpoch) ? "lost" : "ahead"] += BigInt(row.lamportsLost);
  }
  return sums;
}
