import { DEFAULT_SITE_URL } from "../../generator/contract/site-url.ts";
import type { Settings } from "../../generator/settings/settings.ts";

/** Stores in memory; no endpoint, vendor, database or alert. */
export function makeSettings(changes: Partial<Settings>): Settings {
  return {
    publicStore: "memory:",
    stateStore: "memory:",
    rpcUrls: { mainnet: [], testnet: [], alpenglow: [] },
    mevUrls: { mainnet: null, testnet: null, alpenglow: null },
    checkSeconds: 60,
    stakeScanMinutes: 60,
    siteUrl: DEFAULT_SITE_URL,
    geo: { cityFile: null, asnFile: null },
    alerts: { targets: [], privateHosts: false },
    ...changes,
  };
}

/** Both stores in a directory. */
export const storesIn = (directory: string) => ({
  publicStore: `file:${directory}/public`,
  stateStore: `file:${directory}/state`,
});
