import { NETWORKS, type Network } from "../../generator/contract/networks.ts";
import { FIRST_PAGE, PRICES, toDollars, type PriceName } from "./prices.ts";

/** What a day asks of the stores of one network, and what lies in them after years; all sizes in bytes. */
export interface StoreDay {
  /** PUTs, and pages of 1,000 keys listed. */
  writes: number;
  /** GETs and HEADs. */
  reads: number;
  /** What the generator reads while it runs on. */
  readBytes: number;
  /** What one more process reads before it can go on: the checkpoint, and an hour of entries. */
  coldStartBytes: number;
  /** Entries that are deleted once they are packed: a versioned bucket keeps them as older versions. */
  looseBytes: number;
  /** Checkpoints, manifests and leases put, which are overwritten or deleted: the same. */
  derivedBytes: number;
  publicBytes: number;
  /** Of a year. */
  stateBytes: number;
  /** How often there is something new, of which each proxy logs a line. */
  indexWrites: number;
}

export interface Counts {
  networks: Readonly<Record<Network, StoreDay>>;
  /** What an endpoint answers after years, on average, compressed. */
  answerBytes: number;
}

/** Assumed: how much a month is read. No service can know it before it is there. */
export const READERS = {
  firstPages: 100_000,
  /** By programs. */
  apiRequests: 1_000_000,
  /** Of those requests, and one of each page, so many in a hundred ask for what only the proxy can answer. */
  proxyPercent: 20,
};

/** A line of a bill. */
export interface Line {
  what: string;
  /** How much of it, in words. */
  much: string;
  dollars: number;
}

const DAYS_OF_YEAR = 365;
const DAYS_OF_MONTH = DAYS_OF_YEAR / 12;
const GIGABYTE = 1e9;
/** `generate run --for 25m`, one after the other. */
const COLD_STARTS_PER_DAY = (24 * 60) / 25;
const MINUTES_OF_MONTH = DAYS_OF_MONTH * 24 * 60;

/** Of the stack in infra/aws, which a test holds it to. */
export const STACK = { derivedKeptDays: 14, firewallRules: 3, proxyMegabytes: 1024, ageEveryMinutes: 5 };
/** Assumed of a call: much more than an answer takes, for what starts cold. */
const LAMBDA_SECONDS = 0.1;
/** Of a line of the proxy's log, with what CloudWatch counts beside it. Calls are not logged, see infra/aws/proxy-function.ts. */
const LOG_LINE_BYTES = 250;
/** A proxy that is asked all the time confirms the index of each network every 15 s. */
const INDEX_READS = ((DAYS_OF_MONTH * 86_400) / 15) * NETWORKS.length;

/** A month of all three networks, years from now, and of the readers assumed. */
interface Usage {
  writes: number;
  reads: number;
  /** Out of the state store, by a generator that starts anew every 25 minutes. */
  readGigabytes: number;
  publicGigabytes: number;
  stateGigabytes: number;
  /** Older versions in a state bucket that keeps them, after a year: of the journal all, of the rest those of some days. */
  versionGigabytes: number;
  /** A second copy of the journal, after a year, and what a month adds to it: loose entries stay there beside their packs. */
  copyGigabytes: number;
  copiedGigabytes: number;
  /** By one proxy that never sleeps. */
  logGigabytes: number;
  /** By readers, and what they get. */
  requests: number;
  proxyRequests: number;
  answerGigabytes: number;
}

