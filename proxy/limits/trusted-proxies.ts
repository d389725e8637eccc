import { isIPv4 } from "node:net";
import ipaddr from "ipaddr.js";
import type { IPv4, IPv6 } from "ipaddr.js";

/**
 * Who may say where a request came from: nobody; in X-Forwarded-For a number of hops, or certain addresses; in a header of a
 * CDN the peers that have it from that CDN.
 */
export type TrustedProxies =
  | { by: "nothing" }
  | { by: "hops"; hops: number }
  | { by: "ranges"; ranges: readonly AddressRange[] }
  | { by: "header"; header: CdnHeader; ranges: readonly AddressRange[] };

/** An address and the length of its prefix in bits. */
export type AddressRange = [IPv4 | IPv6, number];

/** Entries of X-Forwarded-For that are looked at. */
export const TRUSTED_HOPS_MAX = 10;

/** Headers in which a CDN alone tells its client's address, by the name of the CDN in the setting. */
const CDN_HEADERS = {
  // https://developers.cloudflare.com/fundamentals/reference/http-headers/#cf-connecting-ip
  cloudflare: "cf-connecting-ip",
  // https://docs.aws.amazon.com/AmazonCloudFront/latest/DeveloperGuide/adding-cloudfront-headers.html
  cloudfront: "cloudfront-viewer-address",
} as const;

export type CdnHeader = (typeof CDN_HEADERS)[keyof typeof CDN_HEADERS];

/**
 * Reads `none`, a number of hops (1: the peer itself is a proxy of ours), addresses and CIDR ranges separated by commas, or
 * `cloudflare:` or `cloudfront:` before these. null: it is none of these.
 */
export function parseTrustedProxies(text: string): TrustedProxies | null {
  if (text === "none") return { by: "nothing" };
  if (/^\d+$/.test(text)) {
    const hops = Number(text);
    return hops >= 1 && hops <= TRUSTED_HOPS_MAX ? { by: "hops", hops } : null;
  }
  for (const [name, header] of Object.entries(CDN_HEADERS)) {
    const ranges = text.startsWith(`${name}:`) ? parseRanges(text.slice(name.length + 1)) : null;
    if (ranges !== null) return { by: "header", header, ranges };
  }
  const ranges = parseRanges(text);
  return ranges && { by: "ranges", ranges };
}

/** Whether an address lies in one of the ranges. */
export function isInRanges(address: IPv4 | IPv6, ranges: readonly AddressRange[]): boolean {
  return ranges.some(([range, bits]) => range.kind() === address.kind() && address.match(range, bits));
}

function parseRanges(text: string): AddressRange[] | null {
  const ranges = text.split(",").map((part) => parseRange(part.trim()));
  return ranges.every((range) => range !== null) ? ranges : null;
}

function parseRange(text: string): AddressRange | null {
  const cidr = /^([^/]+)(?:\/(0|[1-9]\d{0,2}))?$/.exec(text);
  const address = parseAddress(cidr?.[1] ?? "");
  // A zone is one of this machine's interfaces, and would not be looked at.
  if (address === null || text.includes("%")) return null;
  const addressBits = address.kind() === "ipv4" ? 32 : 128;
  const bits = cidr?.[2] === undefined ? addressBits : Number(cidr[2]);
  return bits <= addressBits ? [address, bits] : null;
}

/** An address without port or brackets; an IPv4 address written as IPv6 becomes IPv4. null: it is none. */
export function parseAddress(text: string): IPv4 | IPv6 | null {
  // The library alone would take octal, hexadecimal and short forms too, which no proxy writes.
  if (isIPv4(text)) return ipaddr.IPv4.parse(text);
  return ipaddr.IPv6.isValid(text) ? ipaddr.process(text) : null;
}
