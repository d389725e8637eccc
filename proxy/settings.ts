import { z } from "zod";
import type { Network } from "../generator/contract/networks.ts";
import {
  oneOf,
  parseVariables,
  PORT_RANGE,
  PUBLIC_STORE,
  readStoreUrl,
  rpcUrlVariables,
  watchingVariables,
  wholeNumber,
  type Environment,
  type LogLevel,
} from "../generator/settings/variables.ts";
import { parseTrustedProxies, TRUSTED_HOPS_MAX, type TrustedProxies } from "./limits/client-address.ts";
import { isBuiltSite } from "./site.ts";

/** The proxy's settings. */
export interface Settings {
  /** 0: any free port. */
  port: number;
  host: string;
  trustedProxies: TrustedProxies;
  rateLimitPerMinute: number;
  /** Where the limit is counted for several processes; null: each counts alone. */
  valkey: ValkeyAddress | null;
  /** The store of the public documents, as `openStore` takes it. */
  publicStore: string;
  /** JSON-RPC endpoints, preferred first. They may hold keys: never to be logged. */
  rpcUrls: Record<Network, string[]>;
  logLevel: LogLevel;
  /** Whether each request is logged. */
  logRequests: boolean;
  /** null: no metrics. 0: any free port. */
  metricsPort: number | null;
  metricsHost: string;
  /** Directory of the built site, served at `/`; null: only the API is served. */
  siteDirectory: string | null;
  /** How long requests are still taken after a signal to stop, while /readyz says that it is time to go elsewhere. */
  drainSeconds: number;
}

const RATE_LIMIT_MAX = 1_000_000;
const DRAIN_SECONDS_MAX = 300;

/** The environment variables of the proxy, with what `--help` says of each. */
export const variables = z
  .object({
    PORT: wholeNumber({ ...PORT_RANGE, otherwise: 8080 }).describe("where the proxy listens; 0: any free port"),
    HOST: z.string().default("127.0.0.1").describe("the address it listens on"),
    TRUST_PROXY: trustedProxies()
      .default({ by: "nothing" })
      .describe(
        "whose X-Forwarded-For to believe: a number of hops, or addresses and CIDR ranges; with cloudflare: or cloudfront: before these, whose header of that CDN",
      ),
    RATE_LIMIT_PER_MINUTE: wholeNumber({ min: 1, max: RATE_LIMIT_MAX, otherwise: 60 }).describe(
      "requests a minute for each client",
    ),
    VALKEY_URL: valkeyAddress()
      .nullable()
      .default(null)
      .describe(
        "server of Valkey or Redis that counts for several proxies: redis://[[USER]:PASSWORD@]HOST[:PORT][/DATABASE]",
      ),
    RUGWATCH_PUBLIC: readStoreUrl(PUBLIC_STORE).describe(
      "store of the public documents: file:DIR, s3://BUCKET/PREFIX or https://HOST/PATH",
    ),
    ...watchingVariables,
    LOG_REQUESTS: oneOf(["0", "1"], "0").describe("1: a line for each request"),
    DRAIN_SECONDS: wholeNumber({ min: 0, max: DRAIN_SECONDS_MAX, otherwise: 0 }).describe(
      "time between a signal to stop and the last request taken, while /readyz says 503",
    ),
    SITE_DIR: z
      .string()
      .refine(isBuiltSite, "must be a directory with a built site: build it (npm run build:site), or unset this")
      .nullable()
      .default(null)
      .describe("directory of the built site (npm run build:site makes public/dist), to be served at /"),
    ...rpcUrlVariables,
  })
  .refine(
    ({ PORT, HOST, METRICS_PORT, METRICS_HOST }) => PORT === 0 || PORT !== METRICS_PORT || HOST !== METRICS_HOST,
    {
      path: ["METRICS_PORT"],
      message: "must be another one than PORT: what is measured is not for everybody",
      // Also where other variables are wrong: all is told at once.
      when: () => true,
    },
  );

/**
 * The settings from environment variables.
 * @throws {SettingsError} with a line for every variable that is wrong
 */
