import type { Share } from "../../../generator/contract/stats.ts";

/** Names of Natural Earth, and what databases of addresses call the same country. */
const OTHER_NAMES: Readonly<Record<string, string>> = {
  "united states of america": "united states",
  turkey: "türkiye",
  macedonia: "north macedonia",
  "bosnia and herz.": "bosnia and herzegovina",
  "dominican rep.": "dominican republic",
  "central african rep.": "central african republic",
  "dem. rep. congo": "dr congo",
  "eq. guinea": "equatorial guinea",
  "s. sudan": "south sudan",
  "solomon is.": "solomon islands",
  "cayman is.": "cayman islands",
  "british virgin is.": "british virgin islands",
  "u.s. virgin is.": "u.s. virgin islands",
  "faeroe is.": "faroe islands",
  "antigua and barb.": "antigua and barbuda",
  "côte d'ivoire": "ivory coast",
};

/** Finds the share of a country by the name of its outline. Case and articles do not count. */
export function createFindShare(shares: readonly Share[]): (name: string) => Share | null {
  const byName = new Map(shares.map((share) => [toKey(share.name), share]));
  return (name) =>
    byName.get(toKey(OTHER_NAMES[name.toLowerCase()] ?? name)) ?? byName.get(toKey(name)) ?? null;
}

function toKey(name: string): string {
  return name
    .toLowerCase()
    .replace(/^the /, "")
    .replace(/^turkey$/, "türkiye")
    .replace(/^czech republic$/, "czechia")
    .replace(/^republic of (?:the )?/, "");
}
