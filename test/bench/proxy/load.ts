import { execFile } from "node:child_process";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { z } from "zod";

const run = promisify(execFile);
const SCRIPT = fileURLToPath(new URL("load.lua", import.meta.url));

/**
 * Addresses that the requests come from in turn: none
 * gets near 60 a minute below 60,000 requests a second.
 */
const CLIENTS = 60_000;
/** Each asks again as soon as it is answered. */
const CONNECTIONS = 64;
const SLACK_SECONDS = 20;

const figuresSchema = z.object({
  requests: z.number(),
  seconds: z.number(),
  p99Milliseconds: z.number(),
  refused: z.number(),
  broken: z.number(),
});

export interface Figures {
  requests: number;
  perSecond: number;
  p99Milliseconds: number;
}

export interface Load {
  url: string;
  paths: readonly string[];
  seconds: number;
  directory: string;
  /** 64 by default. */
  connections?: number;
  /** Whether every answer is to be an error; by default none may be. */
  areErrors?: boolean;
  /** Requests a second to send, somewhat fewer in fact; without it as many as are answered. */
  pacedPerSecond?: number;
  /** Value of Accept-Encoding; without it the header is not sent. */
  coding?: string | undefined;
}

/**
 * @throws {Error} when one answer was not as it is to be:
 * an error is soon made, and would count as speed
 */
export async function load({
  url,
  paths,
  seconds,
  directory,
  connections = CONNECTIONS,
  areErrors = false,
  pacedPerSecond,
  coding,
}: Load): Promise<Figures> {
  const list = join(directory, "paths");
  await writeFile(list, `${paths.join("\n")}\n`);
  const flags = ["-t1", `-c${connections}`, `-d${seconds}s`, "-s", SCRIPT, url, "--", list];
  const pauseMilliseconds =
    pacedPerSecond === undefined ? 0 : (1000 * connections) / pacedPerSecond;
  flags.push(String(CLIENTS), String(pauseMilliseconds), ...(coding === undefined ? [] : [coding]));
  const { stdout } = await run("wrk", flags, { timeout: (seconds + SLACK_SECONDS) * 1000 });
  const figures = figuresSchema.parse(JSON.parse(stdout.trimEnd().split("\n").at(-1) ?? ""));
  const { requests, refused, broken, p99Milliseconds } = figures;
  if (requests === 0 || refused !== (areErrors ? requests : 0) || broken > 0)
    throw new Error(
      `${url}${paths[0]}: of ${requests} requests ${refused} were refused and ${broken} broken`,
    );
  return { requests, perSecond: requests / figures.seconds, p99Milliseconds };
}
