import { spawn } from "node:child_process";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { Readable } from "node:stream";
import { text } from "node:stream/consumers";
import { fileURLToPath } from "node:url";
import { z } from "zod";

const PROJECT = fileURLToPath(new URL("../..", import.meta.url));
const PEAK_MEMORY = fileURLToPath(new URL("peak-memory.ts", import.meta.url));

const packageSchema = z.object({ scripts: z.record(z.string(), z.string()) });

export interface ColdRun {
  /** Start-up included. */
  seconds: number;
  peakMegabytes: number;
  output: string;
}

interface ColdOptions {
  args?: string[];
  env?: Record<string, string>;
}

/** @param program file, relative to the project @throws {Error} with its output when it fails */
export function runCold(program: string, options: ColdOptions = {}): Promise<ColdRun> {
  return runNode([program], options);
}

/** With the flags of `npm run generate`. */
export async function runAsGenerator(program: string, options: ColdOptions = {}): Promise<ColdRun> {
  const [, ...flags] = await readScript("generate");
  return runNode([...flags.slice(0, -1), program], options);
}

export async function runScript(name: string, options: ColdOptions = {}): Promise<ColdRun> {
  const [, ...flags] = await readScript(name);
  return runNode(flags, options);
}

/** The words of a script that starts node. */
async function readScript(name: string): Promise<string[]> {
  const { scripts } = packageSchema.parse(JSON.parse(await readFile(join(PROJECT, "package.json"), "utf8")));
  const words = scripts[name]?.split(" ") ?? [];
  if (words[0] !== "node") throw new Error(`the script ${name} does not start node`);
  return words;
}

async function runNode(flags: string[], { args = [], env = {} }: ColdOptions): Promise<ColdRun> {
  const beganAt = performance.now();
  const child = spawn(process.execPath, ["--import", PEAK_MEMORY, ...flags, ...args], {
    cwd: PROJECT,
    stdio: ["ignore", "pipe", "pipe", "pipe"],
    env: { ...process.env, ...env },
  });
  const [output, complaints, peak, code] = await Promise.all([
    text(child.stdout as Readable),
    text(child.stderr as Readable),
    text(child.stdio[3] as Readable),
    new Promise((resolve) => child.once("close", resolve)),
  ]);
  if (code !== 0) throw new Error(`node ${[...flags, ...args].join(" ")} failed: ${complaints}`);
  return { seconds: (performance.now() - beganAt) / 1000, peakMegabytes: Number(peak), output };
}
