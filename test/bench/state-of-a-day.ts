import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Ledger } from "../../generator/ledger/ledger.ts";
import { listCheckpoints, loadCheckpoint, saveCheckpoint } from "../../generator/journal/checkpoints.ts";
import { FOLD_VERSION } from "../../generator/ledger/ledger.ts";
import { openMemoryStore } from "../../generator/store/memory.ts";
import type { ObjectStore } from "../../generator/store/store.ts";
import { countKeptCheckpoints } from "./kept-checkpoints.ts";
import { addLongPast } from "./long-past.ts";
import { againstBudget, NETWORK_SIZES, PLANNED_CLUSTER, PLANNED_EPOCHS } from "./planning-size.ts";
import { playDay } from "./simulated-day.ts";
import { toBill, toDollars } from "./store-prices.ts";
import { compactDay, type CompactedDay } from "./compacted-day.ts";

const MORE_MEGABYTES_MAX = 150;

const { network } = PLANNED_CLUSTER;

/** What a day leaves in the state store, loose and packed; and what a year of such days costs. */
export async function benchStateOfADay(): Promise<string> {
  const directory = await mkdtemp(join(tmpdir(), "rugwatch-bench-"));
  try {
    const day = await playDay(join(directory, "day"));
    const compacted = await compactDay(day.stateStore, join(directory, "state"));
    const checkpoint = await measureCheckpoint(day.stateStore);
    const kept = countKeptCheckpoints();
    const manifest = day.puts.findLast(({ key }) => key.startsWith("manifest"))?.bytes ?? 0;
    const bills = Object.values(NETWORK_SIZES).map((size) => toBill(day, compacted, size / NETWORK_SIZES.mainnet));
    const checkpoints = checkpoint * kept;
    const costs = bills.map((bill, index) =>
      toDollars({ ...bill, storedBytes: bill.storedBytes + (index === 0 ? checkpoints : 0) }, 12),
    );
    return [
      `loose ${toLoose(compacted)}, together ${toMegabytes(compacted.looseBytes)} MB`,
      `packed ${toMegabytes(compacted.packBytes)} MB, ${Math.round(compacted.looseBytes / compacted.packBytes)} times smaller`,
      `${kept} checkpoints kept of a year, of ${PLANNED_EPOCHS} epochs ${toMegabytes(checkpoint)} MB each; manifest ${toMegabytes(manifest)} MB`,
      `packing ${toStep(compacted, "packing")}; reading back and deleting ${toStep(compacted, "deleting")}`,
      `a year at S3 list price: requests $${toPrice(costs[0]?.requests)}, storage $${toPrice(costs[0]?.storage)}`,
      `with testnet and alpenglow $${toPrice(sum(costs.map(({ requests, storage }) => requests + storage)))}`,
    ].join("; ");
  } finally {
    await rm(directory, { recursive: true });
  }
}

function toLoose({ loose }: CompactedDay): string {
  const kinds = [...loose].sort(([, one], [, other]) => other.bytes - one.bytes);
  return kinds.map(([kind, { count, bytes }]) => `${kind} ${count} of ${toMegabytes(bytes)} MB`).join(", ");
}

function toStep(compacted: CompactedDay, step: "packing" | "deleting"): string {
  const { seconds, peakMegabytes } = compacted[step];
  const more = Math.round(peakMegabytes - compacted.idleMegabytes);
  return `${seconds.toFixed(1)} s, ${againstBudget(more, MORE_MEGABYTES_MAX, "MB more")}`;
}

/** Bytes of the day's newest checkpoint, given a past of planning size. */
async function measureCheckpoint(store: ObjectStore): Promise<number> {
  const place = { store, network, series: 1 };
  const [head] = await listCheckpoints(place, { foldVersion: FOLD_VERSION, fromDay: null });
  const loaded = head && (await loadCheckpoint<Ledger>(place, { head, foldVersion: FOLD_VERSION }));
  if (loaded === undefined || "unreadable" in loaded) throw new Error("the day left no checkpoint");
  const { ledger } = loaded;
  addLongPast(ledger, PLANNED_EPOCHS - ledger.epochs.length);
  const memory = { ...place, store: openMemoryStore() };
  const key = await saveCheckpoint(memory, { ledger, foldVersion: FOLD_VERSION, digest: head?.digest ?? "" });
  return (await memory.store.head(key))?.size ?? 0;
}

function toMegabytes(bytes: number): string {
  return (bytes / 1e6).toFixed(1);
}

function toPrice(dollars = 0): string {
  return dollars.toFixed(2);
}

function sum(values: number[]): number {
  return values.reduce((total, value) => total + value, 0);
}
