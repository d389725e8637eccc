import { execFile } from "node:child_process";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { z } from "zod";

const SCRIPT = join(import.meta.dirname, "load.lua");
const SECONDS = 10;
const SLACK_MILLISECONDS = 20_000;
const CONNECTIONS = 64;
/** So many that the limit refuses none of them. */
const CLIENTS = 60_000;
const HIT_SHARE_LEAST = 0.99;

const figuresSchema = z.object({
  hits: z.number(),
  others: z.number(),
  refused: z.number(),
  seconds: z.number(),
  p99Milliseconds: z.number(),
});

interface LoadOptions {
  url: string;
  /** Asked for in turn. */
  paths: readonly string[];
  directory: string;
}

/**
 * Lets wrk ask for some seconds, and says in a line how much came from the cache.
 * @throws {Error} when it is less than it should be, or something is refused
 */
export async function measureLoad({ url, paths, directory }: LoadOptions): Promise<string> {
  const list = join(directory, "paths");
  await writeFile(list, `${paths.join("\n")}\n`);
  const flags = ["-t1", `-c${CONNECTIONS}`, `-d${SECONDS}s`, "-s", SCRIPT, url, "--", list, String(CLIENTS)];
  const output = await runWrk(flags);
  if (output === null) return "no hit ratio: there is no wrk in PATH (Debian: wrk)";
  const { hits, others, refused, seconds, p99Milliseconds } = figuresSchema.parse(
    JSON.parse(output.trimEnd().split("\n").at(-1) ?? ""),
  );
  const share = hits / (hits + others);
  const perSecond = Math.round((hits + others) / seconds);
  const figures = `${(share * 100).toFixed(2)} % of ${hits + others} answers from the cache, ${perSecond} a second, p99 ${p99Milliseconds.toFixed(1)} ms`;
  if (refused > 0 || !(share >= HIT_SHARE_LEAST)) throw new Error(`${figures}, ${refused} refused.`);
  return `wrk, ${CONNECTIONS} connections: ${figures}`;
}

/** null: it is not here. */
async function runWrk(flags: string[]): Promise<string | null> {
  try {
    return (await promisify(execFile)("wrk", flags, { timeout: SECONDS * 1_000 + SLACK_MILLISECONDS })).stdout;
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return null;
    throw error;
  }
}
