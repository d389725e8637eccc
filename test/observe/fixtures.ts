import { existsSync } from "node:fs";
import { encodePublicKey } from "../../generator/chain/public-key.ts";
import { createRpc, type Rpc } from "../../generator/rpc/rpc.ts";
import type { RpcReader } from "../../generator/rpc/reader.ts";
import { startNode, type Methods } from "../rpc/rpc-server.ts";

/** Recorded answers of live clusters, which are not part of the project: tests on them are skipped where they are missing. */
export const RECORDED = new URL("../../../shared/data/", import.meta.url);
export const HAS_RECORDED = existsSync(RECORDED);

/** A public key of 32 equal bytes. */
export function key(byte: number): string {
  return encodePublicKey(new Uint8Array(32).fill(byte));
}

/** A clock that only sleeping moves. */
export function createClock(start = Date.UTC(2026, 10, 20)) {
  let time = start;
  const slept: number[] = [];
  return {
    now: () => time,
    slept,
    sleep: (milliseconds: number) => {
      slept.push(milliseconds);
      time += milliseconds;
      return Promise.resolve();
    },
    advance: (milliseconds: number) => {
      time += milliseconds;
    },
  };
}

/** Runs a task with a client of these nodes, by a clock that only sleeping moves. */
export async function withRpc<T>(
  nodes: readonly { url: string }[],
  clock: ReturnType<typeof createClock>,
  task: (rpc: Rpc) => Promise<T>,
): Promise<T> {
  const endpoints = nodes.map(({ url }) => url);
  const rpc = createRpc({ endpoints, now: clock.now, sleep: clock.sleep, random: () => 0 });
  return task(rpc).finally(() => rpc.close());
}

/** Runs a task with a reader of one endpoint, which has a minute. */
export async function withReader<T>(url: string, task: (reader: RpcReader) => Promise<T>): Promise<T> {
  const clock = createClock();
  return withRpc([{ url }], clock, (rpc) => task(rpc.endpoints[0]!.until(clock.now() + 60_000)));
}

/** What a task reads from a node with these methods. */
export async function readFrom<T>(methods: Methods, task: (reader: RpcReader) => Promise<T>): Promise<T> {
  const node = await startNode(methods);
  return withReader(node.url, task).finally(() => node.close());
}
