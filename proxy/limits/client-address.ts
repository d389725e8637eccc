import { isIPv4 } from "node:net";
import ipaddr from "ipaddr.js";
import type { IPv4, IPv6 } from "ipaddr.js";
import { LRUCache } from "lru-cache";

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
type AddressRange = [IPv4 | IPv6, number];

/** Entries of X-Forwarded-For that are looked at. */
export const TRUSTED_HOPS_MAX = 10;

/** Headers in which a CDN alone tells its client's address, by the name of the CDN in the setting. */
const CDN_HEADERS = {
  // https://developers.cloudflare.com/fundamentals/reference/http-headers/#cf-connecting-ip
  cloudflare: "cf-connecting-ip",
  // https://docs.aws.amazon.com/AmazonCloudFront/latest/DeveloperGuide/adding-cloudfront-headers.html
  cloudfront: "cloudfront-viewer-address",
} as const;

type CdnHeader = (typeof CDN_HEADERS)[keyof typeof CDN_HEADERS];

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
function isInRanges(address: IPv4 | IPv6, ranges: readonly AddressRange[]): boolean {
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
function parseAddress(text: string): IPv4 | IPv6 | null {
  // The library alone would take octal, hexadecimal and short forms too, which no proxy writes.
  if (isIPv4(text)) return ipaddr.IPv4.parse(text);
  return ipaddr.IPv6.isValid(text) ? ipaddr.process(text) : null;
}

/** What is seen of a request that may tell who sent it. */
export interface Origin {
  /** Address of the other end of the connection. */
  peer: string | undefined;
  /** Where a header was sent several times, its values are joined by commas, in their order. */
  getHeader: (name: string) => string | null;
}

/** The key that a client is counted under. */
export type ToClientKey = (origin: Origin) => string;

/** What is known of an address, as it was written. */
export interface Known {
  /** The client that it belongs to. */
  key: string;
  /** Whether it lies in the ranges that are trusted. */
  trusted: boolean;
}

/** No way of writing an address, with brackets, zone and port, is longer. */
const ADDRESS_CHARACTERS_MAX = 80;
/** Most requests come over few connections or from few clients, and parsing costs more than all else here. */
const REMEMBERED_ADDRESSES = 4_096;
const NO_ADDRESS = { key: "unknown", trusted: false };

/**
 * Finds the client of a request: the peer, unless that is a proxy which is trusted to say whom it heard, so that a client
 * cannot choose its own address. Clients whose peer has no address share one key.
 */
export function createClientKeys(trusted: TrustedProxies): ToClientKey {
  const read = createAddressReader(trusted);
  switch (trusted.by) {
    case "nothing":
      return ({ peer }) => read(peer).key;
    case "hops":
      return (origin) => readForwardedFor(origin, { read, hops: trusted.hops, isProxy: () => true });
    case "ranges":
      return (origin) => readForwardedFor(origin, { read, hops: TRUSTED_HOPS_MAX, isProxy: (known) => known.trusted });
    case "header":
      return ({ peer, getHeader }) => {
        const proxy = read(peer);
        if (!proxy.trusted) return proxy.key;
        const client = read(withoutViewerPort(trusted.header, getHeader(trusted.header)));
        return client === NO_ADDRESS ? proxy.key : client.key;
      };
  }
}

interface Hops {
  read: (text: string | undefined) => Known;
  /** Entries looked at: what comes before them, a stranger may have written, ten thousand of them. */
  hops: number;
  isProxy: (known: Known) => boolean;
}

/** From the peer backwards through X-Forwarded-For, in which each proxy appends whom it heard, while its writer is trusted. */
function readForwardedFor({ peer, getHeader }: Origin, { read, hops, isProxy }: Hops): string {
  let client = read(peer);
  if (client === NO_ADDRESS || !isProxy(client)) return client.key;
  let rest = getHeader("x-forwarded-for");
  for (let hop = 1; rest !== null && hop <= hops && isProxy(client); hop++) {
    const comma: number = rest.lastIndexOf(",");
    const earlier = read(rest.slice(comma + 1).trim());
    if (earlier === NO_ADDRESS) break;
    client = earlier;
    rest = comma === -1 ? null : rest.slice(0, comma);
  }
  return client.key;
}

/** CloudFront writes `ADDRESS:PORT`, IPv6 without brackets, so that the port would be read as a part of the address. */
function withoutViewerPort(header: string, value: string | null): string | undefined {
  if (header !== "cloudfront-viewer-address") return value ?? undefined;
  return value?.replace(/:\d{1,5}$/, "");
}

/** Reads addresses as clients, their peers and proxies write them. Those that are none share a key. */
export function createAddressReader(trusted: TrustedProxies): (text: string | undefined) => Known {
  const ranges = "ranges" in trusted ? trusted.ranges : [];
  const remembered = new LRUCache<string, Known>({ max: REMEMBERED_ADDRESSES });
  return (text = "") => {
    if (text.length > ADDRESS_CHARACTERS_MAX) return NO_ADDRESS;
    // The plainest case costs less than to remember it.
    if (ranges.length === 0 && isIPv4(text)) return { key: text, trusted: false };
    let known = remembered.get(text);
    if (known === undefined) {
      // A copy: a piece cut out of a header would keep the whole header in memory.
      const copy = Buffer.from(text).toString();
      known = parse(copy, ranges);
      remembered.set(copy, known);
    }
    return known;
  };
}

function parse(text: string, ranges: readonly AddressRange[]): Known {
  const address = parseAddress(toBareAddress(text));
  return address === null ? NO_ADDRESS : { key: toClientKey(address), trusted: isInRanges(address, ranges) };
}

/** Some proxies append the port, and then put IPv6 in brackets. */
function toBareAddress(text: string): string {
  const [, bracketed, withPort] = /^(?:\[([^\]]*)\](?::\d{1,5})?|([\d.]+):\d{1,5})$/.exec(text) ?? [];
  return bracketed ?? withPort ?? text;
}

/**
 * Of IPv6 the first 64 bits: that much is given to one customer, who could otherwise have a fresh limit with every request.
 * Addresses of a translator (NAT64, 6to4) are IPv6 like any other.
 */
function toClientKey(address: IPv4 | IPv6): string {
  if (!("parts" in address)) return address.toString();
  return address.parts
    .slice(0, 4)
    .map((part) => part.toString(16))
    .join(":");
}
