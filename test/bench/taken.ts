import { readFileSync, writeSync } from "node:fs";

// With `--import`, writes what the process took to descriptor 3 on exit.

export interface Taken {
  peakMegabytes: number;
  /** Of all its threads; a busy machine hardly changes it. */
  processorSeconds: number;
}

process.once("exit", () => {
  const { user, system } = process.cpuUsage();
  const taken: Taken = {
    peakMegabytes: readPeakMegabytes(),
    processorSeconds: (user + system) / 1e6,
  };
  writeSync(3, JSON.stringify(taken));
});

/** On Linux, resourceUsage() starts from the parent's peak; VmHWM does not. */
function readPeakMegabytes(): number {
  if (process.platform !== "linux") return process.resourceUsage().maxRSS / 1000;
  const kilobytes = /^VmHWM:\s+(\d+) kB$/m.exec(readFileSync("/proc/self/status", "utf8"))?.[1];
  return Number(kilobytes) / 1000;
}
