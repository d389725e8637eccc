import { spawn } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { NETWORKS } from "../../../generator/contract/networks.ts";
import { CONTENT_TYPE } from "../../../generator/contract/objects.ts";
import { openFileStore } from "../../../generator/store/files.ts";
import { makePublished } from "./published.ts";

/** A proxy in a process of its own. */
export interface LiveProxy {
  url: string;
  /** What went wrong in it: lines of its log that are errors, and an end it was not told to come to. */
  stop(): Promise<string[]>;
}

/** Starts `proxy/main.ts` without a limit, over a store of `published.ts`. */
export async function startLiveProxy(): Promise<LiveProxy> {
  const directory = await mkdtemp(join(tmpdir(), "rugwatch-fuzz-"));
  const store = openFileStore(directory);
  for (const { key, body } of makePublished()) await store.put(key, body, { expect: "any", contentType: CONTENT_TYPE });

  // No cluster answers at these addresses: the epoch is that of the snapshot.
  const silent = Object.fromEntries(
    NETWORKS.map((network) => [`${network.toUpperCase()}_RPC_URLS`, "http://127.0.0.1:9"]),
  );
  const env = { ...silent, PORT: "0", RUGWATCH_PUBLIC: `file:${directory}`, RATE_LIMIT_PER_MINUTE: "1000000" };
  const child = spawn(process.execPath, [join(import.meta.dirname, "../../../proxy/main.ts")], {
    env,
    stdio: ["ignore", "ignore", "pipe"],
  });
  let log = "";
  const exited = new Promise<number | string>((resolve) =>
    child.once("exit", (code, signal) => resolve(code ?? signal ?? "")),
  );
  const listening = new Promise<string>((resolve) => {
    child.stderr.setEncoding("utf8").on("data", (text: string) => {
      log += text;
      const url = /listening on (http:\/\/[\w.:]+)/.exec(log)?.[1];
      if (url !== undefined) resolve(url);
    });
  });
  const failed = exited.then((code) => Promise.reject(new Error(`The proxy ended with ${code}: ${log}`)));
  failed.catch(() => undefined);
  const url = await Promise.race([listening, failed]);
  return {
    url,
    async stop() {
      const isAlive = child.exitCode === null && child.signalCode === null;
      child.kill("SIGTERM");
      const code = await exited;
      await rm(directory, { recursive: true });
      const faults = log.split("\n").filter((line) => line !== "" && !/"level":"(?:info|warn)"/.test(line));
      return isAlive && code === 0 ? faults : [...faults, `The proxy ended with ${code}.`];
    },
  };
}
