import { join } from "node:path";
import { toLine } from "../../generator/commands/report-line.ts";
import type { Context } from "../../generator/service/context.ts";
import { run } from "../../generator/service/run.ts";
import { fromObjectKey } from "../../generator/contract/object-keys.ts";
import type { ObjectReference } from "../../generator/contract/objects.ts";
import { makeSettings } from "../service/settings.ts";
import { createCluster } from "../cluster/cluster.ts";
import { createSteppedClock } from "../cluster/stepped-clock.ts";
import { writeGeoDatabases } from "../cluster/chain/geo-databases.ts";
import { startSimulator } from "../cluster/simulator.ts";
import type { OperationCounts } from "../../generator/store/counting.ts";
import { openMemoryStore } from "../../generator/store/memory.ts";
import type { ObjectStore } from "../../generator/store/store.ts";
import { watchTraffic, type MethodTraffic } from "./endpoint-traffic.ts";
import { DAY_MILLISECONDS, EPOCH_MILLISECONDS, PLANNED_CLUSTER } from "./planning-size.ts";

const { network, validators } = PLANNED_CLUSTER;
/** Puts an epoch boundary into the day. */
const BEGINS_AT_EPOCHS = 0.75;
/** Only sums are published: the number changes no write. */
const STAKE_ACCOUNTS_PER_VALIDATOR = 60;
export const STAKE_SCAN_TIMES =
  PLANNED_CLUSTER.stakeAccounts / (validators * STAKE_ACCOUNTS_PER_VALIDATOR);
const STARTS_AT = Date.UTC(2026, 10, 19, 12);

export interface SimulatedDay {
  documents: number;
  observations: number;
  events: number;
  counts: OperationCounts;
  puts: Put[];
  reads: Put[];
  stateStore: ObjectStore;
  traffic: MethodTraffic[];
  /** `generate run`'s standard error. */
  logBytes: number;
}

export interface Put {
  key: string;
  bytes: number;
}

/** null: in the state store. */
export function toReference({ key }: Put): ObjectReference | null {
  return fromObjectKey(network, key);
}

export interface DayOptions {
  checkSeconds?: number;
  milliseconds?: number;
}

/** Leaves out the first snapshot, which publishes everything. */
export async function playDay(
  directory: string,
  { checkSeconds = 60, milliseconds = DAY_MILLISECONDS }: DayOptions = {},
): Promise<SimulatedDay> {
  const stakeAccounts = validators * STAKE_ACCOUNTS_PER_VALIDATOR;
  const cluster = createCluster({ ...PLANNED_CLUSTER, stakeAccounts, startsAt: STARTS_AT });
  const clock = createSteppedClock(STARTS_AT + BEGINS_AT_EPOCHS * EPOCH_MILLISECONDS);
  const simulator = await startSimulator({ clusters: [cluster], now: clock.now });
  const geo = await writeGeoDatabases(join(directory, "geo"));
  const day: SimulatedDay = {
    documents: 0,
    observations: 0,
    events: 0,
    counts: { puts: 0, lists: 0, gets: 0, deletes: 0, bytes: 0 },
    puts: [],
    reads: [],
    stateStore: openMemoryStore(),
    traffic: [],
    logBytes: 0,
  };
  const traffic = watchTraffic();
  let before: OperationCounts | null = null;
  try {
    await run({
      settings: makeSettings({
        rpcUrls: { mainnet: simulator.rpcUrls(network), testnet: [], alpenglow: [] },
        mevUrls: { mainnet: simulator.mevUrl(network), testnet: null, alpenglow: null },
        checkSeconds,
        geo: { cityFile: geo.city, asnFile: geo.asn },
      }),
      clock,
      network,
      newSeries: false,
      signal: new AbortController().signal,
      forMilliseconds: milliseconds,
      onReport(report, context) {
        day.stateStore = context.stateStore;
        if (before === null) {
          before = context.counts();
          watch(context, day);
          traffic.reset();
          day.documents = report.documents.written;
          return;
        }
        day.observations += 1;
        day.events += report.events;
        day.logBytes += Buffer.byteLength(toLine(report)) + 1;
        day.counts = subtract(context.counts(), before);
      },
      onError(error) {
        throw error;
      },
    });
  } finally {
    traffic.stop();
    await simulator.close();
  }
  day.traffic = traffic.read();
  return day;
}

function watch({ publicStore, stateStore }: Context, { puts, reads }: SimulatedDay): void {
  for (const store of [publicStore, stateStore]) {
    const [put, get] = [store.put.bind(store), store.get.bind(store)];
    store.put = (key, body, options) => {
      puts.push({ key, bytes: body.byteLength });
      return put(key, body, options);
    };
    store.get = async (key) => {
      const object = await get(key);
      if (object !== null) reads.push({ key, bytes: object.body.byteLength });
      return object;
    };
  }
}

function subtract(after: OperationCounts, before: OperationCounts): OperationCounts {
  const parts = Object.keys(after) as (keyof OperationCounts)[];
  return Object.fromEntries(
    parts.map((part) => [part, after[part] - before[part]]),
  ) as unknown as OperationCounts;
}
