import type { PanelList } from "./entry.ts";

/** An entry's row as a witness lists it, in whose own rows and gaps the vote account is not. */
export function asListed<Row extends { basisPoints: number | null }>(
  row: Row,
  { hasBasisPoints }: Pick<PanelList, "hasBasisPoints">,
): Row {
  return hasBasisPoints ? row : { ...row, basisPoints: null };
}
