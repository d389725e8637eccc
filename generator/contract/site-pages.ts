import { DEFAULT_NETWORK, NETWORKS, type Network } from "./networks.ts";
import { PUBKEY_PATTERN } from "./values.ts";

/** Each answers with index.html; all other paths are 404. */
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

/** The vote account is the first group. */
export const VALIDATOR_PAGE = new RegExp(`^/validators/(${PUBKEY_PATTERN.source.slice(1, -1)})$`);

/** Forgiving, since people cut addresses. The edge and nginx read it so too. */
export const NETWORK_IN_QUERY = new RegExp(`(?:^|&)network=(${NETWORKS.join("|")})(?:&|$)`);

/** A page has one address: without the default network. */
export function toPageAddress(votePubkey: string, network: Network): string {
  return `/validators/${votePubkey}${network === DEFAULT_NETWORK ? "" : `?network=${network}`}`;
}

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
