import { benchHistoryLength } from "./history-length.ts";
import { benchSecondSnapshot } from "./second-snapshot.ts";
import { benchStakeScan } from "./stake-scan.ts";
import { benchWritesOfADay } from "./writes-of-a-day.ts";

// Benchmarks, a line each, always as a ratio to a baseline of the same run: `npm run bench`, or `npm run bench -- NAME …`.

const BENCHES: Record<string, () => Promise<string>> = {
  "stake-scan": benchStakeScan,
  "second-snapshot": benchSecondSnapshot,
  "history-length": benchHistoryLength,
  "writes-of-a-day": benchWritesOfADay,
};

const asked = process.argv.slice(2);
const unknown = asked.filter((name) => !(name in BENCHES));
if (unknown.length > 0) {
  process.stderr.write(`no bench ${unknown.join(", ")}; there is ${Object.keys(BENCHES).join(", ")}\n`);
  process.exitCode = 2;
} else {
  for (const [name, bench] of Object.entries(BENCHES)) {
    if (asked.length > 0 && !asked.includes(name)) continue;
    process.stdout.write(`${name}: ${await bench()}\n`);
  }
}
