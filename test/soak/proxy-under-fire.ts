import { readFile } from "node:fs/promises";
import { setTimeout as wait } from "node:timers/promises";
import { spawnProxy } from "../proxy/spawn-proxy.ts";
import { readCounts, say } from "./command-line.ts";
import { createSeen, runClient, warmUp, type World } from "./proxy-under-fire/client.ts";
import { makeForeignIndex, makeGeneration } from "./proxy-under-fire/generations.ts";
import { startStoreServer, startWeather } from "./proxy-under-fire/store-server.ts";
import { createRandom } from "./random.ts";

const HELP = `Loads a real proxy while its store goes down and comes back, and new snapshots are published; checks every body it reads.

  node test/soak/proxy-under-fire.ts [--minutes 10] [--connections 64] [--seed 1] [--publish-seconds 20]
    [--validators 1000]

The proxy reads its documents from a web server that is up for a while, and then refuses, hangs, is slow, cuts its bodies,
answers pages of its own, loses its documents, or gives out an index that is older or of another network: in an order made
up from the seed. No cluster answers it. Clients read one answer after the other and check it: the bytes fit Content-Length
and ETag, are whole JSON, and carry the mark of one snapshot only; what was once answered is answered always, and within 7 s;
an old answer says so, with its age; a new snapshot is seen within 16 s while the store is up (it is asked every 15 s), and
within 21 s of its coming back.

Exit status: 0 all as it should be, 1 something was wrong, 2 wrong use.`;

/** Log lines a minute: each network and kind of document fails and recovers, and the cluster falls silent. */
const LINES_PER_MINUTE_MAX = 30;
/** Growth of the resident memory in the second half: by then its caches are full. */
const GROWTH_MAX_PERCENT = 15;
const STOPPED_WITHIN_MILLISECONDS = 15_000;
const NOWHERE = "http://127.0.0.1:9";

const flags = readCounts(HELP, {
  minutes: { default: 10, most: 600 },
  connections: { default: 64, most: 10_000 },
  seed: { default: 1 },
  "publish-seconds": { default: 20, most: 3_600 },
  validators: { default: 1_000, most: 5_000 },
});
const { minutes, connections, seed, validators } = flags;
const now = () => Date.now();

const store = await startStoreServer();
let generation = 0;
let before = publishNext();
const proxy = await startProxy(store.url);
await warmUp(proxy.url);
const linesAtStart = proxy.lines.length;
const weather = startWeather(store, { random: createRandom(seed), now });
const world: World = { url: proxy.url, validators, now, upSince: weather.upSince };
const all = createSeen(world);
all.published(generation);
store.setIndex("foreign", makeForeignIndex(now()));
const publisher = setInterval(() => {
  store.setIndex("older", before);
  before = publishNext();
  all.published(generation);
}, flags["publish-seconds"] * 1_000);
const stopping = new AbortController();
const clients = Array.from({ length: connections }, (_, n) =>
  runClient(world, all, { random: createRandom(seed * 1_000 + n), signal: stopping.signal }),
);

const megabytes = [await proxy.readMegabytes()];
for (let half = 1; half <= 2; half += 1) {
  await wait(minutes * 30_000);
  megabytes.push(await proxy.readMegabytes());
}
clearInterval(publisher);
stopping.abort();
await Promise.all(clients);
weather.stop();
const lines = proxy.lines.length - linesAtStart;
const status = await proxy.stop();
await store.close();

const [, atHalf = 1, atEnd = 1] = megabytes;
const lastLines = proxy.lines.slice(-20).join("\n");
const faults = [
  ...all.faults,
  ...(status === 0 ? [] : [`the proxy ended with ${String(status)}:\n${lastLines}`]),
  ...(lines > LINES_PER_MINUTE_MAX * minutes ? [`${lines} lines of log:\n${lastLines}`] : []),
  ...(atEnd > atHalf * (1 + GROWTH_MAX_PERCENT / 100) ? [`the memory grew from ${atHalf} to ${atEnd} MB`] : []),
];
say(`store    ${weather.history.join(" ")}; ${generation} snapshots published`);
say(`clients  ${JSON.stringify(all.seen)}`);
say(`memory   ${megabytes.join(", ")} MB at the start, half and end; ${lines} lines of log`);
say(faults.length === 0 ? "all as it should be" : `${faults.length} wrong:\n  ${faults.slice(0, 30).join("\n  ")}`);
process.exitCode = faults.length === 0 ? 0 : 1;

/** Puts a generation and returns its index. */
function publishNext() {
  const objects = makeGeneration(++generation, { validators, now: now() });
  store.put(objects);
  const index = objects.at(-1);
  if (index === undefined) throw new Error("a generation without an index");
  return index;
}

/** As in production. */
async function startProxy(publicStore: string) {
  const started = spawnProxy(
    {
      PATH: process.env["PATH"],
      RUGWATCH_PUBLIC: publicStore,
      TRUST_PROXY: "1",
      RATE_LIMIT_PER_MINUTE: "1000000",
      MAINNET_RPC_URLS: NOWHERE,
      TESTNET_RPC_URLS: NOWHERE,
      ALPENGLOW_RPC_URLS: NOWHERE,
    },
    ["--max-semi-space-size=32", "--no-allocation-site-pretenuring"],
  );
  return {
    url: await started.getUrl(),
    lines: started.lines,
    /** Resident memory; 0 without /proc. */
    async readMegabytes() {
      const text = await readFile(`/proc/${started.pid}/status`, "utf8").catch(() => "");
      return Math.round(Number(/^VmRSS:\s+(\d+) kB$/m.exec(text)?.[1] ?? 0) / 1024);
    },
    stop: () => started.stop(STOPPED_WITHIN_MILLISECONDS),
  };
}