export function readSettings(environment: Environment = process.env): Settings {
  const read = parseVariables(variables, environment);
  return {
    port: read.PORT,
    host: read.HOST,
    trustedProxies: read.TRUST_PROXY,
    rateLimitPerMinute: read.RATE_LIMIT_PER_MINUTE,
    valkey: read.VALKEY_URL,
    publicStore: read.RUGWATCH_PUBLIC,
    rpcUrls: { mainnet: read.MAINNET_RPC_URLS, testnet: read.TESTNET_RPC_URLS, alpenglow: read.ALPENGLOW_RPC_URLS },
    logLevel: read.LOG_LEVEL,
    logRequests: read.LOG_REQUESTS === "1",
    metricsPort: read.METRICS_PORT,
    metricsHost: read.METRICS_HOST,
    siteDirectory: read.SITE_DIR,
    drainSeconds: read.DRAIN_SECONDS,
  };
}

/** All of the settings that must not be seen, for a log to leave out. */
export function getSecrets({ rpcUrls, publicStore, valkey }: Settings): string[] {
  const stores = publicStore.startsWith("file:") ? [] : [publicStore];
  const valkeys = [valkey?.username, valkey?.password].filter((text) => text !== undefined);
  return [...Object.values(rpcUrls).flat(), ...stores, ...valkeys];
}

function trustedProxies() {
  const message = `must be none, a number of hops from 1 to ${TRUSTED_HOPS_MAX}, or addresses and CIDR ranges separated by commas, with or without cloudflare: or cloudfront: before them`;
  return z.string().transform((text, context) => {
    const trusted = parseTrustedProxies(text);
    if (trusted !== null) return trusted;
    context.addIssue(message);
    return z.NEVER;
  });
}

function valkeyAddress() {
  const form = "[[USER]:PASSWORD@]HOST[:PORT][/DATABASE], and nothing behind it";
  return z.string().transform((text, context) => {
    const address = parseValkeyAddress(text);
    if (address !== null) return address;
    context.addIssue(`must be valkey:// or redis://, with TLS valkeys:// or rediss://, and then ${form}`);
    return z.NEVER;
  });
}

/** A server of Valkey or Redis, and who we are there. Holds a password: never to be logged. */
export interface ValkeyAddress {
  host: string;
  port: number;
  tls: boolean;
  /** undefined: the default user. */
  username: string | undefined;
  /** undefined: none is asked for. */
  password: string | undefined;
  /** Number of the database on the server. */
  database: number;
}

const DEFAULT_PORT = 6379;
const TLS_BY_PROTOCOL = new Map([
  ["redis:", false],
  ["valkey:", false],
  ["rediss:", true],
  ["valkeys:", true],
]);

/**
 * Reads `redis://[[USER]:PASSWORD@]HOST[:PORT][/DATABASE]`, or the same with `rediss:` (TLS), `valkey:` or `valkeys:`; see
 * https://www.iana.org/assignments/uri-schemes/prov/redis. null: it is none. What the scheme does not know is refused, not
 * passed over: an option that does nothing would be taken for one that works.
 */
export function parseValkeyAddress(text: string): ValkeyAddress | null {
  if (!URL.canParse(text)) return null;
  const { protocol, username, password, hostname, port, pathname, search, hash } = new URL(text);
  const tls = TLS_BY_PROTOCOL.get(protocol);
  const database = /^\/?(\d{0,5})$/.exec(pathname)?.[1];
  if (tls === undefined || hostname === "" || database === undefined || search !== "" || hash !== "") return null;
  const [user, secret] = [decode(username), decode(password)];
  if (user === null || secret === null || (user !== "" && secret === "")) return null;
  return {
    host: hostname.replace(/^\[(.*)\]$/, "$1"),
    port: port === "" ? DEFAULT_PORT : Number(port),
    tls,
    username: user || undefined,
    password: secret || undefined,
    database: Number(database),
  };
}

function decode(text: string): string | null {
  try {
    return decodeURIComponent(text);
  } catch {
    return null;
  }
}
