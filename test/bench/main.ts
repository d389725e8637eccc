import { Command } from "commander";
import { wholeNumberBetween } from "../../generator/commands/flag-values.ts";
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

// `npm run bench -- --help` explains.

const WRONG_USE = 2;
const DAYS_MAX = 400;

interface Flags {
  /** Journal length of rebuild-month. */
  days: number;
}

const BENCHES: Record<string, { about: string; bench: (flags: Flags) => Promise<string> }> = {
  "stake-scan": { bench: benchStakeScan, about: "reading 1.2 million stake accounts, against JSON.parse" },
  wallets: { bench: benchWallets, about: "building the wallet index" },
  check: { bench: benchCheck, about: "processor time of a check that changes nothing" },
  "second-snapshot": { bench: benchSecondSnapshot, about: "a cold snapshot with changes, against reading the answers" },
  "history-length": { bench: benchHistoryLength, about: "a snapshot with ten times the history" },
  "writes-of-a-day": { bench: benchWritesOfADay, about: "what a day writes" },
  costs: { bench: benchCosts, about: "a month's bill for each way to deploy" },
  cadence: { bench: benchCadence, about: "a day of checks every 10 s, against every 60 s" },
  "cold-upload": {
    bench: benchColdUpload,
    about: "a first upload, against rclone and aws; run it with .ci/with-s3 in front",
  },
  "state-of-a-day": { bench: benchStateOfADay, about: "what a day leaves in the state store" },
  "rebuild-month": { bench: benchRebuildMonth, about: "rebuilding --days of journal, against reading it" },
  sweep: { bench: benchSweep, about: "searching the chain for commission changes" },
  proxy: { bench: benchProxy, about: "requests a second, against node:http, h3 and nginx; needs wrk and nginx" },
};

const program = new Command("bench")
  .description(
    "Measures Rugwatch at planning size: a line for each benchmark, with its budget and a baseline of the same run. Some take minutes.",
  )
  .argument("[names...]", "benchmarks to run (default: all)")
  .option("--days <count>", "days of journal for rebuild-month", wholeNumberBetween(1, DAYS_MAX), 2)
  .addHelpText("after", `\nBenchmarks:\n${describeBenches()}\nExample: npm run bench -- check second-snapshot`)
  .showHelpAfterError("(run with --help for usage)")
  .exitOverride((error) => process.exit(error.exitCode === 0 ? 0 : WRONG_USE))
  .action(measure);

await program.parseAsync();

async function measure(names: string[], flags: Flags): Promise<void> {
  const unknown = names.filter((name) => !(name in BENCHES));
  if (unknown.length > 0) program.error(`error: unknown benchmark ${unknown.join(", ")}`);
  for (const [name, { bench }] of Object.entries(BENCHES)) {
    if (names.length > 0 && !names.includes(name)) continue;
    process.stdout.write(`${name}: ${await bench(flags)}\n`);
  }
}

function describeBenches(): string {
  return Object.entries(BENCHES)
    .map(([name, { about }]) => `  ${name.padEnd(17)}${about}\n`)
    .join("");
}
