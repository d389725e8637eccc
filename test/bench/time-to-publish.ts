import { spawn } from "node:child_process";
import { readFile, stat } from "node:fs/promises";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { setTimeout as pause } from "node:timers/promises";
import { z } from "zod";
import { toObjectKey } from "../../generator/contract/object-keys.ts";
import { createCluster, type Cluster } from "../cluster/cluster.ts";
import { startSimulator, type Simulator } from "../cluster/simulator.ts";
import { againstBudget, median, withDirectory } from "./measuring.ts";
import { PLANNED_CLUSTER } from "./planning-size.ts";

const { network, validators } = PLANNED_CLUSTER;
/** Short, for many changes in a few minutes. */
const EPOCH_MILLISECONDS = 2 * 60 * 60_000;
const EPOCHS_BEFORE = 2.4;
/** Longer than ten minutes, so that a snapshot comes between the checks. */
const RUN_MINUTES = 11;
/** The first snapshot sees the past: what changes from here on is measured. */
const SETTLED_MILLISECONDS = 90_000;
const LOOK_MILLISECONDS = 100;
const CADENCES = [
  { checkSeconds: 60, secondsMax: 75 },
  { checkSeconds: 10, secondsMax: 20 },
] as const;

/**
 * Seconds from a finalized change of commission to its
 * event in the origin's documents, under `generate run`.
 */
export async function bench(): Promise<string> {
  const startsAt = Math.floor(Date.now() - EPOCHS_BEFORE * EPOCH_MILLISECONDS);
  const cluster = createCluster({
    ...PLANNED_CLUSTER,
    stakeAccounts: validators * 6,
    epochMilliseconds: EPOCH_MILLISECONDS,
    slotsPerEpoch: EPOCH_MILLISECONDS / 200,
    startsAt,
  });
  const simulator = await startSimulator({ clusters: [cluster], now: Date.now, isDated: true });
  try {
    const measured = await Promise.all(
      CADENCES.map(({ checkSeconds }) => measureRun(cluster, simulator, checkSeconds)),
    );
    return CADENCES.map(({ checkSeconds, secondsMax }, place) => {
      const delays = measured[place] ?? [];
      const slowest = againstBudget(Math.round(Math.max(...delays) * 10) / 10, secondsMax, "s");
      return `checks every ${checkSeconds} s: ${delays.length} changes published, the median after ${median(delays).toFixed(1)} s, the slowest after ${slowest}`;
    }).join("; ");
  } finally {
    await simulator.close();
  }
}

/** Seconds of each change; Infinity: it was never published. */
function measureRun(cluster: Cluster, simulator: Simulator, checkSeconds: number) {
  return withDirectory(async (directory) => {
    const publicFolder = join(directory, "public");
    const beganAt = Date.now();
    const running = spawnRun(simulator, { directory, publicFolder, checkSeconds });
    const seenAt = await watchEvents(
      join(publicFolder, toObjectKey(network, "events", {})),
      running,
    );
    const measuredFrom = beganAt + SETTLED_MILLISECONDS;
    const measuredUntil = beganAt + RUN_MINUTES * 60_000 - SETTLED_MILLISECONDS;
    const changes = cluster
      .plannedChanges(cluster.calendar.momentAt(beganAt).epoch)
      .filter(
        ({ source, atMilliseconds }) =>
          source === "COMMISSION" &&
          atMilliseconds > measuredFrom &&
          atMilliseconds < measuredUntil,
      );
    if (changes.length === 0) throw new Error("the cluster changed nothing to measure");
    return changes.map(({ vote, toBasisPoints, atMilliseconds }) => {
      const time = seenAt.get(toName(vote, Math.min(toBasisPoints ?? 0, 10_000) / 100)) ?? Infinity;
      return (time - atMilliseconds) / 1000;
    });
  });
}

/** @returns a promise of its end @throws {Error} with its output when it fails */
function spawnRun(
  simulator: Simulator,
  { directory, publicFolder, checkSeconds }: Places & { checkSeconds: number },
) {
  const program = ["generator/main.ts", "run", "--for", `${RUN_MINUTES}m`];
  const child = spawn(process.execPath, program, {
    stdio: ["ignore", "ignore", "pipe"],
    env: {
      ...process.env,
      RUGWATCH_PUBLIC: `file:${publicFolder}`,
      RUGWATCH_STATE: `file:${join(directory, "state")}`,
      MAINNET_RPC_URLS: honestUrls(simulator).join(","),
      MAINNET_MEV_URL: simulator.mevUrl(network) ?? "none",
      CHECK_SECONDS: String(checkSeconds),
    },
  });
  const ended = new Promise<number | null>((resolve) => child.once("close", resolve));
  return Promise.all([text(child.stderr), ended]).then(([complaints, status]) => {
    if (status !== 0) throw new Error(`generate run failed: ${complaints}`);
  });
}

interface Places {
  directory: string;
  publicFolder: string;
}

/** The budget holds for honest witnesses: the second endpoint's answers, from three origins. */
function honestUrls(simulator: Simulator): string[] {
  const urls = simulator.rpcUrls(network).map((url) => new URL(url));
  return urls.map(({ origin }) => origin + (urls[1]?.pathname ?? ""));
}

const eventsSchema = z.object({
  data: z.array(z.object({ votePubkey: z.string(), toCommission: z.number().nullable() })),
});

/** When each event first stood in the list, epoch milliseconds. */
async function watchEvents(file: string, running: Promise<void>): Promise<Map<string, number>> {
  const seenAt = new Map<string, number>();
  let isRunning = true;
  const ended = running.finally(() => (isRunning = false));
  let readAt = 0;
  while (isRunning) {
    const { mtimeMs } = (await stat(file).catch(() => null)) ?? { mtimeMs: 0 };
    if (mtimeMs > readAt) {
      readAt = mtimeMs;
      const { data } = eventsSchema.parse(JSON.parse(await readFile(file, "utf8")));
      for (const { votePubkey, toCommission } of data) {
        const name = toName(votePubkey, toCommission);
        if (!seenAt.has(name)) seenAt.set(name, mtimeMs);
      }
    }
    await Promise.race([pause(LOOK_MILLISECONDS), ended]);
  }
  await ended;
  return seenAt;
}

const toName = (vote: string, percent: number | null) => `${vote} ${percent}`;