export function toUsage({ networks, answerBytes }: Counts): Usage {
  const days = Object.values(networks);
  const sum = (part: keyof (typeof days)[number]) => days.reduce((total, day) => total + day[part], 0);
  const { firstPages, apiRequests, proxyPercent } = READERS;
  return {
    writes: sum("writes") * DAYS_OF_MONTH,
    reads: sum("reads") * DAYS_OF_MONTH,
    readGigabytes: ((sum("readBytes") + sum("coldStartBytes") * COLD_STARTS_PER_DAY) * DAYS_OF_MONTH) / GIGABYTE,
    publicGigabytes: sum("publicBytes") / GIGABYTE,
    stateGigabytes: sum("stateBytes") / GIGABYTE,
    versionGigabytes: (sum("looseBytes") * DAYS_OF_YEAR + sum("derivedBytes") * STACK.derivedKeptDays) / GIGABYTE,
    copyGigabytes: (sum("looseBytes") * DAYS_OF_YEAR + sum("stateBytes")) / GIGABYTE,
    copiedGigabytes: (sum("looseBytes") * DAYS_OF_MONTH) / GIGABYTE,
    logGigabytes: (sum("indexWrites") * DAYS_OF_MONTH * LOG_LINE_BYTES) / GIGABYTE,
    requests: firstPages * FIRST_PAGE.requests + apiRequests,
    proxyRequests: firstPages + (apiRequests * proxyPercent) / 100,
    answerGigabytes: (firstPages * FIRST_PAGE.bytes + apiRequests * answerBytes) / GIGABYTE,
  };
}

/** The stack of infra/aws, the generator in GitHub Actions of a public repository. */
export function billAws(usage: Usage): Line[] {
  const { publicGigabytes, stateGigabytes, versionGigabytes } = usage;
  const calls = usage.proxyRequests + MINUTES_OF_MONTH / STACK.ageEveryMinutes;
  return [
    toLine("S3: documents and journal written, listed", usage.writes, "s3Writes"),
    toLine("S3: read by the generator", usage.reads, "s3Reads"),
    toLine("S3: read by the CDN, as if it kept nothing", usage.requests, "s3Reads"),
    toLine("S3: read by one Lambda that never sleeps", INDEX_READS, "s3Reads"),
    toLine("S3: stored", publicGigabytes + stateGigabytes, "s3Storage"),
    toLine("S3: older versions of the state, after a year", versionGigabytes, "s3Storage"),
    toLine("S3: to a generator outside AWS, and to the copy", usage.readGigabytes + usage.copiedGigabytes, "s3Egress"),
    toLine("CloudFront: requests", usage.requests, "cloudFrontRequests"),
    toLine("CloudFront: to readers", usage.answerGigabytes, "cloudFrontEgress"),
    toLine("CloudFront: edge function", usage.requests, "cloudFrontFunctions"),
    toLine("WAF: web ACL", 1, "wafAcl"),
    toLine("WAF: rules", STACK.firewallRules, "wafRule"),
    toLine("WAF: requests", usage.requests, "wafRequests"),
    toLine("Lambda: calls", calls, "lambdaRequests"),
    toLine("Lambda: time", (calls * LAMBDA_SECONDS * STACK.proxyMegabytes) / 1024, "lambdaTime"),
    toLine("CloudWatch: metric of the data's age, by network", NETWORKS.length, "metrics"),
    toLine("CloudWatch: alarm on it", NETWORKS.length, "alarms"),
    toLine("CloudWatch: log of one Lambda that never sleeps", usage.logGigabytes, "logs"),
    toLine("R2: second copy of the journal, after a year", usage.copyGigabytes, "r2Storage"),
  ];
}

/** Buckets of R2; generator, proxy and nginx on one machine behind Cloudflare's CDN, free plan. */
export function billR2(usage: Usage): Line[] {
  return [
    toLine("R2: documents and journal written, listed", usage.writes, "r2Writes"),
    toLine("R2: read by the generator", usage.reads, "r2Reads"),
    toLine("R2: read by the proxy, as if nothing were kept", usage.requests + INDEX_READS, "r2Reads"),
    toLine("R2: stored", usage.publicGigabytes + usage.stateGigabytes, "r2Storage"),
    toLine("Machine", 1, "machine"),
    toLine("Machine: to readers, as if the CDN kept nothing", usage.answerGigabytes, "machineEgress"),
    toLine("S3: second copy of the journal, after a year", usage.copyGigabytes, "s3Storage"),
  ];
}

/** Everything on one machine, a second copy of the journal on R2. */
export function billOneMachine(usage: Usage): Line[] {
  return [
    toLine("Machine", 1, "machine"),
    toLine("Machine: to readers", usage.answerGigabytes, "machineEgress"),
    toLine("R2: second copy of the journal, after a year", usage.copyGigabytes, "r2Storage"),
  ];
}

/** What the generator costs where it runs. */
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
