import type { Concentration } from "../../../generator/contract/stats.ts";

type List = keyof Concentration["nakamotoCoefficients"];

/** One way of asking who holds the stake. */
export interface Dimension {
  /** In the address. */
  by: string;
  /** In the document. */
  list: List;
  one: string;
  many: string;
  /** Its shares are of the located stake, not of all: who is not located may be anywhere. */
  isOfPlaces: boolean;
}

/** In the order of the page; the first is the default. */
export const DIMENSIONS = [
  { by: "country", list: "byCountry", one: "country", many: "countries", isOfPlaces: true },
  { by: "data-center", list: "byDataCenter", one: "data centre", many: "data centres", isOfPlaces: true },
  { by: "city", list: "byCity", one: "city", many: "cities", isOfPlaces: true },
  { by: "asn", list: "byAsn", one: "autonomous system", many: "autonomous systems", isOfPlaces: true },
  { by: "client", list: "byClient", one: "client", many: "clients", isOfPlaces: false },
  { by: "validator", list: "byValidator", one: "validator", many: "validators", isOfPlaces: false },
] as const satisfies readonly Dimension[];

/** The dimension that an address names, or else the first. */
export function readDimension(by: string | undefined): Dimension {
  return DIMENSIONS.find((dimension) => dimension.by === by) ?? DIMENSIONS[0];
}
