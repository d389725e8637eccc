import { DEFAULT_NETWORK, NETWORKS, type Network } from "./networks.ts";
import { PUBKEY_PATTERN } from "./values.ts";

/** Paths of the site's pages. Servers answer each with index.html, and other pages with 404. */
export const SITE_PATHS = [
  "/",
  "/validators",
  "/concentration",
  "/watchlist",
  "/wallet",
  "/alerts",
  "/compare",
  "/epochs",
  "/how-we-know",
  "/accused",
  "/status",
  "/glossary",
  "/api",
] as const;

/** A path of the site, other than a validator's page. */
export type SitePath = (typeof SITE_PATHS)[number];

/** Matches the path of a validator's page; the vote account is the first group. */
export const VALIDATOR_PAGE = new RegExp(`^/validators/(${PUBKEY_PATTERN.source.slice(1, -1)})$`);

/**
 * Finds the network in a query and ignores everything else, because people cut addresses. The edge
 * function and nginx read it the same way.
 */
export const NETWORK_IN_QUERY = new RegExp(`(?:^|&)network=(${NETWORKS.join("|")})(?:&|$)`);

/**
 * Returns the one address of a validator's page, from the site's root. It omits the default
 * network.
 */
export function toPageAddress(votePubkey: string, network: Network): string {
  return `/validators/${votePubkey}${network === DEFAULT_NETWORK ? "" : `?network=${network}`}`;
}

/**
 * Reads the address of a validator's page; null: the path is not one. `query` is without its
 * question mark, and an unknown network counts as the default one.
 */
export function readPageAddress(
  path: string,
  query: string,
): { votePubkey: string; network: Network } | null {
  const votePubkey = VALIDATOR_PAGE.exec(path)?.[1];
  if (votePubkey === undefined) return null;
  const network =
    NETWORKS.find((name) => name === NETWORK_IN_QUERY.exec(query)?.[1]) ?? DEFAULT_NETWORK;
  return { votePubkey, network };
}
