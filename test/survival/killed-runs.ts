import { setTimeout as sleep } from "node:timers/promises";
import { parseArgs } from "node:util";
import { createCluster } from "../../generator/demo/cluster.ts";
import type { ClusterOptions } from "../../generator/demo/options.ts";
import { fromEntryKey } from "../../generator/journal/names.ts";
import { drawMoments, isMoment, tellActivity, type KillMoment } from "./killed-runs/moments.ts";
import { createProcesses, type Generator, type Processes } from "./killed-runs/processes.ts";
import { startRecordingProxy, type StoreRequest } from "./killed-runs/recording-proxy.ts";
import { createSite, type Site } from "./killed-runs/site.ts";
import { compare } from "./killed-runs/verdict.ts";

const HELP = `Kills real generators (SIGKILL) on a real S3 server, and looks for what was lost or doubled.

  .ci/with-s3 node test/survival/killed-runs.ts [--runs 20] [--seed 1] [--epochs 2] [--epoch-minutes 5] [--validators 40]

A simulated cluster, a process of its own, lives through so many epochs. Meanwhile one generate run after the other is
killed, at moments drawn by the seed: after some time, or with its n-th request or write to the stores on its way, done or answered.
A second generate run goes on beside them in the same stores; another, and a snapshot with each run that is killed, observe
undisturbed into stores of their own. In the end: publish, rebuild --verify, and a comparison of both with what the cluster
did. Exit status: 0 nothing lost or doubled, 1 something was, 2 wrong use. Takes epochs times epoch-minutes, and a minute.`;

const WRONG_USE = 2;
/** A generator that is never told to stop ends by itself. */
const FORGOTTEN = "3h";
/** From the last kill on, what is pending is settled. */
const SETTLE_MILLISECONDS = 95_000;

const { values } = parseArgs({
  options: {
    runs: { type: "string", default: "20" },
    seed: { type: "string", default: "1" },
    epochs: { type: "string", default: "2" },
    "epoch-minutes": { type: "string", default: "5" },
    validators: { type: "string", default: "40" },
    help: { type: "boolean", default: false },
  },
});
const endpoint = process.env["RUGWATCH_TEST_S3"] ?? "";

if (values.help) {
  say(HELP);
} else if (endpoint === "") {
  say("RUGWATCH_TEST_S3 names no S3 server: start this with .ci/with-s3 in front, which brings one.");
  process.exitCode = WRONG_USE;
} else {
  const processes = createProcesses();
  process.once("SIGINT", () => void processes.endAll().then(() => process.exit(1)));
  const site = await createSite(endpoint);
  try {
    process.exitCode = (await play(site, processes)) ? 0 : 1;
  } finally {
    await processes.endAll();
    await site.remove();
  }
}

