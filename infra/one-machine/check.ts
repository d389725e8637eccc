import { setTimeout as sleep } from "node:timers/promises";
import { z } from "zod";
import { OPERATIONS } from "../../generator/contract/operations.ts";
import { measureLoad } from "./load.ts";
import { waitForRug } from "./rug.ts";

export interface CheckOptions {
  /** Of nginx. */
  url: string;
  /** Of the simulated cluster, comma separated. */
  rpcUrls: string;
  /** For what is needed on the way. */
  directory: string;
  say: (line: string) => void;
  signal: AbortSignal;
}

const FIRST_SNAPSHOT_MILLISECONDS = 60_000;
const LOOK_AGAIN_MILLISECONDS = 1_000;
/** Those that the spec does not have. */
const OWN_ENDPOINTS = new Set(["status", "exports", "openapi"]);

const listSchema = z.object({ data: z.array(z.object({ votePubkey: z.string() })).min(1) });
const epochSchema = z.object({ data: z.object({ epoch: z.int() }) });

/** Asks through nginx all that there is. @throws {Error} naming the first thing that is not as it should be */
export async function check(options: CheckOptions): Promise<void> {
  const { url, say, signal } = options;
  await waitForSnapshot(url, signal);
  const paths = await toPaths(url);
  for (const path of paths) await checkTwice(url, path);
  say(`check     all ${paths.length} endpoints of the spec answer through nginx, the second time from its cache`);
  say(`check     ${await measureLoad({ ...options, paths })}`);
  say(`check     ${await waitForRug(options)}`);
}

async function waitForSnapshot(url: string, signal: AbortSignal): Promise<void> {
  const giveUp = AbortSignal.any([signal, AbortSignal.timeout(FIRST_SNAPSHOT_MILLISECONDS)]);
  while ((await fetch(`${url}/api/v1/status`, { signal: giveUp })).status !== 200)
    await sleep(LOOK_AGAIN_MILLISECONDS, undefined, { signal: giveUp });
}

/** The 13 endpoints of the spec, of a validator and an epoch that there are. */
async function toPaths(url: string): Promise<string[]> {
  const [validator] = listSchema.parse(await read(`${url}/api/v1/validators?limit=1`)).data;
  const { epoch } = epochSchema.parse(await read(`${url}/api/v1/epoch`)).data;
  const names: Record<string, string> = { votePubkey: validator?.votePubkey ?? "", epoch: String(epoch) };
  return Object.entries(OPERATIONS)
    .filter(([name, { path }]) => path.startsWith("/api/v1/") && !OWN_ENDPOINTS.has(name))
    .map(([, { path }]) => path.replaceAll(/\{(\w+)\}/g, (_, name: string) => names[name] ?? ""))
    .map((path) => (path.endsWith("/search") ? `${path}?q=va` : path));
}

async function checkTwice(url: string, path: string): Promise<void> {
  for (const isSecond of [false, true]) {
    const response = await fetch(url + path);
    const cache = response.headers.get("x-cache");
    await response.arrayBuffer();
    if (response.status !== 200) throw new Error(`${path} is answered with ${response.status}.`);
    if (isSecond && cache !== "HIT")
      throw new Error(`${path} does not come from the cache the second time, but is ${cache}.`);
  }
}

async function read(address: string): Promise<unknown> {
  const response = await fetch(address);
  if (response.status !== 200) throw new Error(`${address} is answered with ${response.status}.`);
  return response.json();
}
