import { z } from "zod";
import { DEFAULT_RPC_URLS } from "./defaults.ts";
import { parseHttpsAddress } from "../contract/https-address.ts";
import type { Network } from "../contract/networks.ts";
import { parseS3Address } from "../contract/s3-address.ts";

/* Operators rely on the names of the variables: do not rename them. */

/** Some variables are unusable. The message has one line for each and never shows a secret. */
export class SettingsError extends Error {
  override readonly name = "SettingsError";
}

/** Environment variables, as `process.env` has them. */
export type Environment = Readonly<Record<string, string | undefined>>;

/** Default of `RUGWATCH_PUBLIC`, for generator and proxy. */
export const PUBLIC_STORE = "file:.data/public";

/**
 * The variables of JSON-RPC endpoints, shared by generator and proxy. Each parses to addresses,
 * preferred first; to no address if nobody watches the network.
 */
export const rpcUrlVariables = {
  MAINNET_RPC_URLS: rpcUrls("mainnet"),
  TESTNET_RPC_URLS: rpcUrls("testnet"),
  ALPENGLOW_RPC_URLS: rpcUrls("alpenglow"),
};

/** Ports that a variable may name; 0: any free port. */
export const PORT_RANGE = { min: 0, max: 65_535 };

/** Levels of `LOG_LEVEL`, lowest first. */
export const LOG_LEVELS = ["info", "warn", "error"] as const;
/** The least level that is logged. */
export type LogLevel = (typeof LOG_LEVELS)[number];

/** The variables of log and metrics, shared by generator and proxy. */
export const watchingVariables = {
  LOG_LEVEL: oneOf(LOG_LEVELS, "info").describe("least level that is logged: info, warn or error"),
  METRICS_PORT: wholeNumberText(PORT_RANGE)
    .nullable()
    .default(null)
    .describe("where Prometheus finds /metrics"),
  METRICS_HOST: z
    .string()
    .default("127.0.0.1")
    .describe("the address that the metrics are served on"),
};

/** No message repeats the value of a variable with such a name. */
const MAY_HOLD_SECRETS = /_URLS?$|^RUGWATCH_|^ALERT_WEBHOOKS$/;
/** A path holds no secret, unlike an address with a user or a query. */
const PATH = /^(?:file:|\.{0,2}\/)[^:@?]*$/;

/**
 * Parses the variables that a schema names. An empty variable counts as unset.
 * @throws {SettingsError} with a line for every variable that is wrong
 */
export function parseVariables<Shape extends z.ZodRawShape>(
  schema: z.ZodObject<Shape>,
  environment: Environment,
) {
  const given = Object.fromEntries(Object.entries(environment).filter(([, value]) => value !== ""));
  const parsed = schema.safeParse(given);
  if (parsed.success) return parsed.data;
  throw new SettingsError(parsed.error.issues.map((issue) => describe(issue, given)).join("\n"));
}

/**
 * Returns one line a variable with its description and default, aligned, for the help of a command.
 */
export function describeVariables({ shape }: z.ZodObject): string {
  const rows = Object.entries<z.ZodType>(shape);
  const width = Math.max(...rows.map(([name]) => name.length));
  const toRow = ([name, schema]: [string, z.ZodType]) =>
    `  ${name.padEnd(width)}  ${schema.description ?? ""} (default: ${toDefault(schema)})`;
  return rows.map(toRow).join("\n");
}

function toDefault(schema: z.ZodType): string {
  const { defaultValue = null } = schema.def as { defaultValue?: unknown };
  if (typeof defaultValue === "string" || typeof defaultValue === "number")
    return String(defaultValue);
  if (Array.isArray(defaultValue) && defaultValue.length > 0) return defaultValue.join(",");
  return defaultValue === null || Array.isArray(defaultValue) ? "unset" : "none";
}

/**
 * Makes a schema of a whole number from `min` to `max`, both included; at most nine digits.
 * `otherwise` is the default.
 */
export function wholeNumber({
  otherwise,
  ...range
}: {
  min: number;
  max: number;
  otherwise: number;
}) {
  return wholeNumberText(range).default(otherwise);
}

