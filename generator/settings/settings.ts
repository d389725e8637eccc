import { relative, resolve } from "node:path";
import { z } from "zod";
import { NETWORKS, type Network } from "../contract/networks.ts";
import { DEFAULT_MEV_URLS } from "./defaults.ts";
import { findMisspelt } from "./misspelt.ts";
import { alertTargets, findHttpFaults, type AlertSettings } from "./alerts.ts";
import { DEFAULT_SITE_URL, parseSiteUrl } from "../contract/site-url.ts";
import { parseS3Address } from "../contract/s3-address.ts";
import {
  parseVariables,
  PUBLIC_STORE,
  rpcUrlVariables,
  SettingsError,
  storeUrl,
  urlOrNone,
  watchingVariables,
  wholeNumber,
  type Environment,
  type LogLevel,
} from "./variables.ts";

/** What the environment configures. Addresses may hold keys: never log one. */
export interface Settings {
  /** Store of the published objects. */
  publicStore: string;
  /** Store of journal, checkpoints, manifest and lease; never public. */
  stateStore: string;
  /** Empty: nobody watches that network. */
  rpcUrls: Record<Network, string[]>;
  /** Base addresses without `/api/v1`; null: MEV comes from the chain alone. */
  mevUrls: Record<Network, string | null>;
  /** Seconds between two checks of `run`, 5 to 60. */
  checkSeconds: number;
  /** Least minutes between two scans of the stake accounts; 0: at every snapshot. */
  stakeScanMinutes: number;
  /** Address of the site, without a trailing slash. */
  siteUrl: string;
  /** MaxMind-format files; null: locations stay unknown. */
  geo: { cityFile: string | null; asnFile: string | null };
  alerts: AlertSettings;
}

const files = z
  .string()
  .refine(
    (text) => text.split(",").every((file) => file.trim() !== ""),
    "must be paths of files, separated by commas",
  )
  .nullable()
  .default(null);

/**
 * The vendor's documentation shows addresses with `/api/v1`. Pasted like that, every call would
 * fail.
 */
const mevUrl = (otherwise: string) =>
  urlOrNone(otherwise).refine(
    (url) => !/\/api\/v1\/?$/.test(url ?? ""),
    "must be the address without /api/v1",
  );

const siteUrl = z
  .string()
  .refine(
    (text) => parseSiteUrl(text) !== null,
    "must be an http or https address without credentials, query or fragment",
  )
  .transform((text) => parseSiteUrl(text) ?? text)
  .default(DEFAULT_SITE_URL);

/** The variables of the generator by name, with their schemas. */
export const variables = z.object({
  RUGWATCH_PUBLIC: storeUrl(PUBLIC_STORE),
  RUGWATCH_STATE: storeUrl("file:.data/state"),
  ...rpcUrlVariables,
  MAINNET_MEV_URL: mevUrl(DEFAULT_MEV_URLS.mainnet),
  TESTNET_MEV_URL: mevUrl(DEFAULT_MEV_URLS.testnet),
  RUGWATCH_SITE_URL: siteUrl,
  CHECK_SECONDS: wholeNumber({ min: 5, max: 60, otherwise: 60 }),
  STAKE_SCAN_MINUTES: wholeNumber({ min: 0, max: 10_080, otherwise: 60 }),
  GEO_CITY_MMDB: files,
  GEO_ASN_MMDB: files,
  ALERT_WEBHOOKS: alertTargets,
  ALERT_PRIVATE_HOSTS: z
    .enum(["allow", "refuse"], { error: "must be allow or refuse" })
    .default("refuse")
    .transform((value) => value === "allow"),
  ...watchingVariables,
});

/**
 * Reads the generator's settings.
 * @throws {SettingsError} with a line for every variable that is wrong, and if one store lies in
 * the other
 */
export function readSettings(environment: Environment = process.env): Settings {
  const read = parseVariables(variables, environment);
  if (isWithinStore(read.RUGWATCH_STATE, read.RUGWATCH_PUBLIC))
    throw new SettingsError(
      "RUGWATCH_STATE is the store of RUGWATCH_PUBLIC, or lies in it: the state must never " +
        "be public.",
    );
  if (isWithinStore(read.RUGWATCH_PUBLIC, read.RUGWATCH_STATE))
    throw new SettingsError(
      "RUGWATCH_PUBLIC lies in the store of RUGWATCH_STATE: published objects would be among " +
        "the state's own.",
    );
  const alerts = { targets: read.ALERT_WEBHOOKS, privateHosts: read.ALERT_PRIVATE_HOSTS };
  const faults = findHttpFaults(alerts);
  if (faults.length > 0) throw new SettingsError(faults.join("\n"));
  return {
    publicStore: read.RUGWATCH_PUBLIC,
    stateStore: read.RUGWATCH_STATE,
    rpcUrls: {
      mainnet: read.MAINNET_RPC_URLS,
      testnet: read.TESTNET_RPC_URLS,
      alpenglow: read.ALPENGLOW_RPC_URLS,
    },
    mevUrls: { mainnet: read.MAINNET_MEV_URL, testnet: read.TESTNET_MEV_URL, alpenglow: null },
    checkSeconds: read.CHECK_SECONDS,
    stakeScanMinutes: read.STAKE_SCAN_MINUTES,
    siteUrl: read.RUGWATCH_SITE_URL,
    geo: { cityFile: read.GEO_CITY_MMDB, asnFile: read.GEO_ASN_MMDB },
    alerts,
  };
}

