import type { ServerResponse } from "node:http";
import { onTestFinished } from "vitest";
import { startServer } from "../rpc/rpc-server.ts";
import { spawnProxy } from "./spawn-proxy.ts";

/** A proxy in a process of its own; the test's end is its end at the latest. */
export function startProcess(environment: Record<string, string>) {
  const proxy = spawnProxy({ RUGWATCH_PUBLIC: "memory:", ...environment });
  onTestFinished(() => void proxy.kill("SIGKILL"));
  return proxy;
}

/** A store over HTTP that answers when the test says so. */
export async function openHeldStore() {
  const waiting: ServerResponse[] = [];
  let tell = (): void => undefined;
  const server = await startServer((_, response) => {
    waiting.push(response);
    tell();
  });
  onTestFinished(() => server.close());
  /** Resolves with the next request, which waits for its answer. */
  async function nextRequest(): Promise<ServerResponse> {
    if (waiting.length === 0) await new Promise<void>((resolve) => (tell = resolve));
    return waiting.shift()!;
  }
  return { url: `${server.url}/site`, nextRequest };
}
