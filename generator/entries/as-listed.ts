import type { PanelList } from "./entry.ts";

/**
 * Returns an entry's row as a witness lists it: without basis points if that witness lists whole
 * percents only. Use it only for vote accounts in neither `rows` nor `lacks` of the witness.
 */
export function asListed<Row extends { basisPoints: number | null }>(
  row: Row,
  { hasBasisPoints }: Pick<PanelList, "hasBasisPoints">,
): Row {
  return hasBasisPoints ? row : { ...row, basisPoints: null };
}
