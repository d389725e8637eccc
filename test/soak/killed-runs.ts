import { setTimeout as sleep } from "node:timers/promises";
import { fromEntryKey } from "../../generator/journal/names.ts";
import { createCluster } from "../../infra/demo/cluster/cluster.ts";
import { readCounts, say } from "./command-line.ts";
import { drawKills, listAims, tellKill, type Kill } from "./killed-runs/kills.ts";
import { liveAndDie, startRival, type Life, type Rival } from "./killed-runs/life.ts";
import { layDownPast, prepareFor } from "./killed-runs/preparation.ts";
import { createProcesses } from "./killed-runs/processes.ts";
import type { StoreRequest } from "./killed-runs/recording-proxy.ts";
import { createSite, type Side, type Site } from "./killed-runs/site.ts";
import { compareObjects, judge } from "./killed-runs/verdict.ts";

const HELP = `Kills real generators (SIGKILL) on a real S3 server, and looks for what was lost or doubled.

  .ci/with-s3 node test/soak/killed-runs.ts [--runs 20] [--aimed 20] [--seed 1] [--epochs 2] [--epoch-minutes 5]
    [--validators 40]

A simulated cluster, a process of its own, lives through so many epochs. Meanwhile one generate process after the other is
killed by what stands between it and the store. --runs of them at random: after some of the time that its work takes, or with
its n-th request or write; --aimed of them where a request of a kind arrives (an entry, a document, the index, the manifest,
the lease, a mark, a checkpoint, a pack ...): before it is done; done and not answered; or late: it is held, and done when the
next process has died too. So that these come soon, documents, checkpoints and leases of the dead are taken away before. A
second generate run goes on beside them in the same stores, at times a third.

In the end: publish, rebuild --verify, a rebuild of a copy of the journal into an empty place, compared byte by byte, and a
comparison of all events, their times, and of the uptime with what the journal and the cluster say. Exit status: 0 nothing
lost or doubled, 1 something was, 2 wrong use. Takes epochs times epoch-minutes and three minutes; never ten more.`;

/** Beyond the time that its epochs take. */
const MINUTES_MORE = 10;
/** Where the stores are kept when there was a difference. */
const KEPT = ".data/killed-runs";
/** From the last kill on, what is pending is settled. */
const SETTLE_MILLISECONDS = 95_000;
/** Of so many kills, the third generator sees two. */
const THIRD_EVERY = 6;
/** An aim that was missed comes again after so many others: by then the machine, or the cluster, may be as it needs. */
const AGAIN_AFTER = 2;
/** A lease of one that died, or that came to be after its death, is over in two minutes. */
const PUBLISH_TRIES = 14;
const RETRY_MILLISECONDS = 10_000;
/** Folders of the state store that are the journal: all else is made from them. */
const JOURNAL = ["series/", "journal/", "backdated/"];

const flags = readCounts(HELP, {
  runs: { default: 20 },
  aimed: { default: 20, least: 0 },
  seed: { default: 1 },
  epochs: { default: 2 },
  "epoch-minutes": { default: 5 },
  validators: { default: 40 },
});
const endpoint = process.env["RUGWATCH_TEST_S3"] ?? "";
const minutesMost = flags.epochs * flags["epoch-minutes"] + MINUTES_MORE;
const processes = createProcesses();

if (endpoint === "") {
  say("RUGWATCH_TEST_S3 names no S3 server: start this with .ci/with-s3 in front, which brings one.");
  process.exitCode = 2;
} else {
  process.exitCode = (await playWithin(await createSite(endpoint))) ? 0 : 1;
}

/** Plays, and leaves no process and no bucket behind, however it ends. */
async function playWithin(site: Site): Promise<boolean> {
  const cleanUp = async () => {
    await processes.endAll();
    await site.remove();
  };
  const giveUp = (why: string) => {
    say(why);
    void cleanUp().finally(() => process.exit(1));
  };
  for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => giveUp(`stopped by ${signal}`));
  const timer = setTimeout(() => giveUp(`not over after ${minutesMost} minutes`), minutesMost * 60_000);
  try {
    const faults = await play(site);
    for (const fault of faults) say(fault);
    if (faults.length > 0) await site.keep(KEPT);
    say(
      `seed ${flags.seed}: ${faults.length} differences${faults.length > 0 ? `; the stores are kept in ${KEPT}` : ""}`,
    );
    return faults.length === 0;
  } finally {
    clearTimeout(timer);
    await cleanUp();
  }
}

