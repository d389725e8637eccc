import { lookup as resolveName, type LookupAddress, type LookupOptions } from "node:dns";
import { isIP, type LookupFunction } from "node:net";
import ipaddr from "ipaddr.js";
import { Agent, buildConnector } from "undici";

const CONNECT_MILLISECONDS = 5_000;
const CONNECTIONS_MAX = 2;
const KEEP_ALIVE_MILLISECONDS = 10_000;

/** Code of the error with which a connection to a host that is not public fails. */
export const NOT_PUBLIC = "ENOTPUBLIC";

/** Resolves as `dns.lookup` does. */
export type Resolve = (
  hostname: string,
  options: LookupOptions & { all: true },
  callback: (error: NodeJS.ErrnoException | null, addresses: LookupAddress[]) => void,
) => void;

/**
 * A dispatcher that connects only to public addresses, unless private hosts are allowed. It checks
 * the address when it connects, so that a name cannot resolve to another address in between.
 */
export function createAlertDispatcher(options: {
  privateHosts: boolean;
  resolve?: Resolve;
}): Agent {
  const { privateHosts, resolve = resolveName } = options;
  const shared = { timeout: CONNECT_MILLISECONDS, allowH2: false };
  const connect = buildConnector(
    privateHosts ? shared : { ...shared, lookup: toPublicLookup(resolve) },
  );
  return new Agent({
    connections: CONNECTIONS_MAX,
    keepAliveTimeout: KEEP_ALIVE_MILLISECONDS,
    allowH2: false,
    connect: (target, callback) => {
      // Node does not look up literal addresses.
      const host = toHost(target.hostname);
      if (!privateHosts && isIP(host) !== 0 && !isPublicAddress(host)) callback(toRefusal(), null);
      else connect(target, callback);
    },
  });
}

/** Rejects if the host has no address. */
export function resolveHost(hostname: string, resolve: Resolve = resolveName): Promise<string[]> {
  const host = toHost(hostname);
  if (isIP(host) !== 0) return Promise.resolve([host]);
  return new Promise((fulfil, reject) => {
    resolve(host, { all: true }, (error, addresses) =>
      error === null ? fulfil(addresses.map(({ address }) => address)) : reject(error),
    );
  });
}

/**
 * Whether an address is public: IPv4 outside the special-purpose blocks (RFC 6890), IPv6 global
 * unicast (2000::/3) outside its own blocks. An IPv4 address inside an IPv6 one (mapped, or RFC
 * 6052) decides for itself.
 */
export function isPublicAddress(text: string): boolean {
  if (!ipaddr.isValid(text)) return false;
  const address = ipaddr.process(text);
  if (address.kind() === "ipv4") return address.range() === "unicast";
  const bytes = address.toByteArray();
  if (address.range() === "rfc6052")
    return ipaddr.fromByteArray(bytes.slice(-4)).range() === "unicast";
  const isGlobal = ((bytes[0] ?? 0) & 0xe0) === 0x20;
  return isGlobal && address.range() === "unicast";
}

/** Refuses a host with any address that is not public. */
function toPublicLookup(resolve: Resolve): LookupFunction {
  return (hostname, options, callback) => {
    resolve(hostname, { ...options, all: true }, (error, addresses) => {
      const [first] = error === null ? addresses : [];
      if (first === undefined) callback(error ?? toRefusal(), "");
      else if (!addresses.every(({ address }) => isPublicAddress(address)))
        callback(toRefusal(), "");
      else if (options.all === true) callback(null, addresses);
      else callback(null, first.address, first.family);
    });
  };
}

function toHost(hostname: string): string {
  return hostname.replace(/^\[(.*)\]$/, "$1");
}

function toRefusal(): NodeJS.ErrnoException {
  return Object.assign(new Error("the host is not on the public internet"), { code: NOT_PUBLIC });
}
