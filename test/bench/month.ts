import { NETWORKS, type Network } from "../../generator/contract/networks.ts";
import { FIRST_PAGE, PRICES, toDollars, type PriceName } from "./prices.ts";

export interface StoreDay {
  /** PUTs, and listed pages of 1,000 keys. */
  writes: number;
  /** GETs and HEADs. */
  reads: number;
  readBytes: number;
  /** By one more process: a checkpoint and an hour of entries. */
  coldStartBytes: number;
  looseBytes: number;
  /** Checkpoints, manifests and leases; a versioned bucket keeps them too. */
  derivedBytes: number;
  publicBytes: number;
  /** Of a year. */
  stateBytes: number;
  /** Each makes each proxy log a line. */
  indexWrites: number;
}

export interface Counts {
  networks: Readonly<Record<Network, StoreDay>>;
  /** An endpoint's average answer after years, compressed. */
  answerBytes: number;
}

export const READERS = {
  firstPages: 100_000,
  apiRequests: 1_000_000,
  /** Of those requests and one of each page, the percentage that only the proxy can answer. */
  proxyPercent: 20,
};

export interface Line {
  what: string;
  much: string;
  dollars: number;
}

const DAYS_OF_YEAR = 365;
const DAYS_OF_MONTH = DAYS_OF_YEAR / 12;
const GIGABYTE = 1e9;
/** `generate run --for 25m` in a row. */
const COLD_STARTS_PER_DAY = (24 * 60) / 25;
const MINUTES_OF_MONTH = DAYS_OF_MONTH * 24 * 60;

/** infra/aws; a test compares them. */
export const STACK = {
  derivedKeptDays: 14,
  firewallRules: 3,
  proxyMegabytes: 1024,
  ageEveryMinutes: 1,
  /** Age and problems of each network. */
  metrics: 2 * NETWORKS.length,
  /** On these, on errors of proxy and CDN, and on the cost. */
  alarms: 2 * NETWORKS.length + 3,
};
/** Assumed per call: generous, for cold starts. */
const LAMBDA_SECONDS = 0.1;
/** With CloudWatch's overhead. infra/aws/proxy-function.ts turns call logs off. */
const LOG_LINE_BYTES = 250;
/** A busy proxy confirms each network's index every 15 s. */
const INDEX_READS = ((DAYS_OF_MONTH * 86_400) / 15) * NETWORKS.length;

interface Usage {
  writes: number;
  reads: number;
  /** By a generator that restarts every 25 minutes. */
  readGigabytes: number;
  publicGigabytes: number;
  stateGigabytes: number;
  /** After a year: all of the journal, some days of the rest. */
  versionGigabytes: number;
  /** After a year, and a month's growth; the copy keeps loose entries beside packs. */
  copyGigabytes: number;
  copiedGigabytes: number;
  logGigabytes: number;
  requests: number;
  proxyRequests: number;
  answerGigabytes: number;
}

export function toUsage({ networks, answerBytes }: Counts): Usage {
  const days = Object.values(networks);
  const sum = (part: keyof (typeof days)[number]) =>
    days.reduce((total, day) => total + day[part], 0);
  const { firstPages, apiRequests, proxyPercent } = READERS;
  return {
    writes: sum("writes") * DAYS_OF_MONTH,
    reads: sum("reads") * DAYS_OF_MONTH,
    readGigabytes:
      ((sum("readBytes") + sum("coldStartBytes") * COLD_STARTS_PER_DAY) * DAYS_OF_MONTH) / GIGABYTE,
    publicGigabytes: sum("publicBytes") / GIGABYTE,
    stateGigabytes: sum("stateBytes") / GIGABYTE,
    versionGigabytes:
      (sum("looseBytes") * DAYS_OF_YEAR + sum("derivedBytes") * STACK.derivedKeptDays) / GIGABYTE,
    copyGigabytes: (sum("looseBytes") * DAYS_OF_YEAR + sum("stateBytes")) / GIGABYTE,
    copiedGigabytes: (sum("looseBytes") * DAYS_OF_MONTH) / GIGABYTE,
    logGigabytes: (sum("indexWrites") * DAYS_OF_MONTH * LOG_LINE_BYTES) / GIGABYTE,
    requests: firstPages * FIRST_PAGE.requests + apiRequests,
    proxyRequests: firstPages + (apiRequests * proxyPercent) / 100,
    answerGigabytes: (firstPages * FIRST_PAGE.bytes + apiRequests * answerBytes) / GIGABYTE,
  };
}

