import { isIPv4 } from "node:net";
import ipaddr, { type IPv4, type IPv6 } from "ipaddr.js";
import { LRUCache } from "lru-cache";

/** Who may say where a request came from: in X-Forwarded-For a number of hops, or certain addresses; or a CDN in its header. */
export type TrustedProxies =
  | { by: "nothing" }
  | { by: "hops"; hops: number }
  | { by: "ranges"; ranges: AddressRange[] }
  | { by: "header"; header: CdnHeader; ranges: AddressRange[] };

type AddressRange = [IPv4 | IPv6, number];

export const TRUSTED_HOPS_MAX = 10;

/** Headers in which a CDN alone tells its client's address, by the name of the CDN in the setting. */
const CDN_HEADERS = {
  // https://developers.cloudflare.com/fundamentals/reference/http-headers/#cf-connecting-ip
  cloudflare: "cf-connecting-ip",
  // https://docs.aws.amazon.com/AmazonCloudFront/latest/DeveloperGuide/adding-cloudfront-headers.html
  cloudfront: "cloudfront-viewer-address",
} as const;

type CdnHeader = (typeof CDN_HEADERS)[keyof typeof CDN_HEADERS];

/** Reads what TRUST_PROXY may be; 1 hop: the peer itself is a proxy of ours. null: it is none of these. */
export function parseTrustedProxies(text: string): TrustedProxies | null {
  if (text === "none") return { by: "nothing" };
  if (/^\d+$/.test(text)) {
    const hops = Number(text);
    return hops >= 1 && hops <= TRUSTED_HOPS_MAX ? { by: "hops", hops } : null;
  }
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
  // A zone is one of this machine's interfaces, and would not be looked at.
  if (address === null || text.includes("%")) return null;
  const addressBits = address.kind() === "ipv4" ? 32 : 128;
  const bits = Number(cidr?.[2] ?? addressBits);
  return bits <= addressBits ? [address, bits] : null;
}

function parseAddress(text: string): IPv4 | IPv6 | null {
  // The library alone would take octal, hexadecimal and short forms too, which no proxy writes.
  if (isIPv4(text)) return ipaddr.IPv4.parse(text);
  return ipaddr.IPv6.isValid(text) ? ipaddr.process(text) : null;
}

export interface Origin {
  peer: string | undefined;
  /** Where a header was sent several times, its values are joined by commas, in their order. */
  headers: Pick<Headers, "get">;
}

interface Known {
  key: string;
  trusted: boolean;
}

type ReadAddress = (text: string | undefined) => Known;

/** No way of writing an address, with brackets, zone and port, is longer. */
const ADDRESS_CHARACTERS_MAX = 80;
/** Most requests come over few connections or from few clients, and parsing costs more than all else here. */
const REMEMBERED_ADDRESSES = 4_096;
const NO_ADDRESS = { key: "unknown", trusted: false };

/** The key that the client of a request is counted under. Those whose peer has no address share one. */
export function createClientKeys(trusted: TrustedProxies): (origin: Origin) => string {
  const read = createAddressReader(trusted);
  if (trusted.by === "header")
    return ({ peer, headers }) => {
      const proxy = read(peer);
      if (!proxy.trusted) return proxy.key;
      const value = headers.get(trusted.header) ?? undefined;
      // CloudFront writes `ADDRESS:PORT`, IPv6 without brackets, so that the port would be read as a part of the address.
      const client = read(trusted.header === CDN_HEADERS.cloudfront ? value?.replace(/:\d{1,5}$/, "") : value);
      return client === NO_ADDRESS ? proxy.key : client.key;
    };
  const hops = trusted.by === "hops" ? trusted.hops : TRUSTED_HOPS_MAX;
  return (origin) => readForwardedFor(origin, read, hops, (known) => trusted.by === "hops" || known.trusted);
}

/** Backwards from the peer, while its writer is trusted. What comes before that many hops, a stranger may have written. */
function readForwardedFor(origin: Origin, read: ReadAddress, hops: number, isProxy: (known: Known) => boolean): string {
  let client = read(origin.peer);
  if (client === NO_ADDRESS || !isProxy(client)) return client.key;
  let rest = origin.headers.get("x-forwarded-for");
  for (let hop = 1; rest !== null && hop <= hops && isProxy(client); hop++) {
    const comma: number = rest.lastIndexOf(",");
    const earlier = read(rest.slice(comma + 1).trim());
    if (earlier === NO_ADDRESS) break;
    client = earlier;
    rest = comma === -1 ? null : rest.slice(0, comma);
  }
  return client.key;
}

export function createAddressReader(trusted: TrustedProxies): ReadAddress {
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

function parse(text: string, ranges: AddressRange[]): Known {
  // Some proxies append the port, and then put IPv6 in brackets.
  const [, bracketed, withPort] = /^(?:\[([^\]]*)\](?::\d{1,5})?|([\d.]+):\d{1,5})$/.exec(text) ?? [];
  const address = parseAddress(bracketed ?? withPort ?? text);
  if (address === null) return NO_ADDRESS;
  return { key: toClientKey(address), trusted: ipaddr.subnetMatch(address, { trusted: ranges }, "") === "trusted" };
}

/** Of IPv6 the 64 bits that are given to one customer, who could otherwise have a fresh limit with every request. */
function toClientKey(address: IPv4 | IPv6): string {
  if (!("parts" in address)) return address.toString();
  const first64Bits = address.parts.slice(0, 4);
  return first64Bits.map((part) => part.toString(16)).join(":");
}