/** @returns whether all is well */
async function play(site: Site, processes: Processes): Promise<boolean> {
  const [runs, epochs, epochMinutes] = [toCount(values.runs), toCount(values.epochs), toCount(values["epoch-minutes"])];
  const epochMilliseconds = epochMinutes * 60_000;
  const options: ClusterOptions = {
    network: "mainnet",
    seed: toCount(values.seed),
    validators: toCount(values.validators),
    stakeAccounts: toCount(values.validators) * 6,
    // The first epoch is over: there is something to look back at.
    startsAt: Date.now() - epochMilliseconds,
    firstEpoch: 1060,
    epochMilliseconds,
    slotsPerEpoch: 4096,
  };
  const cluster = await processes.startCluster(options);
  const sources = { MAINNET_RPC_URLS: cluster.rpcUrls.join(","), MAINNET_MEV_URL: cluster.mevUrl };
  const calmEnvironment = { ...sources, ...site.environment("calm", endpoint) };
  const beganAt = Date.now();

  const calm = processes.startGenerator(["run", "--for", FORGOTTEN], calmEnvironment);
  const second = await startRecorded(["run", "--for", FORGOTTEN], () => undefined);
  const requests = [second.requests];
  const activities = new Map<string, number>();
  const spacing = (epochs * epochMilliseconds) / runs;
  for (const [run, moment] of drawMoments(runs, options.seed, spacing).entries()) {
    await sleep(Math.max(0, beganAt + run * spacing - Date.now()));
    const [killed, undisturbed] = await Promise.all([
      killOne(moment, { longestMilliseconds: spacing }),
      finish(processes.startGenerator(["snapshot"], calmEnvironment), "an undisturbed snapshot"),
    ]);
    requests.push(killed.requests);
    activities.set(killed.activity, (activities.get(killed.activity) ?? 0) + 1);
    say(
      `run ${run + 1} of ${runs} killed after ${killed.seconds} s, ${killed.requests.length} requests: ${killed.activity}${undisturbed}`,
    );
  }
  await sleep(SETTLE_MILLISECONDS);
  const until = Date.now();
  const stopped = await Promise.all([second.generator.stop(), calm.stop()]);
  await second.close();

  const faults = stopped.flatMap((code, index) =>
    code === 0 ? [] : [`the ${index === 0 ? "second" : "undisturbed"} run ended with ${code}`],
  );
  for (const side of ["killed", "calm"] as const) {
    const environment = { ...sources, ...site.environment(side, endpoint) };
    for (const args of [["publish"], ["rebuild", "--verify"]]) {
      const generator = processes.startGenerator(args, environment);
      const code = await generator.ended;
      say(`${side}: ${args.join(" ")}: ${generator.output().trim().split("\n").at(-1)}`);
      if (code !== 0) faults.push(`${side}: ${args.join(" ")} ended with ${code}: ${generator.output().trim()}`);
    }
  }
  const verdict = await compare(site.sides, {
    cluster: createCluster(options),
    appended: requests.flat().flatMap(toAppended),
    until,
  });
  const differences = [...faults, ...verdict.differences];
  say(`${runs} runs killed: ${[...activities].map(([activity, times]) => `${times} ${activity}`).join(", ")}`);
  for (const line of [...verdict.summary, ...differences, `${differences.length} differences`]) say(line);
  return differences.length === 0;

  async function startRecorded(args: string[], onPhase: (request: StoreRequest) => void) {
    const proxy = await startRecordingProxy({ target: endpoint, onPhase });
    const generator = processes.startGenerator(args, { ...sources, ...site.environment("killed", proxy.url) });
    return { ...proxy, generator };
  }

  /** One life. Whoever does not come to its moment is killed all the same. */
  async function killOne(moment: KillMoment, { longestMilliseconds }: { longestMilliseconds: number }) {
    const startedAt = Date.now();
    const activities: string[] = [];
    const kill = () => {
      activities.push(tellActivity(life.requests));
      life.generator.kill();
    };
    const life = await startRecorded(["run", "--for", FORGOTTEN], (request) => {
      if (isMoment(moment, request)) kill();
    });
    const after = "afterMilliseconds" in moment ? moment.afterMilliseconds : Infinity;
    const timer = setTimeout(kill, Math.min(after, longestMilliseconds));
    const code = await life.generator.ended;
    clearTimeout(timer);
    await life.close();
    if (code !== null) throw new Error(`a run that was to be killed ended with ${code}: ${life.generator.output()}`);
    const seconds = Math.round((Date.now() - startedAt) / 100) / 10;
    return { requests: life.requests, activity: activities[0] ?? "starting", seconds };
  }
}

/** Says why it failed, if it did. */
async function finish(generator: Generator, what: string): Promise<string> {
  const code = await generator.ended;
  return code === 0 ? "" : `; ${what} failed: ${generator.output().trim()}`;
}

/** The journal entry that a process was told to be there: it put it, or was answered that it is there already. */
function toAppended({ method, path, phase, status }: StoreRequest): string[] {
  if (method !== "PUT" || phase !== "answered" || (status !== 200 && status !== 412)) return [];
  const key = path.split("/state/")[1] ?? "";
  const name = fromEntryKey({ network: "mainnet", series: 1 }, key);
  return name === null ? [] : [name];
}

function toCount(text: string): number {
  if (/^[1-9]\d{0,5}$/.test(text)) return Number(text);
  throw new Error(`${JSON.stringify(text)} is no number from 1 to 999999: --help tells the flags`);
}

function say(line: string): void {
  process.stdout.write(`${line}\n`);
}