export function billAws(usage: Usage): Line[] {
  const { publicGigabytes, stateGigabytes, versionGigabytes } = usage;
  const calls = usage.proxyRequests + MINUTES_OF_MONTH / STACK.ageEveryMinutes;
  return [
    toLine("S3: documents and journal written, listed", usage.writes, "s3Writes"),
    toLine("S3: read by the generator", usage.reads, "s3Reads"),
    toLine("S3: read by the CDN, without its cache", usage.requests, "s3Reads"),
    toLine("S3: read by one busy Lambda", INDEX_READS, "s3Reads"),
    toLine("S3: stored", publicGigabytes + stateGigabytes, "s3Storage"),
    toLine("S3: older versions of the state, after a year", versionGigabytes, "s3Storage"),
    toLine(
      "S3: to a generator outside AWS, and to the copy",
      usage.readGigabytes + usage.copiedGigabytes,
      "s3Egress",
    ),
    toLine("CloudFront: requests", usage.requests, "cloudFrontRequests"),
    toLine("CloudFront: to readers", usage.answerGigabytes, "cloudFrontEgress"),
    toLine("CloudFront: edge function", usage.requests, "cloudFrontFunctions"),
    toLine("WAF: web ACL", 1, "wafAcl"),
    toLine("WAF: rules", STACK.firewallRules, "wafRule"),
    toLine("WAF: requests", usage.requests, "wafRequests"),
    toLine("Lambda: calls", calls, "lambdaRequests"),
    toLine("Lambda: time", (calls * LAMBDA_SECONDS * STACK.proxyMegabytes) / 1024, "lambdaTime"),
    toLine("CloudWatch: metrics of each network", STACK.metrics, "metrics"),
    toLine("CloudWatch: alarms", STACK.alarms, "alarms"),
    toLine("CloudWatch: log of one busy Lambda", usage.logGigabytes, "logs"),
    toLine("R2: second copy of the journal, after a year", usage.copyGigabytes, "r2Storage"),
  ];
}

export function billR2(usage: Usage): Line[] {
  return [
    toLine("R2: documents and journal written, listed", usage.writes, "r2Writes"),
    toLine("R2: read by the generator", usage.reads, "r2Reads"),
    toLine("R2: read by the proxy, without any cache", usage.requests + INDEX_READS, "r2Reads"),
    toLine("R2: stored", usage.publicGigabytes + usage.stateGigabytes, "r2Storage"),
    toLine("Machine", 1, "machine"),
    toLine("Machine: to readers, without the CDN's cache", usage.answerGigabytes, "machineEgress"),
    toLine("S3: second copy of the journal, after a year", usage.copyGigabytes, "s3Storage"),
  ];
}

export function billOneMachine(usage: Usage): Line[] {
  return [
    toLine("Machine", 1, "machine"),
    toLine("Machine: to readers", usage.answerGigabytes, "machineEgress"),
    toLine("R2: second copy of the journal, after a year", usage.copyGigabytes, "r2Storage"),
  ];
}

export function billGenerator(): Line[] {
  return [
    toLine("GitHub Actions, private repository", MINUTES_OF_MONTH, "actionsMinutes"),
    toLine("A machine of its own", 1, "machine"),
  ];
}

function toLine(what: string, units: number, name: PriceName): Line {
  return { what, much: toMuch(units, name), dollars: toDollars(name, units) };
}

function toMuch(units: number, name: PriceName): string {
  const { unit } = PRICES[name];
  if (unit === "pieces") return String(units);
  if (units >= 1e6) return `${(units / 1e6).toFixed(2)} million ${unit}`;
  return `${units.toLocaleString("en", { maximumFractionDigits: units < 100 ? 1 : 0 })} ${unit}`;
}
