import { Agent } from "undici";
import { observe } from "../../generator/service/observing.ts";
import { searchTransactions } from "../../generator/service/searching.ts";
import { createReport } from "../../generator/service/report.ts";
import { openContext, type Context } from "../../generator/service/context.ts";
import { readChainHistory } from "../../generator/service/transactions.ts";
import { CALLS_PER_SECOND } from "../../generator/settings/defaults.ts";
import { readSettings } from "../../generator/settings/settings.ts";
import { GENESIS_HASHES } from "../../generator/rpc/ranking.ts";
import { createObserver } from "../../generator/observe/observation.ts";
import { createCountedCalls, findMost, type CountedCall } from "./counted-calls.ts";
import { median, spentSince, sum, tellTime } from "./measuring.ts";
import { PLANNED_CLUSTER } from "./planning-size.ts";

export interface SweepProcessOptions {
  rpcUrls: string[];
  beginsAt: number;
  /** `snapshots`: ten minutes apart, only the first whole. `epochs`: of history. */
  read: { snapshots: number } | { epochs: number };
}

/** Without checks and snapshots. */
export interface SweepCost {
  calls: { host: string; method: string; count: number }[];
  /** To one endpoint in any ten seconds, checks and snapshots included. */
  most: { ofMethod: number; ofAll: number };
  searches: number;
  minutes: number;
  processorSeconds: number;
  entries: number;
  bytes: number;
  events: { inflation: number; proved: number };
  /** Medians per confirmed change; `calls` of one endpoint. */
  ofEvent: { calls: number; seconds: number; processorMilliseconds: number };
  covered: number;
}

// Public host names get the pace of public endpoints.

const STEP_MILLISECONDS = 600_000;
const { network } = PLANNED_CLUSTER;
const { rpcUrls, beginsAt, read } = JSON.parse(process.argv[2] ?? "") as SweepProcessOptions;

const counted = createCountedCalls();
let time = beginsAt;
let timeSince = 0;
const now = () => Math.floor(time + counted.timer() - timeSince);
const clock = { now, timer: counted.timer, sleepUntil: () => Promise.resolve() };

interface Reading {
  kind: "event" | "other";
  calls: CountedCall[];
  searches: number;
  milliseconds: number;
  processorMilliseconds: number;
}
const readings: Reading[] = [];
let processorMilliseconds = 0;

const context = await open();
await tellTime(time);
await observe(context, "snapshot", createReport("snapshot", network));
if ("epochs" in read) await readHistory(read.epochs);
else for (let count = 1; count < read.snapshots; count += 1) await step();
process.stdout.write(JSON.stringify(await toCost()));
await context.close();
process.disconnect();

async function open(): Promise<Context> {
  const settings = readSettings({ MAINNET_RPC_URLS: rpcUrls.join(","), MAINNET_MEV_URL: "none" });
  const stores = { publicStore: "memory:", stateStore: "memory:" };
  const opened = await openContext({
    network,
    settings: { ...settings, ...stores },
    clock,
    locations: null,
    newSeries: false,
  });
  const dispatcher = new Agent({
    connect: {
      lookup: (_host, _options, done) => done(null, [{ address: "127.0.0.1", family: 4 }]),
    },
  });
  const observer = createObserver({
    network,
    endpoints: rpcUrls.map((url, place) =>
      url.replace("127.0.0.1", `endpoint-${place + 1}.example`),
    ),
    mevUrl: null,
    locations: null,
    genesis: GENESIS_HASHES[network],
    now,
    timer: counted.timer,
    sleep: counted.sleep,
    dispatcher,
  });
  const transactions: typeof observer.transactions = async (request) => {
    const [begin, beganAt, before] = [counted.calls.length, counted.timer(), process.cpuUsage()];
    const observed = await observer.transactions(request);
    readings.push({
      kind: request.searches.length === 1 ? "event" : "other",
      calls: counted.calls.slice(begin),
      searches: request.searches.length,
      milliseconds: counted.timer() - beganAt,
      processorMilliseconds: spentSince(before),
    });
    return observed;
  };
  return { ...opened, observer: { ...observer, transactions }, close: () => dispatcher.destroy() };
}

/** A check stands in for the snapshot, whose searches follow. */
async function step(): Promise<void> {
  const used = counted.timer() - timeSince;
  counted.pass(Math.max(0, STEP_MILLISECONDS - used));
  time += STEP_MILLISECONDS;
  timeSince = counted.timer();
  await tellTime(time);
  const report = createReport("check", network);
  await observe(context, "check", report);
  if (report.unread !== undefined) throw new Error(report.unread);
  const before = process.cpuUsage();
  const searched = await searchTransactions(context, {
    kind: "snapshot",
    since: new Date(time).toISOString(),
  });
  if (searched?.passed === false) throw new Error(searched.reason);
  if (searched !== null) await context.journal.append(searched.entry);
  await context.projection.refresh();
  processorMilliseconds += spentSince(before);
}

async function readHistory(epochs: number): Promise<void> {
  const before = process.cpuUsage();
  const { stopped } = await readChainHistory(context, createReport("transactions", network), {
    epochs,
    callsPerSecond: CALLS_PER_SECOND,
    signal: new AbortController().signal,
    onProgress: () => undefined,
  });
  if (stopped !== null) throw new Error(stopped);
  processorMilliseconds += spentSince(before);
}

async function toCost(): Promise<SweepCost> {
  const calls = readings.flatMap((reading) => reading.calls);
  const byMethod = Map.groupBy(calls, ({ host, method }) => `${host} ${method}`);
  const ofEvents = readings.filter(({ kind }) => kind === "event");
  const inflation = context.projection
    .ledger()
    .events.filter(({ source }) => source === "COMMISSION");
  const entries = await Array.fromAsync(context.stateStore.list("journal/"));
  const ours = entries.filter(({ key }) => key.includes("-transactions-"));
  const ofOne = ({ calls: own }: Reading) => own.length / rpcUrls.length;
  return {
    calls: [...byMethod.values()].flatMap(([first, ...others]) =>
      first === undefined
        ? []
        : [{ host: first.host, method: first.method, count: 1 + others.length }],
    ),
    most: findMost(counted.calls),
    searches: sum(readings.map(({ searches }) => searches)),
    minutes: sum(readings.map(({ milliseconds }) => milliseconds)) / 60_000,
    processorSeconds: processorMilliseconds / 1000,
    entries: ours.length,
    bytes: sum(ours.map(({ size }) => size)),
    events: {
      inflation: inflation.length,
      proved: inflation.filter(({ transaction }) => transaction !== null).length,
    },
    ofEvent: {
      calls: median(ofEvents.map(ofOne)),
      seconds: median(ofEvents.map(({ milliseconds }) => milliseconds)) / 1000,
      processorMilliseconds: median(ofEvents.map((one) => one.processorMilliseconds)),
    },
    covered: [...context.projection.ledger().searches.values()].filter(
      ({ outcome }) => outcome === "covered",
    ).length,
  };
}