/** How the generator is watched: log and metrics. */
export interface Watching {
  logLevel: LogLevel;
  /** Port of the metrics under `run`. null: no metrics. 0: any free port. */
  metricsPort: number | null;
  metricsHost: string;
}

/**
 * Reads how the generator is watched.
 * @throws {SettingsError} with a line for every variable that is wrong, also of the others
 */
export function readWatching(environment: Environment = process.env): Watching {
  const read = parseVariables(variables, environment);
  return {
    logLevel: read.LOG_LEVEL,
    metricsPort: read.METRICS_PORT,
    metricsHost: read.METRICS_HOST,
  };
}

/**
 * Does not follow symbolic links. Buckets of one name are the same bucket, because there is only
 * one S3 endpoint.
 */
function isWithinStore(inner: string, outer: string): boolean {
  if (inner.startsWith("s3:") && outer.startsWith("s3:")) {
    const [innerAddress, outerAddress] = [parseS3Address(inner), parseS3Address(outer)];
    return (
      innerAddress.bucket === outerAddress.bucket &&
      innerAddress.prefix.startsWith(outerAddress.prefix)
    );
  }
  const [innerDirectory, outerDirectory] = [toDirectory(inner), toDirectory(outer)];
  if (innerDirectory === null || outerDirectory === null) return inner === outer;
  const path = relative(outerDirectory, innerDirectory);
  return path !== ".." && !path.startsWith("../");
}

/** Returns the absolute directory of a `file:` store; null for any other kind. */
export function toDirectory(storeUrl: string): string | null {
  return storeUrl.startsWith("file:") ? resolve(storeUrl.slice("file:".length)) : null;
}

/** What `doctor` says about the environment. */
export interface SettingsDiagnosis {
  set: string[];
  /** Variables that nothing reads, with the one that was probably meant. */
  misspelt: { name: string; meant: string }[];
  /** null: unusable; `complaints` says why. */
  settings: Settings | null;
  /** A line for every variable that is wrong. */
  complaints: string[];
}

/** Reads the settings without throwing on wrong ones, for `doctor`. */
export function diagnoseSettings(environment: Environment = process.env): SettingsDiagnosis {
  const isSet = (name: string) => (environment[name] ?? "") !== "";
  const names = Object.keys(variables.shape);
  const presence = {
    set: names.filter(isSet),
    misspelt: findMisspelt(Object.keys(environment).filter(isSet), names),
  };
  try {
    return { ...presence, settings: readSettings(environment), complaints: [] };
  } catch (error) {
    if (!(error instanceof SettingsError)) throw error;
    return { ...presence, settings: null, complaints: error.message.split("\n") };
  }
}

/**
 * Reads the settings of the demo: stores of its own by default, and no alerts. The site's address
 * follows `PORT`.
 * @param directory of stores that no variable names
 * @throws {SettingsError} with a line for every variable that is wrong
 */
export function readDemoSettings(
  directory: string,
  environment: Environment = process.env,
): Settings {
  const port = environment["PORT"] ?? "";
  const apart = {
    RUGWATCH_PUBLIC: `file:${directory}/public`,
    RUGWATCH_STATE: `file:${directory}/state`,
    ...(/^\d+$/.test(port) && { RUGWATCH_SITE_URL: `http://localhost:${port}` }),
  };
  const given = Object.entries(environment).filter(([, value]) => value !== "");
  // Demo events are not real, so nobody is alerted.
  return readSettings({ ...apart, ...Object.fromEntries(given), ALERT_WEBHOOKS: "" });
}

/**
 * Returns the networks that the flag `--network` means, in the order of `NETWORKS`; `all` are
 * those that are watched.
 * @throws {SettingsError} if none is
 */
export function toNetworks(
  flag: Network | "all",
  { rpcUrls }: Pick<Settings, "rpcUrls">,
): readonly Network[] {
  if (flag !== "all") return [flag];
  const watched = NETWORKS.filter((network) => rpcUrls[network].length > 0);
  if (watched.length > 0) return watched;
  throw new SettingsError(
    `${NETWORKS.map(toRpcVariable).join(", ")} are none: no network is watched.`,
  );
}

/**
 * For what asks the cluster, not the journal.
 * @throws {SettingsError} if nobody watches the network that the flag names
 */
export function assertWatched(flag: Network | "all", { rpcUrls }: Pick<Settings, "rpcUrls">): void {
  if (flag === "all" || rpcUrls[flag].length > 0) return;
  throw new SettingsError(
    `${toRpcVariable(flag)} is none: ${flag} is not watched. Give it endpoints, or choose another network.`,
  );
}

function toRpcVariable(network: Network): string {
  return `${network.toUpperCase()}_RPC_URLS`;
}
