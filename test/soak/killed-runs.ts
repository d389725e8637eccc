import { setTimeout as sleep } from "node:timers/promises";
import { fromObjectKey, toObjectKey } from "../../generator/contract/objects.ts";
import type { ObjectStore } from "../../generator/store/store.ts";
import { readCounts, say } from "./command-line.ts";
import { judgeCreation, judgeUptime, readDocument, readWitness } from "./judging.ts";
import { createProcesses } from "./killed-runs/processes.ts";
import { createSite, type Side, type Site } from "./killed-runs/site.ts";
import { createRandom } from "./random.ts";

const HELP = `Kills real generators (SIGKILL) on a real S3 server, and looks for what was lost or doubled.

  .ci/with-s3 node test/soak/killed-runs.ts [--runs 40] [--seed 1] [--epochs 2] [--epoch-minutes 5] [--validators 40]

A simulated cluster, a process of its own, lives through so many epochs. Meanwhile one generate run after the other is killed
after some of the time that a snapshot takes, drawn from the seed; another one goes on beside them in the same stores.

In the end: publish, rebuild --verify, a rebuild of a copy of the journal into an empty place, compared byte by byte, and a
comparison of all events, their times, and of the uptime with what the journal says. Exit status: 0 nothing lost or doubled, 1
something was, 2 wrong use. Takes epochs times epoch-minutes and three minutes; never ten more.`;

/** In addition to its epochs. */
const MINUTES_MORE = 10;
/** Where the stores stay after a difference. */
const KEPT = ".data/killed-runs";
/** A bit more than the work: some wait for their next minute. */
const SHARE_MOST = 1.2;
/** By then what is pending after the last kill is settled. */
const SETTLE_MILLISECONDS = 95_000;
/** A dead holder's lease ends after two minutes. */
const PUBLISH_TRIES = 14;
const RETRY_MILLISECONDS = 10_000;
/** The journal's folders: all else is made from them. */
const JOURNAL = ["series/", "journal/", "backdated/"];

const flags = readCounts(HELP, {
  runs: { default: 40 },
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

/** Plays, and leaves no process and no bucket behind. */
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

/**
 * Kills generators and compares.
 * @returns what was wrong
 */
async function play(site: Site): Promise<string[]> {
  const epochMilliseconds = flags["epoch-minutes"] * 60_000;
  const { rpcUrls, mevUrl } = await processes.startCluster({
    network: "mainnet",
    seed: flags.seed,
    validators: flags.validators,
    stakeAccounts: flags.validators * 6,
    // The first epoch is over, so that there is a past.
    startsAt: Date.now() - epochMilliseconds,
    firstEpoch: 1060,
    epochMilliseconds,
    slotsPerEpoch: 4096,
  });
  const sources = { MAINNET_RPC_URLS: rpcUrls.join(","), MAINNET_MEV_URL: mevUrl };
  const start = (args: string[], side: "killed" | "fresh" = "killed") =>
    processes.startGenerator(args, { ...sources, ...site.environment(side) });
  const run = ["run", "--for", `${minutesMost}m`];
  const beganAt = Date.now();
  const faults = await finish(["snapshot"]);
  const workMilliseconds = Date.now() - beganAt;
  say(`observing and publishing take ${workMilliseconds} ms at first`);

  const beside = start(run);
  const random = createRandom(flags.seed);
  const spacing = (flags.epochs * epochMilliseconds) / flags.runs;
  for (let index = 0; index < flags.runs; index += 1) {
    await sleep(Math.max(0, beganAt + index * spacing - Date.now()));
    const doomed = start(run);
    const timer = setTimeout(() => doomed.kill(), random.below(SHARE_MOST * workMilliseconds));
    const code = await doomed.ended;
    clearTimeout(timer);
    if (code !== null) faults.push(`a process that was to be killed ended with ${code}: ${doomed.output()}`);
  }
  await sleep(SETTLE_MILLISECONDS);
  const code = await beside.stop();
  if (code !== 0) faults.push(`the generator beside the killed ones ended with ${code}: ${beside.output()}`);

  faults.push(...(await publish()), ...(await finish(["rebuild", "--verify"])));
  for (const folder of JOURNAL) await copy(site.killed, site.fresh, folder);
  faults.push(...(await finish(["rebuild"], "fresh")));
  return [...faults, ...(await compareObjects(site.killed, site.fresh)), ...(await judge(site.killed))];

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

/** Every public object but the status, byte by byte. */
async function compareObjects(one: Side, other: Side): Promise<string[]> {
  const [found, expected] = [await readAll(one.publicStore), await readAll(other.publicStore)];
  const status = toObjectKey("mainnet", "status", {});
  const keys = [...new Set([...found.keys(), ...expected.keys()])].filter((key) => key !== status);
  const isEqual = (key: string) => found.has(key) && expected.get(key)?.equals(found.get(key)!) === true;
  return keys.filter((key) => !isEqual(key)).map((key) => `${key} is not as a rebuild makes it`);
}

async function readAll(store: ObjectStore): Promise<Map<string, Buffer>> {
  const bodies = new Map<string, Buffer>();
  for await (const { key } of store.list("")) bodies.set(key, Buffer.from((await store.get(key))?.body ?? []));
  return bodies;
}

/** Compares what was published with the journal. */
async function judge({ publicStore, stateStore }: Side): Promise<string[]> {
  const witness = await readWitness(stateStore);
  const uptime = await judgeUptime(publicStore, witness);
  const events = [];
  for await (const { key } of publicStore.list("api/v1/mainnet/validators/")) {
    const reference = fromObjectKey("mainnet", key);
    if (reference?.kind === "validatorEvents")
      events.push(...(await readDocument(publicStore, "validatorEvents", reference.names)).data);
  }
  const ids = events.map(({ id }) => id);
  say(
    `${witness.names.size} entries, ${witness.observations.length} observations accepted, ${events.length} events; ` +
      `${uptime.minutes} minutes of ${uptime.validators} validators counted`,
  );
  return [
    ...witness.unreadable.map((name) => `${name} cannot be read`),
    ...ids.filter((id, index) => ids.indexOf(id) !== index).map((id) => `the event ${id} appears more than once`),
    ...events.flatMap((event) => judgeCreation(event, witness)),
    ...uptime.faults,
    ...(uptime.validators === 0 ? ["no validator was there all the time: no uptime to compare"] : []),
    ...(events.length === 0 ? ["nothing to compare: no change was seen"] : []),
  ];
}
