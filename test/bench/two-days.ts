import { createSystemClock, openContext, type Context } from "../../generator/service/context.ts";
import { observe } from "../../generator/service/observing.ts";
import { createReport } from "../../generator/service/report.ts";
import { makeSettings } from "../service/settings.ts";
import { openLocations } from "../../generator/observe/locations.ts";
import { createCluster, type Cluster } from "../cluster/cluster.ts";
import { startSimulator } from "../cluster/simulator.ts";
import type { CheckEntry, SnapshotEntry, SnapshotRow } from "../../generator/entries/entry.ts";
import { DAY_MILLISECONDS, PLANNED_CLUSTER } from "./planning-size.ts";

const MINUTE_MILLISECONDS = 60_000;

const SCAN_EVERY_MINUTES = 60;
const SNAPSHOT_EVERY_MINUTES = 10;

interface TwoDaysOptions {
  startsAt: number;
  until: number;
  geo: { city: string; asn: string };
  days?: number;
}

/**
 * One real check and snapshot, repeated with each minute's time, slot and vote credits.
 */
export async function* toTwoDays(
  options: TwoDaysOptions,
): AsyncGenerator<CheckEntry | SnapshotEntry> {
  const { startsAt, until, days = 2 } = options;
  const cluster = createCluster({
    ...PLANNED_CLUSTER,
    stakeAccounts: PLANNED_CLUSTER.validators * 6,
    startsAt,
  });
  const last = await observeFirst(cluster, options);
  const minutes = Math.floor((days * DAY_MILLISECONDS) / MINUTE_MILLISECONDS);
  let hasReadRewards = false;
  for (let minute = 0; minute < minutes; minute += 1) {
    const time = until - (minutes - minute) * MINUTE_MILLISECONDS;
    if (minute % SNAPSHOT_EVERY_MINUTES !== 0) yield tellAt(cluster, last.check, time);
    else {
      const entry = tellAt(cluster, last.snapshot, time);
      const readsRewards: boolean = !hasReadRewards && entry.epoch === last.snapshot.epoch;
      hasReadRewards ||= readsRewards;
      yield toSnapshot(entry, { isScanned: minute % SCAN_EVERY_MINUTES === 0, readsRewards });
    }
  }
}

async function observeFirst(cluster: Cluster, { until, geo }: TwoDaysOptions) {
  const simulator = await startSimulator({ clusters: [cluster], now: () => until });
  const { network } = PLANNED_CLUSTER;
  const context = await openContext({
    network,
    settings: makeSettings({
      rpcUrls: { mainnet: simulator.rpcUrls(network), testnet: [], alpenglow: [] },
      mevUrls: { mainnet: simulator.mevUrl(network), testnet: null, alpenglow: null },
      geo: { cityFile: geo.city, asnFile: geo.asn },
    }),
    clock: { ...createSystemClock(), now: () => until },
    locations: await openLocations({ cityFile: geo.city, asnFile: geo.asn }),
    newSeries: false,
  });
  try {
    for (const kind of ["snapshot", "check"] as const)
      await observe(context, kind, createReport(kind, network));
    return await readBoth(context);
  } finally {
    await context.close();
    await simulator.close();
  }
}

async function readBoth({
  journal,
}: Context): Promise<{ check: CheckEntry; snapshot: SnapshotEntry }> {
  const { names } = await journal.list(null);
  const read = await Array.fromAsync(journal.read(names));
  const entries = read.flatMap((one) => ("entry" in one ? [one.entry] : []));
  const [check, snapshot] = [
    entries.find(({ kind }) => kind === "check"),
    entries.find(({ kind }) => kind === "snapshot"),
  ];
  if (check?.kind !== "check" || snapshot?.kind !== "snapshot")
    throw new Error("the simulated cluster was refused");
  return { check, snapshot };
}

/** Every answer is as old as it was. */
function tellAt<Kind extends CheckEntry | SnapshotEntry>(
  { calendar }: Cluster,
  last: Kind,
  time: number,
): Kind {
  const { slot: absoluteSlot, slotIndex, epoch } = calendar.momentAt(time);
  const passed = absoluteSlot - last.absoluteSlot;
  const panel = last.panel.map((row) => ({
    ...row,
    slot: row.slot === null ? null : row.slot + passed,
    epoch: row.epoch === null ? null : row.epoch + epoch - last.epoch,
    firstSlot: row.firstSlot === null ? null : row.firstSlot + passed + last.slotIndex - slotIndex,
    list: row.list === null ? null : { ...row.list, slot: row.list.slot + passed },
  }));
  const accounts = last.accounts.map((answer) =>
    answer.state === "ok" ? { ...answer, slot: answer.slot + passed } : answer,
  );
  const moment = {
    time: new Date(time).toISOString(),
    slot: last.slot + passed,
    absoluteSlot,
    slotIndex,
    epoch,
  };
  return { ...last, ...moment, panel, accounts };
}

/**
 * Scans hourly, and as often tips: those that are known are not asked for again. Only the first
 * snapshot of the newest epoch reads rewards, those of the epoch before.
 */
function toSnapshot(
  entry: SnapshotEntry,
  { isScanned, readsRewards }: { isScanned: boolean; readsRewards: boolean },
): SnapshotEntry {
  const { time, epoch, absoluteSlot, votes, stakeAccounts, tips, rewards } = entry;
  if (stakeAccounts.state !== "ok") throw new Error("the stake accounts were not read");
  const notDue = { state: "skipped", off: false } as const;
  const scan = { ...stakeAccounts, value: { ...stakeAccounts.value, epoch, asOf: time } };
  return {
    ...entry,
    votes: votes.map((row) => ({ ...row, credits: earnUntil(row.credits, absoluteSlot) })),
    stakeAccounts: isScanned ? scan : notDue,
    tips: isScanned ? tips : notDue,
    rewards: readsRewards ? rewards : notDue,
  };
}

/** A validator that votes earns in each slot. */
function earnUntil(credits: SnapshotRow["credits"], slot: number): SnapshotRow["credits"] {
  const newest = credits.at(-1);
  if (newest === null || newest === undefined) return credits;
  const [epoch, earned, before] = newest;
  return [...credits.slice(0, -1), [epoch, earned + BigInt(slot), before]];
}
