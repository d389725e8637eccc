import { listCheckpoints, loadCheckpoint, saveCheckpoint } from "../../generator/journal/checkpoints.ts";
import { FOLD_VERSION, type Ledger } from "../../generator/ledger/ledger.ts";
import { openMemoryStore } from "../../generator/store/memory.ts";
import type { ObjectStore } from "../../generator/store/store.ts";
import { addLongPast } from "./long-past.ts";
import { againstBudget, sum, toMegabytes } from "./measuring.ts";
import { NETWORK_SIZES, PLANNED_CLUSTER, PLANNED_EPOCHS } from "./planning-size.ts";
import { countKeptCheckpoints, toBill, toDollars } from "./store-day.ts";
import { playCompactedDay, type CompactedDay } from "./compacted-day.ts";

const MORE_MEGABYTES_MAX = 150;

const { network } = PLANNED_CLUSTER;

/** A day's bytes in the state store, loose and packed, and a year's cost. */
export async function benchStateOfADay(): Promise<string> {
  const { day, compacted } = await playCompactedDay();
  const checkpoint = await measureCheckpoint(day.stateStore);
  const kept = countKeptCheckpoints();
  const manifest = day.puts.findLast(({ key }) => key.startsWith("manifest"))?.bytes ?? 0;
  const costs = Object.values(NETWORK_SIZES).map((size, index) => {
    const bill = toBill(day, compacted, size / NETWORK_SIZES.mainnet);
    return toDollars({ ...bill, storedBytes: bill.storedBytes + (index === 0 ? checkpoint * kept : 0) }, 12);
  });
  const kinds = [...compacted.loose].sort(([, one], [, other]) => other.bytes - one.bytes);
  const loose = kinds.map(([kind, { count, bytes }]) => `${kind} ${count} (${toMegabytes(bytes)} MB)`).join(", ");
  const all = sum(costs.map(({ requests, storage }) => requests + storage));
  return [
    `loose entries ${loose}, ${toMegabytes(compacted.looseBytes)} MB in all`,
    `packed ${toMegabytes(compacted.packBytes)} MB, ${Math.round(compacted.looseBytes / compacted.packBytes)} times smaller`,
    `${kept} checkpoints of a year stay, ${toMegabytes(checkpoint)} MB each after ${PLANNED_EPOCHS} epochs; manifest ${toMegabytes(manifest)} MB`,
    `packing takes ${toStep(compacted, "packing")}; reading back and deleting takes ${toStep(compacted, "deleting")}`,
    `a year at S3 list prices: requests $${costs[0]?.requests.toFixed(2)}, storage $${costs[0]?.storage.toFixed(2)}`,
    `all networks $${all.toFixed(2)}`,
  ].join("; ");
}

function toStep(compacted: CompactedDay, step: "packing" | "deleting"): string {
  const { seconds, peakMegabytes } = compacted[step];
  const more = Math.round(peakMegabytes - compacted.idleMegabytes);
  return `${seconds.toFixed(1)} s and ${againstBudget(more, MORE_MEGABYTES_MAX, "MB of extra memory")}`;
}

/** The day's newest checkpoint with a past of planning size. */
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
