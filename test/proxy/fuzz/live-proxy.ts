import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { NETWORKS } from "../../../generator/contract/networks.ts";
import { CONTENT_TYPE } from "../../../generator/contract/objects.ts";
import { openFileStore } from "../../../generator/store/files.ts";
import { spawnProxy } from "../spawn-proxy.ts";
import { makePublished } from "./published.ts";

const STOP_MILLISECONDS = 15_000;

/** A proxy in a process of its own. */
interface LiveProxy {
  url: string;
  /** Errors in its log, and an unexpected end. */
  stop(): Promise<string[]>;
}

/** Starts `proxy/main.ts` without a limit, over a store of `published.ts`. */
export async function startLiveProxy(): Promise<LiveProxy> {
  const directory = await mkdtemp(join(tmpdir(), "rugwatch-fuzz-"));
  const store = openFileStore(directory);
  for (const { key, body } of makePublished())
    await store.put(key, body, { expect: "any", contentType: CONTENT_TYPE });

  // No cluster answers here: the epoch is the snapshot's.
  const silent = Object.fromEntries(
    NETWORKS.map((network) => [`${network.toUpperCase()}_RPC_URLS`, "http://127.0.0.1:9"]),
  );
  const proxy = spawnProxy({
    ...silent,
    RUGWATCH_PUBLIC: `file:${directory}`,
    RATE_LIMIT_PER_MINUTE: "1000000",
  });
  let code: number | null | undefined;
  void proxy.exited.then((ended) => (code = ended));
  return {
    url: await proxy.getUrl(),
    async stop() {
      const isAlive = code === undefined;
      await proxy.stop(STOP_MILLISECONDS);
      await rm(directory, { recursive: true });
      const faults = proxy.lines.filter(
        (line) => line !== "" && !/"level":"(?:info|warn)"/.test(line),
      );
      return isAlive && code === 0 ? faults : [...faults, `The proxy ended with ${String(code)}.`];
    },
  };
}
