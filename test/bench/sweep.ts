import { againstBudget, runBesideCluster, sum } from "./measuring.ts";
import { EPOCH_MILLISECONDS, PLANNED_CLUSTER, SLOTS_PER_EPOCH } from "./planning-size.ts";
import type { SweepCost, SweepProcessOptions } from "./sweep-process.ts";

const SNAPSHOT_MILLISECONDS = 600_000;
const SNAPSHOTS_OF_EPOCH = EPOCH_MILLISECONDS / SNAPSHOT_MILLISECONDS;
const HISTORY_EPOCHS = 10;
const BEGINS_AT = Date.UTC(2026, 10, 20, 10);

/** Public endpoints' limits per address and ten seconds. */
const OF_METHOD_MAX = 40;
const OF_ALL_MAX = 100;

export async function bench(): Promise<string> {
  const epoch = await measure({ snapshots: SNAPSHOTS_OF_EPOCH }, { epochsBefore: 1.02 });
  const history = await measure({ epochs: HISTORY_EPOCHS }, { epochsBefore: HISTORY_EPOCHS + 0.5 });
  return [
    `an epoch of ${PLANNED_CLUSTER.validators.toLocaleString("en")} validators: ${toText(epoch)}`,
    `proving one change: ${epoch.ofEvent.calls.toFixed(1)} calls per endpoint, ${epoch.ofEvent.seconds.toFixed(1)} s at the pace of public endpoints, ${epoch.ofEvent.processorMilliseconds.toFixed(0)} ms of processor time`,
    `transactions --epochs ${HISTORY_EPOCHS}: ${toText(history)}, ${history.minutes.toFixed(0)} min at that pace`,
  ].join("; ");
}

function toText(cost: SweepCost): string {
  const { calls, most, searches, processorSeconds, entries, bytes, events, covered } = cost;
  const byEndpoint = [...Map.groupBy(calls, ({ host }) => host)].map(([host, own]) => ({
    own,
    host,
    total: sum(own.map(({ count }) => count)),
  }));
  const [busiest] = byEndpoint.sort((one, other) => other.total - one.total);
  const methods = (busiest?.own ?? []).sort((one, other) => other.count - one.count);
  return [
    `${searches} searches, calls by endpoint ${byEndpoint.map(({ total }) => total).join(", ")}`,
    `the busiest endpoint ${methods.map(({ method, count }) => `${method} ${count}`).join(", ")}`,
    `most in any 10 s ${againstBudget(most.ofMethod, OF_METHOD_MAX, "calls of one method")}, ${againstBudget(most.ofAll, OF_ALL_MAX, "calls in all")}`,
    `${processorSeconds.toFixed(1)} s of processor time`,
    `${entries} entries of ${(bytes / 1e6).toFixed(2)} MB`,
    `${covered} authorities covered, ${events.proved} of ${events.inflation} changes proved`,
  ].join(", ");
}

async function measure(
  read: SweepProcessOptions["read"],
  { epochsBefore }: { epochsBefore: number },
): Promise<SweepCost> {
  const startsAt = BEGINS_AT - Math.round(epochsBefore * EPOCH_MILLISECONDS);
  const transactionSlots = Math.ceil(epochsBefore + 2) * SLOTS_PER_EPOCH;
  const cluster = { beginsAt: BEGINS_AT, startsAt, transactionSlots };
  return (await runBesideCluster("sweep-process.ts", { read }, cluster)) as SweepCost;
}
