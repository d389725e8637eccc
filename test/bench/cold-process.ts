import { spawn } from "node:child_process";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { Readable } from "node:stream";
import { text } from "node:stream/consumers";
import { fileURLToPath } from "node:url";
import { z } from "zod";
import type { Taken } from "./taken.ts";

const PROJECT = fileURLToPath(new URL("../..", import.meta.url));
const TAKEN = fileURLToPath(new URL("taken.ts", import.meta.url));

const packageSchema = z.object({ scripts: z.record(z.string(), z.string()) });

export interface ColdRun extends Taken {
  /** Start-up included. */
  seconds: number;
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
  const { scripts } = packageSchema.parse(
    JSON.parse(await readFile(join(PROJECT, "package.json"), "utf8")),
  );
  const words = scripts[name]?.split(" ") ?? [];
  if (words[0] !== "node") throw new Error(`the script ${name} does not start node`);
  return words;
}

async function runNode(flags: string[], { args = [], env = {} }: ColdOptions): Promise<ColdRun> {
  const beganAt = performance.now();
  const child = spawn(process.execPath, ["--import", TAKEN, ...flags, ...args], {
    cwd: PROJECT,
    stdio: ["ignore", "pipe", "pipe", "pipe"],
    env: { ...process.env, ...env },
  });
  const [output, complaints, taken, code] = await Promise.all([
    text(child.stdout as Readable),
    text(child.stderr as Readable),
    text(child.stdio[3] as Readable),
    new Promise((resolve) => child.once("close", resolve)),
  ]);
  if (code !== 0) throw new Error(`node ${[...flags, ...args].join(" ")} failed: ${complaints}`);
  return { seconds: (performance.now() - beganAt) / 1000, ...(JSON.parse(taken) as Taken), output };
}
