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
} from "../generator/settings/variables.ts";
import {
  parseTrustedProxies,
  TRUSTED_HOPS_MAX,
  type TrustedProxies,
} from "./limits/client-address.ts";
import { isBuiltSite } from "./site.ts";

/** The settings of the proxy, as {@link variables} describes them. */
export type Settings = ReturnType<typeof readSettings>;

const TRUST_FORM = `none, a number of hops from 1 to ${TRUSTED_HOPS_MAX}, or addresses and CIDR ranges separated by commas, with or without cloudflare: or cloudfront: before them`;
const VALKEY_FORM = "[[USER]:PASSWORD@]HOST[:PORT][/DATABASE]";

/** Every environment variable, its bounds and default. */
export const variables = z
  .object({
    PORT: wholeNumber({ ...PORT_RANGE, otherwise: 8080 }).describe(
      "where the proxy listens; 0: any free port",
    ),
    HOST: z.string().default("127.0.0.1").describe("the address it listens on"),
    TRUST_PROXY: z
      .string()
      .transform(parseTrustedProxies)
      .pipe(z.custom<TrustedProxies>((trusted) => trusted !== null, `must be ${TRUST_FORM}`))
      .default({ by: "nothing" })
      .describe(
        "whose X-Forwarded-For to trust: a number of hops, or addresses and CIDR ranges; " +
          "prefix these with cloudflare: or cloudfront: to trust that CDN's header",
      ),
    RATE_LIMIT_PER_MINUTE: wholeNumber({ min: 1, max: 1_000_000, otherwise: 60 }).describe(
      "requests a minute for each client",
    ),
    VALKEY_URL: z
      .string()
      .refine(
        isValkeyUrl,
        `must be valkey:// or redis://, with TLS valkeys:// or rediss://, and then ${VALKEY_FORM}, and nothing behind it`,
      )
      .nullable()
      .default(null)
      .describe(
        `server of Valkey or Redis that counts for several proxies: redis://${VALKEY_FORM}`,
      ),
    RUGWATCH_PUBLIC: readStoreUrl(PUBLIC_STORE).describe(
      "store of the public documents: file:DIR, s3://BUCKET/PREFIX or https://HOST/PATH",
    ),
    ...watchingVariables,
    LOG_REQUESTS: oneOf(["0", "1"], "0").describe("1: a line for each request"),
    DRAIN_SECONDS: wholeNumber({ min: 0, max: 300, otherwise: 0 }).describe(
      "time between a signal to stop and the last request taken, while /readyz says 503",
    ),
    SITE_DIR: z
      .string()
      .refine(
        isBuiltSite,
        "must be a directory with a built site: build it (npm run build:site), or unset this",
      )
      .nullable()
      .default(null)
      .describe(
        "directory of the built site (npm run build:site makes public/dist), to be served at /",
      ),
    ...rpcUrlVariables,
  })
  .refine(
    ({ PORT, HOST, METRICS_PORT, METRICS_HOST }) =>
      PORT === 0 || PORT !== METRICS_PORT || HOST !== METRICS_HOST,
    {
      path: ["METRICS_PORT"],
      message: "must differ from PORT: metrics are not public",
      when: () => true,
    },
  );

/**
 * Ports: 0 is any free one, null none.
 * @throws {SettingsError} with a line for every variable that is wrong
 */
export function readSettings(environment: Environment = process.env) {
  const read = parseVariables(variables, environment);
  const {
    MAINNET_RPC_URLS: mainnet,
    TESTNET_RPC_URLS: testnet,
    ALPENGLOW_RPC_URLS: alpenglow,
  } = read;
  return {
    port: read.PORT,
    host: read.HOST,
    trustedProxies: read.TRUST_PROXY,
    rateLimitPerMinute: read.RATE_LIMIT_PER_MINUTE,
    /** Never logged, like all of getSecrets. */
    valkeyUrl: read.VALKEY_URL,
    publicStore: read.RUGWATCH_PUBLIC,
    rpcUrls: { mainnet, testnet, alpenglow } satisfies Record<Network, string[]>,
    logLevel: read.LOG_LEVEL,
    logRequests: read.LOG_REQUESTS === "1",
    metricsPort: read.METRICS_PORT,
    metricsHost: read.METRICS_HOST,
    siteDirectory: read.SITE_DIR,
    drainSeconds: read.DRAIN_SECONDS,
  };
}

/** Returns the addresses that no log may hold: they have keys and passwords. */
export function getSecrets({ rpcUrls, publicStore, valkeyUrl }: Settings): string[] {
  const stores = publicStore.startsWith("file:") ? [] : [publicStore];
  return [...Object.values(rpcUrls).flat(), ...stores, ...(valkeyUrl === null ? [] : [valkeyUrl])];
}

/** Refuses what the client would ignore: users would believe that it works. */
function isValkeyUrl(text: string): boolean {
  try {
    const { protocol, username, password, hostname, pathname, search, hash } = new URL(text);
    decodeURIComponent(username + password);
    const isKnown = /^(?:redis|valkey)s?:$/.test(protocol) && /^\/?\d{0,5}$/.test(pathname);
    return (
      isKnown && hostname !== "" && search + hash === "" && (username === "" || password !== "")
    );
  } catch {
    return false;
  }
}