function wholeNumberText({ min, max }: { min: number; max: number }) {
  const isInRange = (text: string) =>
    /^\d{1,9}$/.test(text) && min <= Number(text) && Number(text) <= max;
  return z
    .string()
    .refine(isInRange, `must be a whole number from ${min} to ${max}`)
    .transform(Number);
}

/** Makes a schema of one of some words. `otherwise` is the default. */
export function oneOf<const Values extends readonly [string, ...string[]]>(
  values: Values,
  otherwise: Values[number],
) {
  const message = `must be ${values.slice(0, -1).join(", ")} or ${values.at(-1)}`;
  return z.enum(values, message).default(otherwise as z.util.NoUndefined<Values[number]>);
}

/**
 * Makes a schema of a store that is written: `file:DIR`, `s3://BUCKET/PREFIX` or, for tests,
 * `memory:`. `otherwise` is the default.
 */
export function storeUrl(otherwise: string) {
  return storeAddress(otherwise, findStoreFault);
}

/**
 * Makes a schema of a store that is only read: also `https://HOST/PATH`, a web server or CDN.
 * `otherwise` is the default.
 */
export function readStoreUrl(otherwise: string) {
  return storeAddress(otherwise, findReadStoreFault);
}

function storeAddress(otherwise: string, findFault: (url: string) => string | null) {
  return z
    .string()
    .superRefine((url, context) => {
      const fault = findFault(url);
      if (fault !== null) context.addIssue({ code: "custom", message: fault });
    })
    .default(otherwise);
}

function findStoreFault(url: string): string | null {
  if (isLocalStore(url)) return null;
  if (url.startsWith("s3:")) return findS3Fault(url);
  return `must be file:DIR or s3://BUCKET/PREFIX${/^https?:/.test(url) ? ": what lies behind https:// can only be read" : ""}`;
}

function findReadStoreFault(url: string): string | null {
  if (isLocalStore(url)) return null;
  if (url.startsWith("s3:")) return findS3Fault(url);
  if (!/^https?:/.test(url)) return "must be file:DIR, s3://BUCKET/PREFIX or https://HOST/PATH";
  return complaintOf(() => parseHttpsAddress(url), "must be https://HOST/PATH");
}

function isLocalStore(url: string): boolean {
  return /^(?:memory:$|file:.)/.test(url);
}

function findS3Fault(url: string): string | null {
  return complaintOf(
    () => parseS3Address(url),
    "must be s3://BUCKET/PREFIX, with or without the prefix",
  );
}

function complaintOf(parse: () => unknown, rule: string): string | null {
  try {
    parse();
    return null;
  } catch (error) {
    return `${rule}. ${(error as Error).message.replace(/\.$/, "")}`;
  }
}

/** Makes a schema of an http or https address, or null for `none`. `otherwise` is the default. */
export function urlOrNone(otherwise: string | null) {
  return z
    .string()
    .refine(
      (text) => text === "none" || isHttpUrl(text),
      "must be an http or https address, or none",
    )
    .transform((text) => (text === "none" ? null : text))
    .default(otherwise);
}

function rpcUrls(network: Network) {
  return z
    .string()
    .transform((text) => (text === "none" ? [] : text.split(",").map((url) => url.trim())))
    .refine(
      (list) => list.every(isHttpUrl),
      "must be http or https addresses separated by commas, or none",
    )
    .default([...DEFAULT_RPC_URLS[network]])
    .describe(
      `JSON-RPC endpoints of ${network}, comma separated, preferred first; none: nobody watches it`,
    );
}

function describe({ path, message }: z.core.$ZodIssue, environment: Environment): string {
  const name = String(path[0]);
  const text = environment[name] ?? "";
  const isPublic =
    !MAY_HOLD_SECRETS.test(name) || (name.startsWith("RUGWATCH_") && PATH.test(text));
  const value = isPublic ? JSON.stringify(text) : "(not shown)";
  return `${name} is ${value}: it ${message}.`;
}

function isHttpUrl(text: string): boolean {
  return URL.canParse(text) && ["http:", "https:"].includes(new URL(text).protocol);
}
