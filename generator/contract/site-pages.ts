import { DEFAULT_NETWORK, NETWORKS, type Network } from "./networks.ts";
import { PUBKEY_PATTERN } from "./values.ts";

/** One for all networks; each answers with index.html. All other paths are no page. */
export const SITE_PATHS = [
  "/",
  "/validators",
  "/concentration",
  "/watchlist",
  "/wallet",
  "/compare",
  "/status",
  "/glossary",
  "/api",
] as const;

export type SitePath = (typeof SITE_PATHS)[number];

/** The vote account is the first group; the object `page` answers it. */
export const VALIDATOR_PAGE = new RegExp(`^/validators/(${PUBKEY_PATTERN.source.slice(1, -1)})$`);

/** Of a query without its `?`. Forgiving, since people cut addresses. The edge and nginx read it so too. */
export const NETWORK_IN_QUERY = new RegExp(`(?:^|&)network=(${NETWORKS.join("|")})(?:&|$)`);

/** The default network is not named, so that a page has one address. */
export function toPageAddress(votePubkey: string, network: Network): string {
  return `/validators/${votePubkey}${network === DEFAULT_NETWORK ? "" : `?network=${network}`}`;
}

export function readPageAddress(path: string, query: string): { votePubkey: string; network: Network } | null {
  const votePubkey = VALIDATOR_PAGE.exec(path)?.[1];
  if (votePubkey === undefined) return null;
  const network = NETWORKS.find((name) => name === NETWORK_IN_QUERY.exec(query)?.[1]) ?? DEFAULT_NETWORK;
  return { votePubkey, network };
}
