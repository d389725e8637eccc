import ipaddr from "ipaddr.js";
import type { IPv4, IPv6 } from "ipaddr.js";

/** Who may say in X-Forwarded-For where a request came from: nobody, a number of hops, or certain addresses. */
export type TrustedProxies =
  { by: "nothing" } | { by: "hops"; hops: number } | { by: "ranges"; ranges: readonly AddressRange[] };

/** An address and the length of its prefix in bits. */
export type AddressRange = [IPv4 | IPv6, number];

export const TRUSTED_HOPS_MAX = 10;

/**
 * Reads `none`, a number of hops (1: the peer itself is a proxy of ours), or addresses and CIDR ranges separated by commas.
 * null: it is none of these.
 */
export function parseTrustedProxies(text: string): TrustedProxies | null {
  if (text === "none") return { by: "nothing" };
  if (/^\d+$/.test(text)) {
    const hops = Number(text);
    return hops >= 1 && hops <= TRUSTED_HOPS_MAX ? { by: "hops", hops } : null;
  }
  const ranges = text.split(",").map((part) => parseRange(part.trim()));
  return ranges.every((range) => range !== null) ? { by: "ranges", ranges } : null;
}

function parseRange(text: string): AddressRange | null {
  const cidr = /^([^/]+)(?:\/(\d{1,3}))?$/.exec(text);
  const address = parseAddress(cidr?.[1] ?? "");
  if (address === null) return null;
  const addressBits = address.kind() === "ipv4" ? 32 : 128;
  const bits = cidr?.[2] === undefined ? addressBits : Number(cidr[2]);
  return bits <= addressBits ? [address, bits] : null;
}

/** An address without port or brackets; an IPv4 address written as IPv6 becomes IPv4. null: it is none. */
export function parseAddress(text: string): IPv4 | IPv6 | null {
  // The library also takes octal, hexadecimal and short forms, which no proxy writes.
  if (!ipaddr.IPv4.isValidFourPartDecimal(text) && !ipaddr.IPv6.isValid(text)) return null;
  return ipaddr.process(text);
}
