import { createReadStream } from "node:fs";
import { readFile, stat } from "node:fs/promises";
import { tallyStakeAccounts } from "../../generator/observe/stake-accounts.ts";
import type { ReaderFigures } from "./stake-scan.ts";

// Reads the answer in one of the two ways, and writes how fast it was and how large the process became.

const [way, file = "", votesFile = ""] = process.argv.slice(2);
const { size } = await stat(file);
const votes = JSON.parse(await readFile(votesFile, "utf8")) as string[];

const beganAt = performance.now();
const accounts = way === "scan" ? await scan() : await parse();
const seconds = (performance.now() - beganAt) / 1000;
if (accounts === 0) throw new Error("no stake account was counted");

const figures: ReaderFigures = { megabytesPerSecond: size / 1e6 / seconds, peakMegabytes: await readPeakMegabytes() };
process.stdout.write(JSON.stringify(figures));

async function scan(): Promise<number> {
  const rows = await tallyStakeAccounts(createReadStream(file), { votes, epoch: 1060 });
  return rows.reduce((sum, [, , , count]) => sum + count, 0);
}

/** Only read into objects, nothing added up. */
async function parse(): Promise<number> {
  const answer = JSON.parse(await readFile(file, "utf8")) as { result: { value: unknown[] } };
  return answer.result.value.length;
}

/** On Linux the resource usage of a process begins with its parent's: the kernel's own figure does not. */
async function readPeakMegabytes(): Promise<number> {
  if (process.platform !== "linux") return process.resourceUsage().maxRSS / 1000;
  const kilobytes = /^VmHWM:\s+(\d+) kB$/m.exec(await readFile("/proc/self/status", "utf8"))?.[1];
  return Number(kilobytes) / 1000;
}
