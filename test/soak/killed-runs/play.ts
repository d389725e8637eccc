import { setTimeout as sleep } from "node:timers/promises";
import { createCluster } from "../../../infra/demo/cluster/cluster.ts";
import { fromEntryKey } from "../../../generator/journal/names.ts";
import { bringToAnEnd } from "./ending.ts";
import { toClusterOptions, type Flags } from "./flags.ts";
import { drawKills, listAims, type Kill } from "./kills.ts";
import { liveAndDie, type Life } from "./life.ts";
import { layDownPast, prepareFor } from "./preparation.ts";
import type { Generator, Processes } from "./processes.ts";
import type { StoreRequest } from "./recording-proxy.ts";
import { startRival, type Rival } from "./rival.ts";
import type { Sides, Site } from "./site.ts";
import { HEAD, toRow, toTable, type Killed } from "./table.ts";
import { compare } from "./verdict.ts";

export interface Stage {
  site: Site;
  processes: Processes;
  /** Of the S3 server. */
  endpoint: string;
  flags: Flags;
  /** A generator that is never told to stop ends by itself after so many minutes. */
  minutesMost: number;
  say: (line: string) => void;
}

/** From the last kill on, what is pending is settled. */
const SETTLE_MILLISECONDS = 95_000;
/** Who is to be killed at a request has so many times the time that observing and publishing took at first. */
const PATIENCE = 3;
/** Of so many kills, the third generator sees two. */
const THIRD_EVERY = 6;
/** An aim that was missed comes again after so many others: by then the machine, or the cluster, may be as it needs. */
const AGAIN_AFTER = 2;
/** With one of so many kills, a snapshot observes undisturbed. */
const CALM_EVERY = 3;

/** Lets generators be killed, and compares. @returns whether all is well */
export async function play(stage: Stage): Promise<boolean> {
  const { site, processes, endpoint, flags, say } = stage;
  const run = ["run", "--for", `${stage.minutesMost}m`];
  const options = toClusterOptions(flags, { now: Date.now() });
  const cluster = await processes.startCluster(options);
  const sources = { MAINNET_RPC_URLS: cluster.rpcUrls.join(","), MAINNET_MEV_URL: cluster.mevUrl };
  const environmentOf = (side: keyof Sides, address = endpoint) => ({ ...sources, ...site.environment(side, address) });
  const start = (args: string[], side: keyof Sides, address?: string) =>
    processes.startGenerator(args, environmentOf(side, address));
  const kills = flags.runs + flags.aimed;
  await layDownPast(site.sides.killed.stateStore, { days: kills + 2, now: Date.now() });

  const calm = start(run, "calm");
  const startOne = () => startRival({ endpoint, start: (address) => start(run, "killed", address) });
  const second = await startOne();
  const workMilliseconds = await second.worked;
  const requests = [second.requests];
  say(`observing and publishing take ${workMilliseconds} ms at first`);

  const killed: Killed[] = [];
  const [random, aims] = [drawKills(flags.runs, flags.seed), listAims(flags.seed)];
  const spacing = (flags.epochs * flags.epochMinutes * 60_000) / kills;
  const beganAt = Date.now();
  let [third, before]: [Rival | null, Life | null] = [null, null];
  let aimed = 0;
  for (const line of HEAD) say(line);
  for (let index = 0; index < kills; index += 1) {
    await sleep(Math.max(0, beganAt + index * spacing - Date.now()));
    if (index % THIRD_EVERY === 2) requests.push((third = await startOne()).requests);
    // In turn, as long as there are both.
    const isAimed = random.length === 0 || (index % 2 === 1 && aimed < flags.aimed);
    const kill: Kill | undefined = isAimed ? aims.shift() : random.shift();
    if (kill === undefined) break;
    const [one, undisturbed] = await Promise.all([
      killOne(kill),
      index % CALM_EVERY === 0 ? finish(start(["snapshot"], "calm")) : "",
    ]);
    aimed += isAimed ? 1 : 0;
    if ("kind" in kill && !one.isMet) aims.splice(AGAIN_AFTER, 0, kill);
    requests.push(one.requests);
    killed.push({ kill, life: one });
    say(`${toRow({ kill, life: one })}${undisturbed}`);
    await before?.release();
    before = one;
    if (index % THIRD_EVERY === 3) third = await stop(third);
  }
  await before?.release();
  await sleep(SETTLE_MILLISECONDS);
  const until = Date.now();
  const faults = [...(await second.stop()), ...((await third?.stop()) ?? [])];
  if ((await calm.stop()) !== 0) faults.push(`the undisturbed run failed: ${calm.output().trim()}`);

  faults.push(...(await bringToAnEnd({ start, sides: site.sides, say })));
  const appended = requests.flat().flatMap(toAppended);
  const verdict = await compare(site.sides, { cluster: createCluster(options), appended, until });
  const differences = [...faults, ...verdict.differences];
  for (const line of [...toTable(killed), ...verdict.summary, ...differences]) say(line);
  say(`seed ${flags.seed}: ${killed.length} killed, ${differences.length} differences`);
  return differences.length === 0;

  async function killOne(kill: Kill): Promise<Life> {
    const args = "kind" in kill ? await prepareFor(kill.kind, site.sides.killed) : null;
    return liveAndDie({
      kill,
      endpoint,
      start: (address) => start(args ?? run, "killed", address),
      workMilliseconds,
      patienceMilliseconds: PATIENCE * workMilliseconds,
    });
  }

  async function stop(rival: Rival | null): Promise<null> {
    const wrong = (await rival?.stop()) ?? [];
    if (wrong.length > 0) throw new Error(wrong.join("; "));
    return null;
  }
}

/** Says why it failed, if it did. */
async function finish(generator: Generator): Promise<string> {
  const code = await generator.ended;
  return code === 0 ? "" : ` an undisturbed snapshot failed: ${generator.output().trim()}`;
}

/** The journal entry that a process was told to be there: it put it, or was answered that it is there already. */
function toAppended({ method, path, phase, status }: StoreRequest): string[] {
  if (method !== "PUT" || phase !== "answered" || (status !== 200 && status !== 412)) return [];
  const key = path.split("/state/")[1] ?? "";
  const name = fromEntryKey({ network: "mainnet", series: 1 }, key);
  return name === null ? [] : [name];
}
