import { isIPv4 } from "node:net";
import ipaddr, { type IPv4, type IPv6 } from "ipaddr.js";
import { LRUCache } from "lru-cache";

/**
 * Who may name the client: a number of hops or certain
 * addresses in X-Forwarded-For, or a CDN in its own header.
 */
export type TrustedProxies =
  | { by: "nothing" }
  | { by: "hops"; hops: number }
  | { by: "ranges"; ranges: AddressRange[] }
  | {
      by: "header";
      header: (typeof CDN_HEADERS)[keyof typeof CDN_HEADERS];
      ranges: AddressRange[];
    };

type AddressRange = [IPv4 | IPv6, number];

/** Most proxies before this one that may be trusted. */
export const TRUSTED_HOPS_MAX = 10;

/** Headers that only the CDN writes. */
const CDN_HEADERS = {
  // https://developers.cloudflare.com/fundamentals/reference/http-headers/#cf-connecting-ip
  cloudflare: "cf-connecting-ip",
  // https://docs.aws.amazon.com/AmazonCloudFront/latest/DeveloperGuide/adding-cloudfront-headers.html
  cloudfront: "cloudfront-viewer-address",
} as const;

/** Reads TRUST_PROXY; 1 hop: the peer is our proxy. null: malformed. */
export function parseTrustedProxies(text: string): TrustedProxies | null {
  if (text === "none") return { by: "nothing" };
  const hops = Number(text);
  if (/^\d+$/.test(text))
    return hops >= 1 && hops <= TRUSTED_HOPS_MAX ? { by: "hops", hops } : null;
  const [, cdn, list = ""] = /^(?:(cloudflare|cloudfront):)?(.*)$/s.exec(text) ?? [];
  const ranges = list.split(",").map((part) => parseRange(part.trim()));
  if (!ranges.every((range) => range !== null)) return null;
  return cdn === undefined
    ? { by: "ranges", ranges }
    : { by: "header", header: CDN_HEADERS[cdn as keyof typeof CDN_HEADERS], ranges };
}

function parseRange(text: string): AddressRange | null {
  const cidr = /^([^/]+)(?:\/(0|[1-9]\d{0,2}))?$/.exec(text);
  const address = parseAddress(cidr?.[1] ?? "");
  // The match would ignore a zone.
  if (address === null || text.includes("%")) return null;
  const addressBits = address.kind() === "ipv4" ? 32 : 128;
  const bits = Number(cidr?.[2] ?? addressBits);
  return bits <= addressBits ? [address, bits] : null;
}

function parseAddress(text: string): IPv4 | IPv6 | null {
  // ipaddr.js also takes octal, hexadecimal and short forms, which no proxy writes.
  if (isIPv4(text)) return ipaddr.IPv4.parse(text);
  return ipaddr.IPv6.isValid(text) ? ipaddr.process(text) : null;
}

/** A repeated header's values are joined by commas, in their order. */
type RequestHeaders = Pick<Headers, "get">;

interface Known {
  key: string;
  trusted: boolean;
}

/** No address with brackets, zone and port is longer. */
const ADDRESS_CHARACTERS_MAX = 80;
/** Parsing takes longest here, and most requests come from few addresses. */
const KNOWN_ADDRESSES_MAX = 4_096;
const NO_ADDRESS = { key: "unknown", trusted: false };

/** The key of a request's client. Those without an address share one. */
export function createClientKeys(trusted: TrustedProxies) {
  const read = createAddressReader(trusted);
  if (trusted.by === "header")
    return (peer: string | undefined, headers: RequestHeaders): string => {
      const proxy = read(peer);
      if (!proxy.trusted) return proxy.key;
      const value = headers.get(trusted.header) ?? undefined;
      // CloudFront writes `ADDRESS:PORT`, IPv6 without brackets:
      // the port would look like a part of the address.
      const client = read(
        trusted.header === CDN_HEADERS.cloudfront ? value?.replace(/:\d{1,5}$/, "") : value,
      );
      return client === NO_ADDRESS ? proxy.key : client.key;
    };
  const [areHopsTrusted, hops] =
    trusted.by === "hops" ? [true, trusted.hops] : [false, TRUSTED_HOPS_MAX];
  return (peer: string | undefined, headers: RequestHeaders): string => {
    let client = read(peer);
    let rest = client === NO_ADDRESS ? null : headers.get("x-forwarded-for");
    // Goes back from the peer while the writer is trusted:
    // a stranger may have written what comes before.
    for (let hop = 1; rest !== null && hop <= hops && (areHopsTrusted || client.trusted); hop++) {
      const comma: number = rest.lastIndexOf(",");
      const earlier = read(rest.slice(comma + 1).trim());
      if (earlier === NO_ADDRESS) break;
      client = earlier;
      rest = comma === -1 ? null : rest.slice(0, comma);
    }
    return client.key;
  };
}

function createAddressReader(trusted: TrustedProxies) {
  const ranges = "ranges" in trusted ? trusted.ranges : [];
  const knownAddresses = new LRUCache<string, Known>({ max: KNOWN_ADDRESSES_MAX });
  return (text = ""): Known => {
    if (text.length > ADDRESS_CHARACTERS_MAX) return NO_ADDRESS;
    // Faster than a look-up.
    if (ranges.length === 0 && isIPv4(text)) return { key: text, trusted: false };
    let known = knownAddresses.get(text);
    if (known === undefined) {
      // A copy: an address cut out of a header would keep the whole header in memory.
      const copy = Buffer.from(text).toString();
      known = parse(copy, ranges);
      knownAddresses.set(copy, known);
    }
    return known;
  };
}

function parse(text: string, ranges: AddressRange[]): Known {
  // Some proxies append a port, and put IPv6 in brackets.
  const [, bracketed, withPort] =
    /^(?:\[([^\]]*)\](?::\d{1,5})?|([\d.]+):\d{1,5})$/.exec(text) ?? [];
  const address = parseAddress(bracketed ?? withPort ?? text);
  if (address === null) return NO_ADDRESS;
  return {
    key: toClientKey(address),
    trusted: ipaddr.subnetMatch(address, { trusted: ranges }, "") === "trusted",
  };
}

/** A /64 of IPv6 is one customer, who could use a new address for each request. */
function toClientKey(address: IPv4 | IPv6): string {
  if (!("parts" in address)) return address.toString();
  const first64Bits = address.parts.slice(0, 4);
  return first64Bits.map((part) => part.toString(16)).join(":");
}
