import { z } from "zod";
import type { Network } from "../generator/contract/networks.ts";
import {
  parseVariables,
  PUBLIC_STORE,
  readStoreUrl,
  rpcUrlVariables,
  wholeNumber,
  type Environment,
} from "../generator/contract/variables.ts";
import { parseTrustedProxies, TRUSTED_HOPS_MAX, type TrustedProxies } from "./limits/trusted-proxies.ts";

/** The proxy's settings. */
export interface Settings {
  /** 0: any free port. */
  port: number;
  host: string;
  trustedProxies: TrustedProxies;
  rateLimitPerMinute: number;
  /** The store of the public documents, as `openStore` takes it. */
  publicStore: string;
  /** JSON-RPC endpoints, preferred first. They may hold keys: never to be logged. */
  rpcUrls: Record<Network, string[]>;
}

const RATE_LIMIT_MAX = 1_000_000;

/** The environment variables of the proxy. */
export const variables = z.object({
  PORT: wholeNumber({ min: 0, max: 65_535, otherwise: 8080 }),
  HOST: z.string().default("127.0.0.1"),
  TRUST_PROXY: trustedProxies().default({ by: "nothing" }),
  RATE_LIMIT_PER_MINUTE: wholeNumber({ min: 1, max: RATE_LIMIT_MAX, otherwise: 60 }),
  RUGWATCH_PUBLIC: readStoreUrl(PUBLIC_STORE),
  ...rpcUrlVariables,
});

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
    publicStore: read.RUGWATCH_PUBLIC,
    rpcUrls: { mainnet: read.MAINNET_RPC_URLS, testnet: read.TESTNET_RPC_URLS, alpenglow: read.ALPENGLOW_RPC_URLS },
  };
}

function trustedProxies() {
  const message = `must be none, a number of hops from 1 to ${TRUSTED_HOPS_MAX}, or addresses and CIDR ranges separated by commas`;
  return z.string().transform((text, context) => {
    const trusted = parseTrustedProxies(text);
    if (trusted !== null) return trusted;
    context.addIssue(message);
    return z.NEVER;
  });
}
