import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { fileURLToPath } from "node:url";

const SCRIPT = fileURLToPath(new URL("load.lua", import.meta.url));
/** An answer that takes longer counts as `timeout`: the deadline of the store, and two seconds. */
const TIMEOUT = "7s";

interface LoadOptions {
  url: string;
  paths: string[];
  seconds: number;
  connections: number;
}

/** What wrk counted. `ok`: 200 and 404; `p99` in microseconds; the others by what went wrong. */
export interface LoadResult {
  requests: number;
  ok: number;
  unavailable: number;
  other: number;
  connect: number;
  read: number;
  write: number;
  timeout: number;
  p99: number;
}

/** Loads the proxy with wrk for so long. null: there is no wrk. */
export async function runLoad({ url, paths, seconds, connections }: LoadOptions): Promise<LoadResult | null> {
  const directory = await mkdtemp(join(tmpdir(), "rugwatch-under-fire-"));
  try {
    const file = join(directory, "paths");
    await writeFile(file, `${paths.join("\n")}\n`);
    const flags = ["-t1", `-c${connections}`, `-d${seconds}s`, "--timeout", TIMEOUT, "-s", SCRIPT, url, "--", file];
    const wrk = spawn("wrk", flags, { stdio: ["ignore", "pipe", "inherit"] });
    const output = text(wrk.stdout);
    await once(wrk, "close");
    const result = /^RESULT (.*)$/m.exec(await output)?.[1];
    if (result === undefined) throw new Error(`wrk ended without a result:\n${await output}`);
    return JSON.parse(result) as LoadResult;
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return null;
    throw error;
  } finally {
    await rm(directory, { recursive: true });
  }
}
