import { readFileSync, writeSync } from "node:fs";

// Loaded before a program (`--import`), this writes the most memory the process ever held, in megabytes, to its file
// descriptor 3 when it ends.

process.once("exit", () => writeSync(3, String(readPeakMegabytes())));

/** On Linux the resource usage of a process begins with its parent's: the kernel's own figure does not. */
function readPeakMegabytes(): number {
  if (process.platform !== "linux") return process.resourceUsage().maxRSS / 1000;
  const kilobytes = /^VmHWM:\s+(\d+) kB$/m.exec(readFileSync("/proc/self/status", "utf8"))?.[1];
  return Number(kilobytes) / 1000;
}
