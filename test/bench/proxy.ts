import { execFile } from "node:child_process";
import { chmod, mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { load, type Figures, type Load } from "./proxy/load.ts";
import { makePublicStore } from "./proxy/public-store.ts";
import { LIST_PATH, MISSING_PATH, SEARCH_TEXTS, toSearchPaths } from "./proxy/questions.ts";
import {
  startBaseline,
  startNginx,
  startProxy,
  startShippedNginx,
  type Measured,
} from "./proxy/servers.ts";
import { againstBudget, withDirectory } from "./measuring.ts";

const run = promisify(execFile);

const ROUNDS = 5;
const ROUND_SECONDS = 5;
const WARM_UP_SECONDS = 2;
/**
 * Node accepts one of wrk's connections in each turn of its loop:
 * the last waits 0.1 s, in five seconds the slowest hundredth.
 */
const SEARCH_ROUND_SECONDS = 20;
const SEARCHES_PER_SECOND_MIN = 10_000;
const SEARCH_P99_MILLISECONDS_MAX = 10;
const LIST_P99_MILLISECONDS_MAX = 20;
const PACED_PER_SECOND = 5_000;
const UNCACHED_CLIENTS = 16;
const UNCACHED_P99_MILLISECONDS_MAX = 100;

const PROGRAMS = { wrk: "--version", nginx: "-v" };

interface Stage {
  directory: string;
  store: Awaited<ReturnType<typeof makePublicStore>>;
  proxy: Measured;
  plainNode: Measured;
  bareH3: Measured;
  nginx: Measured;
  shipped: Measured;
}

/** The median of some rounds; each server in turn. */
export async function bench(): Promise<string> {
  const missing = await findMissing();
  if (missing.length > 0)
    return `not measured, install ${missing.join(" and ")} (Debian: apt-get install wrk nginx-light)`;
  return withDirectory(async (directory) => {
    // Started by root, nginx works as another user.
    await chmod(directory, 0o755);
    const started: Measured[] = [];
    try {
      const stage = await setUp(directory, started);
      const parts: string[] = [];
      for (const bench of [benchList, benchUncached, benchSearch]) parts.push(await bench(stage));
      return parts.join("; ");
    } finally {
      await Promise.all(started.map((server) => server.stop()));
    }
  });
}

async function findMissing(): Promise<string[]> {
  const missing: string[] = [];
  for (const [program, argument] of Object.entries(PROGRAMS)) {
    try {
      await run(program, [argument]);
    } catch (error) {
      // wrk ends with 1 when it tells its version.
      if (error instanceof Error && "code" in error && error.code === "ENOENT")
        missing.push(program);
    }
  }
  return missing;
}

async function setUp(directory: string, started: Measured[]): Promise<Stage> {
  const store = await makePublicStore(directory);
  const start = async (server: Promise<Measured>) => {
    started.push(await server);
    return server;
  };
  const proxy = await start(startProxy(store.directory));
  const { headers, list } = await readList(proxy);
  const nginx = await start(
    startNginx({ directory: await makeDirectory(directory, "nginx"), list, headers }),
  );
  const shipped = await start(startShippedNginx(await makeDirectory(directory, "shipped"), proxy));
  const files = [join(directory, "headers.json"), join(directory, "list.json")] as const;
  await Promise.all([writeFile(files[0], JSON.stringify(headers)), writeFile(files[1], list)]);
  const plainNode = await start(startBaseline("node", ...files));
  const bareH3 = await start(startBaseline("h3", ...files));
  for (const server of [nginx, shipped, plainNode, bareH3])
    if (!list.equals((await readList(server)).list))
      throw new Error(`${server.url} serves other bytes`);
  return { directory, store, proxy, plainNode, bareH3, nginx, shipped };
}

async function makeDirectory(...parts: [string, string]): Promise<string> {
  const directory = join(...parts);
  await mkdir(directory);
  return directory;
}

async function readList({ url }: Measured) {
  const response = await fetch(url + LIST_PATH, { headers: { "accept-encoding": "identity" } });
  const headers = [...response.headers].filter(
    ([name]) => !["connection", "date", "keep-alive"].includes(name),
  );
  return { headers, list: Buffer.from(await response.arrayBuffer()) };
}

async function benchList({
  directory,
  proxy,
  plainNode,
  bareH3,
  nginx,
  shipped,
}: Stage): Promise<string> {
  const compressing = { ...shipped, coding: "gzip" };
  const servers = [proxy, plainNode, bareH3, shipped, nginx, compressing] as const;
  const [ours, plain, bare, cached, file, compressed] = await alternate(
    servers,
    [LIST_PATH],
    directory,
  );
  const pacing = { url: proxy.url, paths: [LIST_PATH], seconds: ROUND_SECONDS, directory };
  const paced = await load({ ...pacing, pacedPerSecond: PACED_PER_SECOND });
  return [
    `list page of 50: ${toText(ours)}`,
    toPacedText(paced, LIST_P99_MILLISECONDS_MAX),
    `${toRatio(ours, plain)} plain node:http's ${toText(plain)}`,
    `${toRatio(ours, bare, 1)} bare h3's ${toText(bare)}`,
    `behind the shipped nginx ${toText(cached)}, ${toRatio(cached, file, 0.8)} nginx's with a file, ${toText(file)}`,
    `with gzip ${toText(compressed)}, ${toRatio(compressed, cached)} that without`,
  ].join(", ");
}

async function benchSearch({ directory, store, proxy }: Stage): Promise<string> {
  const paths = toSearchPaths(store.index);
  const [figures] = await alternate([proxy], paths, directory, SEARCH_ROUND_SECONDS);
  const pacing = { url: proxy.url, paths, seconds: SEARCH_ROUND_SECONDS, directory };
  const paced = await load({ ...pacing, pacedPerSecond: PACED_PER_SECOND });
  const perSecond = Math.round(figures.perSecond);
  const kept = perSecond >= SEARCHES_PER_SECOND_MIN ? "kept" : "missed";
  return [
    `search of ${SEARCH_TEXTS} texts: ${perSecond} a second (budget ${SEARCHES_PER_SECOND_MIN}: ${kept})`,
    toPacedText(paced, SEARCH_P99_MILLISECONDS_MAX),
  ].join(", ");
}

/** What nginx asks the proxy for each time. */
async function benchUncached({ directory, shipped }: Stage): Promise<string> {
  const asking = {
    url: shipped.url,
    seconds: ROUND_SECONDS,
    directory,
    connections: UNCACHED_CLIENTS,
  };
  const health = await load({ ...asking, paths: ["/healthz"] });
  const missing = await load({ ...asking, paths: [MISSING_PATH], areErrors: true });
  const [healthText, missingText] = [health, missing].map(({ p99Milliseconds }) =>
    toP99Text(p99Milliseconds, UNCACHED_P99_MILLISECONDS_MAX),
  );
  return `for ${UNCACHED_CLIENTS} clients of the shipped nginx, /healthz ${healthText}, a 404 ${missingText}`;
}

/** Each server in turn, round by round: what else the machine does then falls on all of them. */
async function alternate<const Servers extends readonly (Measured & Pick<Load, "coding">)[]>(
  servers: Servers,
  paths: readonly string[],
  directory: string,
  seconds = ROUND_SECONDS,
): Promise<{ [Place in keyof Servers]: Figures }> {
  for (const { url, coding } of servers)
    await load({ url, coding, paths, seconds: WARM_UP_SECONDS, directory });
  const rounds: Figures[][] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    const figures: Figures[] = [];
    for (const { url, coding } of servers)
      figures.push(await load({ url, coding, paths, seconds, directory }));
    rounds.push(figures);
  }
  const medians = servers.map((_, place) =>
    toMedian(rounds.flatMap((figures) => figures[place] ?? [])),
  );
  return medians as { [Place in keyof Servers]: Figures };
}

function toMedian(figures: readonly Figures[]): Figures {
  const middle = figures.toSorted((one, other) => one.perSecond - other.perSecond)[
    Math.floor(figures.length / 2)
  ];
  if (middle === undefined) throw new Error("nothing was measured");
  return middle;
}

function toText({ perSecond, p99Milliseconds }: Figures): string {
  return `${Math.round(perSecond)} a second (p99 ${p99Milliseconds.toFixed(1)} ms)`;
}

function toPacedText({ perSecond, p99Milliseconds }: Figures, most: number): string {
  return `at ${Math.round(perSecond)} a second ${toP99Text(p99Milliseconds, most)}`;
}

function toP99Text(milliseconds: number, most: number): string {
  return `p99 ${againstBudget(Math.round(milliseconds * 10) / 10, most, "ms")}`;
}

function toRatio(ours: Figures, theirs: Figures, least?: number): string {
  const ratio = ours.perSecond / theirs.perSecond;
  const budget =
    least === undefined ? "" : ` (budget ${least}: ${ratio >= least ? "kept" : "missed"})`;
  return `${ratio.toFixed(2)} times${budget}`;
}
