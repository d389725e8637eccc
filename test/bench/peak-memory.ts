import { readFileSync, writeSync } from "node:fs";

// With `--import`, writes the process's peak megabytes to descriptor 3 on exit.

process.once("exit", () => writeSync(3, String(readPeakMegabytes())));

/** On Linux, resourceUsage() starts from the parent's peak; VmHWM does not. */
function readPeakMegabytes(): number {
  if (process.platform !== "linux") return process.resourceUsage().maxRSS / 1000;
  const kilobytes = /^VmHWM:\s+(\d+) kB$/m.exec(readFileSync("/proc/self/status", "utf8"))?.[1];
  return Number(kilobytes) / 1000;
}
