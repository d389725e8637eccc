import { link, mkdir, readdir } from "node:fs/promises";
import { join } from "node:path";
import { createSystemClock, openContext } from "../../generator/service/context.ts";
import { observe } from "../../generator/service/observing.ts";
import { createReport, type Report } from "../../generator/service/report.ts";
import { readSettings } from "../../generator/settings/settings.ts";
import { openLocations } from "../../generator/observe/locations.ts";
import { startAnswers, type Answers } from "./answers.ts";
import { runCold, runScript, type ColdRun } from "./cold-process.ts";
import { withDirectory } from "./measuring.ts";
import { PLANNED_CLUSTER } from "./planning-size.ts";
import { prepareState, type PreparedState } from "./prepared-state.ts";

export interface SnapshotRun extends ColdRun {
  report: Report;
}

export interface SnapshotStage {
  state: PreparedState;
  snapshot(): Promise<SnapshotRun>;
  readAnswers(): Promise<ColdRun>;
}

export function onStage<Result>(
  options: { epochs: number },
  work: (stage: SnapshotStage) => Promise<Result>,
): Promise<Result> {
  return withDirectory(async (directory) => {
    const state = await prepareState(directory, options);
    const answers = await startAnswers({
      cluster: { ...PLANNED_CLUSTER, startsAt: state.startsAt },
      at: state.changedAt,
    });
    try {
      await withStores(state, (stores) => rehearse(toEnvironment({ stores, state, answers })));
      return await work({
        state,
        snapshot: () =>
          withStores(state, (stores) =>
            runSnapshot(toEnvironment({ stores, state, answers }), answers),
          ),
        readAnswers: () => runCold("test/bench/read-answers.ts", { args: [answers.url] }),
      });
    } finally {
      await answers.close();
    }
  });
}

type Stores = PreparedState["directories"];

function withStores<Result>(
  { directories }: PreparedState,
  use: (stores: Stores) => Promise<Result>,
): Promise<Result> {
  return withDirectory(async (copy) => {
    const stores = { public: join(copy, "public"), state: join(copy, "state") };
    await linkCopy(directories.public, stores.public);
    await linkCopy(directories.state, stores.state);
    return use(stores);
  });
}

/**
 * Hard links: instant, and the ETags stay. Safe because
 * stores replace files and never write into them.
 */
async function linkCopy(from: string, to: string): Promise<void> {
  await mkdir(to, { recursive: true });
  for (const child of await readdir(from, { withFileTypes: true })) {
    const [source, target] = [join(from, child.name), join(to, child.name)];
    await (child.isDirectory() ? linkCopy(source, target) : link(source, target));
  }
}

function toEnvironment({
  stores,
  state,
  answers,
}: {
  stores: Stores;
  state: PreparedState;
  answers: Answers;
}) {
  return {
    RUGWATCH_PUBLIC: `file:${stores.public}`,
    RUGWATCH_STATE: `file:${stores.state}`,
    MAINNET_RPC_URLS: answers.rpcUrls.join(","),
    MAINNET_MEV_URL: answers.mevUrl,
    GEO_CITY_MMDB: state.geo.city,
    GEO_ASN_MMDB: state.geo.asn,
    STAKE_SCAN_MINUTES: "60",
  };
}

/** Makes the run's answers beforehand. */
async function rehearse(environment: Record<string, string>): Promise<void> {
  const settings = readSettings(environment);
  const { network } = PLANNED_CLUSTER;
  const locations = await openLocations({
    cityFile: settings.geo.cityFile,
    asnFile: settings.geo.asnFile,
  });
  const context = await openContext({
    network,
    settings,
    clock: createSystemClock(),
    locations,
    newSeries: false,
  });
  try {
    await observe(context, "snapshot", createReport("snapshot", network));
  } finally {
    await context.close();
  }
}

async function runSnapshot(env: Record<string, string>, answers: Answers): Promise<SnapshotRun> {
  const { unprepared } = await answers.asked();
  const run = await runScript("generate", { args: ["snapshot", "--json"], env });
  const report = JSON.parse(run.output) as Report;
  const asked = await answers.asked();
  if (asked.unprepared > unprepared)
    throw new Error("the run asked for answers that were not prepared");
  if (report.accepted !== true || report.skipped !== null || report.events === 0)
    throw new Error(`the run is not the one to measure: ${run.output}`);
  return { ...run, report };
}
