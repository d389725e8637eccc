import { parseArgs } from "node:util";
import { benchCadence } from "./cadence.ts";
import { benchCheck } from "./check.ts";
import { benchColdUpload } from "./cold-upload.ts";
import { benchCosts } from "./costs.ts";
import { benchHistoryLength } from "./history-length.ts";
import { benchProxy } from "./proxy.ts";
import { benchRebuildMonth } from "./rebuild-month.ts";
import { benchSecondSnapshot } from "./second-snapshot.ts";
import { benchStakeScan } from "./stake-scan.ts";
import { benchStateOfADay } from "./state-of-a-day.ts";
import { benchSweep } from "./sweep.ts";
import { benchWallets } from "./wallets.ts";
import { benchWritesOfADay } from "./writes-of-a-day.ts";

// `npm run bench`, or `npm run bench -- NAME …`: one line per benchmark, against a baseline of the same run.

const BENCHES: Record<string, (options: { days: number }) => Promise<string>> = {
  "stake-scan": benchStakeScan,
  wallets: benchWallets,
  check: benchCheck,
  "second-snapshot": benchSecondSnapshot,
  "history-length": benchHistoryLength,
  "writes-of-a-day": benchWritesOfADay,
  costs: benchCosts,
  cadence: benchCadence,
  "cold-upload": benchColdUpload,
  "state-of-a-day": benchStateOfADay,
  "rebuild-month": benchRebuildMonth,
  sweep: benchSweep,
  proxy: benchProxy,
};

const DAYS_MAX = 400;

const { values, positionals: asked } = parseArgs({
  allowPositionals: true,
  // Journal length of rebuild-month.
  options: { days: { type: "string", default: "2" } },
});
const days = Number(values.days);
const unknown = asked.filter((name) => !(name in BENCHES));
if (unknown.length > 0) {
  process.stderr.write(`no bench ${unknown.join(", ")}; there is ${Object.keys(BENCHES).join(", ")}\n`);
  process.exitCode = 2;
} else if (!Number.isInteger(days) || days < 1 || days > DAYS_MAX) {
  process.stderr.write(`--days must be a whole number from 1 to ${DAYS_MAX}\n`);
  process.exitCode = 2;
} else {
  for (const [name, bench] of Object.entries(BENCHES)) {
    if (asked.length > 0 && !asked.includes(name)) continue;
    process.stdout.write(`${name}: ${await bench({ days })}\n`);
  }
}
