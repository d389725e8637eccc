import { createRandom } from "./random.ts";
import { createSeen, listPaths, runClient, warmUp, type Seen } from "./proxy-under-fire/client.ts";
import { HELP, parseFlags, type Flags } from "./proxy-under-fire/flags.ts";
import { createFreshness } from "./proxy-under-fire/freshness.ts";
import { makeForeignIndex, makeGeneration } from "./proxy-under-fire/generations.ts";
import { runLoad, type LoadResult } from "./proxy-under-fire/load.ts";
import { startProxyProcess, type ProxyProcess } from "./proxy-under-fire/proxy-process.ts";
import { startStoreServer, type StoreServer } from "./proxy-under-fire/store-server.ts";
import { startWeather } from "./proxy-under-fire/weather.ts";

const CLIENTS = 4;
/** Lines of log a minute: a network and the documents begin to fail, are well again, and the cluster is silent. */
const LINES_PER_MINUTE_MAX = 30;
/** Percent of its resident memory that the proxy may grow by in the second half: by the first its places are full. */
const GROWTH_MAX_PERCENT = 15;
const now = () => Date.now();

process.exitCode = await main();

async function main(): Promise<number> {
  const flags = readFlags();
  if (flags === null) return say(HELP);
  if (typeof flags === "string") return say(flags, 2);
  const store = await startStoreServer();
  const index = publish(store, 1, flags);
  const proxy = await startProxyProcess(store.url);
  try {
    return await fire({ flags, store, proxy, index });
  } finally {
    if (proxy.exitCode() === undefined) await proxy.stop();
    await store.close();
  }
}

interface Stage {
  flags: Flags;
  store: StoreServer;
  proxy: ProxyProcess;
  /** The first one published. */
  index: ReturnType<typeof publish>;
}

async function fire({ flags, store, proxy, index }: Stage): Promise<number> {
  const { minutes, connections, seed, validators, publishSeconds } = flags;
  await warmUp(proxy.url);
  const memoryAtStart = await proxy.getMemory();
  const linesAtStart = proxy.lines.length;
  const weather = startWeather(store, { random: createRandom(seed), now });
  const freshness = createFreshness({ now, upSince: weather.upSince });
  store.setIndex("foreign", makeForeignIndex(now()));
  let generation = 1;
  let before = index;
  freshness.published(generation);
  const publisher = setInterval(() => {
    store.setIndex("older", before);
    before = publish(store, ++generation, flags);
    freshness.published(generation);
  }, publishSeconds * 1_000);

  const seen = createSeen();
  const stop = new AbortController();
  const { url } = proxy;
  const clients = Array.from({ length: CLIENTS }, (_, n) =>
    runClient(seen, stop.signal, { url, random: createRandom(seed * 1_000 + n), validators, freshness, now }),
  );
  const seconds = minutes * 60;
  const wait = () => new Promise((resolve) => setTimeout(resolve, seconds * 500));
  const [load, memoryAtHalf] = await Promise.all([
    runLoad({ url, paths: listPaths(validators), seconds, connections }),
    wait().then(() => proxy.getMemory()),
    wait().then(wait),
  ]);
  clearInterval(publisher);
  stop.abort();
  await Promise.all(clients);
  weather.stop();
  const memoryAtEnd = await proxy.getMemory();
  const wasRunning = proxy.exitCode() === undefined;
  const lines = proxy.lines.length - linesAtStart;
  const exitCode = wasRunning ? await proxy.stop() : proxy.exitCode();
  const grownPercent = ((memoryAtEnd ?? 1) / (memoryAtHalf ?? 1) - 1) * 100;

  const faults = [
    ...seen.faults,
    ...(wasRunning && exitCode === 0
      ? []
      : [`the proxy ended with ${String(exitCode)}:\n${proxy.lines.slice(-20).join("\n")}`]),
    ...(lines > LINES_PER_MINUTE_MAX * minutes ? [`${lines} lines of log:\n${proxy.lines.slice(-20).join("\n")}`] : []),
    ...(grownPercent > GROWTH_MAX_PERCENT
      ? [`the memory grew by ${Math.round(grownPercent)} % in the second half`]
      : []),
    ...findFaultsOfLoad(load),
  ];
  const most = freshness.most();
  say(`store      ${weather.history.join(" ")}; ${generation} snapshots published, ${most.seen} seen`);
  say(`wrk        ${load === null ? "is missing: apt install wrk" : JSON.stringify(load)}`);
  say(`clients    ${describeSeen(seen)}`);
  say(`snapshots  seen within ${most.whileUp} ms while the store was up, ${most.afterOutage} ms after it came back`);
  say(
    `memory     ${[memoryAtStart, memoryAtHalf, memoryAtEnd].map(toMegabytes).join(", ")} at the start, half and end; ${lines} lines of log`,
  );
  say(faults.length === 0 ? "all as it should be" : `${faults.length} wrong:\n  ${faults.slice(0, 30).join("\n  ")}`);
  return faults.length === 0 ? 0 : 1;
}

/** Puts a generation, and gives its index. */
function publish(store: StoreServer, generation: number, { validators }: Flags) {
  const objects = makeGeneration(generation, { validators, now: now() });
  store.put(objects);
  const index = objects.at(-1);
  if (index === undefined) throw new Error("a generation without an index");
  return index;
}

/** 503 is right for what was never read; all else that is not 200 or 404 is not. */
function findFaultsOfLoad(load: LoadResult | null): string[] {
  if (load === null) return [];
  const wrong = ["other", "connect", "read", "write", "timeout"] as const;
  return wrong.filter((name) => load[name] > 0).map((name) => `wrk: ${load[name]} × ${name}`);
}

function describeSeen({ requests, statuses, torn, stale, largestAgeSeconds, slowestMilliseconds }: Seen): string {
  const counts = Object.entries(statuses).map(([status, count]) => `${count} × ${status}`);
  return (
    `${requests} answers checked (${counts.join(", ")}), ${torn} torn, ${stale} stale up to an Age of ` +
    `${largestAgeSeconds} s, the slowest after ${slowestMilliseconds} ms`
  );
}

function toMegabytes(bytes: number | null): string {
  return bytes === null ? "unknown" : `${Math.round(bytes / 1024 / 1024)} MB`;
}

/** null: help is wanted; a text: what is wrong with them. */
function readFlags(): Flags | string | null {
  try {
    return parseFlags(process.argv.slice(2));
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

function say(line: string, exitCode = 0): number {
  process.stdout.write(`${line}\n`);
  return exitCode;
}
