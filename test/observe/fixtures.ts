import { existsSync } from "node:fs";
import { resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { encodePublicKey } from "../../generator/chain/public-key.ts";
import { createRpc, type Rpc } from "../../generator/rpc/rpc.ts";
import type { RpcReader } from "../../generator/rpc/reader.ts";
import { startNode, type Methods } from "../rpc/rpc-server.ts";

const given = process.env["RUGWATCH_TEST_RECORDED"] ?? "";

/**
 * Recorded answers of live clusters, which CONTRIBUTING.md
 * describes; the project has none, because their licences differ.
 */
export const RECORDED =
  given === ""
    ? new URL("../../../shared/data/", import.meta.url)
    : pathToFileURL(`${resolve(given)}/`);

/** What was named must be there: a wrong path fails. */
export const HAS_RECORDED = given !== "" || existsSync(RECORDED);

/** Ends the titles of the tests that need them. */
export const OF_RECORDED = HAS_RECORDED
  ? ""
  : " (skipped: RUGWATCH_TEST_RECORDED names no folder of recorded answers)";

export function key(byte: number): string {
  return encodePublicKey(new Uint8Array(32).fill(byte));
}

/** Only sleeping moves it. */
export function createClock(start = Date.UTC(2026, 10, 20)) {
  let time = start;
  const slept: number[] = [];
  const awaited = new Set<{ at: number; task: () => void }>();
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
    /** Comes by `pass` alone, for what only waits while others answer. */
    later: (milliseconds: number, task: () => void) => {
      const one = { at: time + milliseconds, task };
      awaited.add(one);
      return () => void awaited.delete(one);
    },
    /** Goes to `until`, or to the next that is awaited if that is sooner. */
    pass: (until: number) => {
      time = Math.max(time, Math.min(until, ...[...awaited].map(({ at }) => at)));
      for (const one of awaited) {
        if (one.at > time) continue;
        awaited.delete(one);
        one.task();
      }
    },
  };
}

export async function withRpc<T>(
  nodes: readonly { url: string }[],
  clock: ReturnType<typeof createClock>,
  task: (rpc: Rpc) => Promise<T>,
): Promise<T> {
  const endpoints = nodes.map(({ url }) => url);
  const rpc = createRpc({ endpoints, now: clock.now, sleep: clock.sleep, random: () => 0 });
  return task(rpc).finally(() => rpc.close());
}

export async function withReader<T>(
  url: string,
  task: (reader: RpcReader) => Promise<T>,
): Promise<T> {
  const clock = createClock();
  return withRpc([{ url }], clock, (rpc) => task(rpc.endpoints[0]!.until(clock.now() + 60_000)));
}

export async function readFrom<T>(
  methods: Methods,
  task: (reader: RpcReader) => Promise<T>,
): Promise<T> {
  const node = await startNode(methods);
  return withReader(node.url, task).finally(() => node.close());
}
