import type { IPv4, IPv6 } from "ipaddr.js";
import { parseAddress, type TrustedProxies } from "./trusted-proxies.ts";

interface ClientAddressOptions {
  /** The other end of the connection. */
  peer: string | undefined;
  /** The X-Forwarded-For header: the client first, each proxy appends whom it heard. */
  forwardedFor: string | null;
  trusted: TrustedProxies;
}

/**
 * Where a request came from: from the peer backwards through X-Forwarded-For for as long as the one who wrote the entry is
 * trusted, so that a client cannot choose its own address. null: no peer, or not an address.
 */
export function toClientAddress({ peer, forwardedFor, trusted }: ClientAddressOptions): IPv4 | IPv6 | null {
  let client = parseAddress(peer ?? "");
  if (client === null || forwardedFor === null) return client;
  const entries = forwardedFor.split(",");
  for (let hop = 1; isTrusted(client, hop, trusted); hop++) {
    const earlier = parseAddress(toBareAddress(entries.pop() ?? ""));
    if (earlier === null) break;
    client = earlier;
  }
  return client;
}

/**
 * The key a client is counted under. Of IPv6 the first 64 bits: that much is given to one customer, who could otherwise
 * have a fresh limit with every request. Clients without an address share one key.
 */
export function toClientKey(address: IPv4 | IPv6 | null): string {
  if (address === null) return "unknown";
  if (!("parts" in address)) return address.toString();
  return address.parts
    .slice(0, 4)
    .map((part) => part.toString(16))
    .join(":");
}

function isTrusted(address: IPv4 | IPv6, hop: number, trusted: TrustedProxies): boolean {
  switch (trusted.by) {
    case "nothing":
      return false;
    case "hops":
      return hop <= trusted.hops;
    case "ranges":
      return trusted.ranges.some(([range, bits]) => range.kind() === address.kind() && address.match(range, bits));
  }
}

/** Some proxies append the port, and then put IPv6 in brackets. */
function toBareAddress(entry: string): string {
  const [, bracketed, withPort] = /^(?:\[([^\]]*)\](?::\d+)?|([\d.]+):\d+)$/.exec(entry.trim()) ?? [];
  return bracketed ?? withPort ?? entry.trim();
}