/** Lets generators be killed, and compares. @returns what was wrong */
async function play(site: Site): Promise<string[]> {
  const epochMilliseconds = flags["epoch-minutes"] * 60_000;
  const options = {
    network: "mainnet",
    seed: flags.seed,
    validators: flags.validators,
    stakeAccounts: flags.validators * 6,
    // The first epoch is over: there is something to look back at.
    startsAt: Date.now() - epochMilliseconds,
    firstEpoch: 1060,
    epochMilliseconds,
    slotsPerEpoch: 4096,
  } as const;
  const { rpcUrls, mevUrl } = await processes.startCluster(options);
  const sources = { MAINNET_RPC_URLS: rpcUrls.join(","), MAINNET_MEV_URL: mevUrl };
  const start = (args: string[], side: "killed" | "fresh" = "killed", address = endpoint) =>
    processes.startGenerator(args, { ...sources, ...site.environment(side, address) });
  const run = ["run", "--for", `${minutesMost}m`];
  const count = flags.runs + flags.aimed;
  await layDownPast(site.killed.stateStore, { days: count + 2, now: Date.now() });

  const startOne = () => startRival({ endpoint, start: (address) => start(run, "killed", address) });
  const second = await startOne();
  const workMilliseconds = await second.worked;
  const requests = [second.requests];
  say(`observing and publishing take ${workMilliseconds} ms at first`);

  const [random, aims] = [drawKills(flags.runs, flags.seed), listAims(flags.seed)];
  const spacing = (flags.epochs * epochMilliseconds) / count;
  const beganAt = Date.now();
  const faults: string[] = [];
  let [third, before]: [Rival | null, Life | null] = [null, null];
  let aimed = 0;
  for (let index = 0; index < count; index += 1) {
    await sleep(Math.max(0, beganAt + index * spacing - Date.now()));
    if (index % THIRD_EVERY === 2) requests.push((third = await startOne()).requests);
    // In turn, as long as there are both.
    const isAimed = random.length === 0 || (index % 2 === 1 && aimed < flags.aimed);
    const kill: Kill | undefined = isAimed ? aims.shift() : random.shift();
    if (kill === undefined) break;
    const args = "kind" in kill ? await prepareFor(kill.kind, site.killed) : null;
    const life = await liveAndDie({
      kill,
      endpoint,
      start: (address) => start(args ?? run, "killed", address),
      workMilliseconds,
    });
    aimed += isAimed ? 1 : 0;
    if ("kind" in kill && !life.isMet) aims.splice(AGAIN_AFTER, 0, kill);
    requests.push(life.requests);
    say(`killed at ${tellKill(kill)}${life.isMet ? "" : ": did not come there"}; ${life.requests.length} requests`);
    await before?.release();
    before = life;
    if (index % THIRD_EVERY === 3) {
      faults.push(...((await third?.stop()) ?? []));
      third = null;
    }
  }
  await before?.release();
  await sleep(SETTLE_MILLISECONDS);
  const until = Date.now();
  faults.push(...(await second.stop()), ...((await third?.stop()) ?? []));

  faults.push(...(await publish()), ...(await finish(["rebuild", "--verify"])));
  for (const folder of JOURNAL) await copy(site.killed, site.fresh, folder);
  faults.push(...(await finish(["rebuild"], "fresh")));
  faults.push(...(await compareObjects(site.killed.publicStore, site.fresh.publicStore)));
  const appended = requests.flat().flatMap(toAppended);
  const verdict = await judge(site.killed, { cluster: createCluster(options), appended, until });
  say(verdict.summary);
  return [...faults, ...verdict.faults];

  async function publish(): Promise<string[]> {
    for (let tries = 1; tries <= PUBLISH_TRIES; tries += 1) {
      const generator = start(["publish", "--json"]);
      if ((await generator.ended) !== 0) return [`publish failed: ${generator.output().trim()}`];
      const line = generator.output().trim().split("\n").at(-1) ?? "";
      if ((JSON.parse(line) as { skipped: string | null }).skipped === null) return [];
      say(`not published yet: ${line}`);
      await sleep(RETRY_MILLISECONDS);
    }
    return ["it could not be published"];
  }

  async function finish(args: string[], side?: "fresh"): Promise<string[]> {
    const generator = start(args, side);
    return (await generator.ended) === 0 ? [] : [`${args.join(" ")} failed: ${generator.output().trim()}`];
  }
}

async function copy(from: Side, to: Side, folder: string): Promise<void> {
  for await (const { key } of from.stateStore.list(folder)) {
    const object = await from.stateStore.get(key);
    if (object === null) throw new Error(`${key} is gone`);
    await to.stateStore.put(key, object.body, { expect: "absent", contentType: "application/octet-stream" });
  }
}

/** The journal entry that a process was told to be there: it put it, or was answered that it is there already. */
function toAppended({ method, path, phase, status }: StoreRequest): string[] {
  if (method !== "PUT" || phase !== "answered" || (status !== 200 && status !== 412)) return [];
  const name = fromEntryKey({ network: "mainnet", series: 1 }, path.split("/state/")[1] ?? "");
  return name === null ? [] : [name];
}
