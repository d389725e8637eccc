import { afterEach, expect } from "vitest";
import {
  createObserver,
  type Observed,
  type Observer,
  type ObserverOptions,
} from "../../generator/observe/observation.ts";
import type { SideRequest } from "../../generator/observe/side-sources.ts";
import type { SnapshotRequest } from "../../generator/observe/snapshot.ts";
import { createRpc, type Rpc } from "../../generator/rpc/rpc.ts";
import { withHanging } from "../rpc/hanging.ts";
import { GENESIS, healthyNode } from "./cluster.ts";
import { createClock } from "./fixtures.ts";
import { RpcFailure } from "../cluster/rpc/failure.ts";
import { startNode, type Methods, type TestServer } from "../rpc/rpc-server.ts";

export const servers: Pick<TestServer, "close">[] = [];
const observers: Observer[] = [];
const clients: Rpc[] = [];

afterEach(async () => {
  await Promise.all([...observers.splice(0), ...clients.splice(0)].map((one) => one.close()));
  await Promise.all(servers.splice(0).map((server) => server.close()));
});

export async function observe(changes: Methods[], options: Partial<ObserverOptions> = {}) {
  const nodes = await Promise.all(
    changes.map((change) => startNode({ ...healthyNode(), ...change })),
  );
  servers.push(...nodes);
  const clock = createClock();
  const observer = createObserver({
    network: "mainnet",
    endpoints: nodes.map(({ url }) => url),
    mevUrl: null,
    locations: null,
    genesis: GENESIS,
    now: clock.now,
    timer: clock.now,
    sleep: clock.sleep,
    later: clock.later,
    random: () => 0,
    ...options,
  });
  observers.push(observer);
  return { observer, nodes, clock };
}

/** With calls that are never answered; see `withHanging`. */
export async function observeHanging(
  changes: Methods[],
  hanging: Parameters<typeof withHanging>[2],
  addresses: readonly string[] = [],
) {
  const { nodes, clock } = await observe(changes);
  const endpoints = [...addresses, ...nodes.map(({ url }) => url)];
  const client = createRpc({ endpoints, now: clock.now, sleep: clock.sleep, random: () => 0 });
  clients.push(client);
  const rpc = withHanging(client, clock, hanging);
  const { observer } = await observe([], {
    endpoints,
    rpc,
    now: clock.now,
    timer: clock.now,
    sleep: clock.sleep,
    later: clock.later,
  });
  return { observer, nodes, clock };
}

const NO_SIDES: SideRequest = {
  scanStakeAccounts: false,
  readIssuance: false,
  readRewards: false,
  onStakeRecords: null,
  tips: [],
  controls: [],
  closed: null,
  tipAmounts: [],
  priorityFees: [],
};

/** A snapshot that reads these beside the vote accounts. */
export function asking(sides: Partial<SideRequest>): SnapshotRequest {
  return { expected: [], sides: () => ({ ...NO_SIDES, ...sides }) };
}

export const SMALL = asking({});
export const WHOLE_SIDES: SideRequest = {
  ...NO_SIDES,
  scanStakeAccounts: true,
  readIssuance: true,
};
export const WHOLE = asking(WHOLE_SIDES);

export function entryOf<E>(observed: Observed<E>): E {
  if (!observed.passed) throw new Error(observed.reason);
  return observed.entry;
}

export async function snapshotOf(
  changes: Methods[],
  request = WHOLE,
  options: Partial<ObserverOptions> = {},
) {
  const { observer } = await observe(changes, options);
  return entryOf(await observer.snapshot(request));
}

export function reasonOf(observed: Observed<unknown>): string {
  if (observed.passed) throw new Error("the observation passed");
  return observed.reason;
}

/** What an entry says of a source or a witness that could not answer. */
export const failed = (reason: string) => ({
  state: "failed",
  reason: expect.stringContaining(reason) as string,
});

export const fails = (code: number, message: string) => () => {
  throw new RpcFailure(code, message);
};

export function inTurn(...answers: unknown[]) {
  let count = 0;
  return (params: unknown[]) => {
    const answer = answers[Math.min(count++, answers.length - 1)];
    return typeof answer === "function"
      ? (answer as (params: unknown[]) => unknown)(params)
      : answer;
  };
}
