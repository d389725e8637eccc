import { Command } from "commander";
import { wholeNumberBetween } from "../../generator/commands/flag-values.ts";

const WRONG_USE = 2;
const DAYS_MAX = 400;

interface Flags {
  /** Journal length of rebuild-month. */
  days: number;
}

const BENCHES: Record<string, { about: string; bench: (flags: Flags) => Promise<string> }> = {
  "stake-scan": {
    bench: async () => (await import("./stake-scan.ts")).benchStakeScan(),
    about: "reading 1.2 million stake accounts, against JSON.parse",
  },
  wallets: { bench: async () => (await import("./wallets.ts")).benchWallets(), about: "building the wallet index" },
  check: {
    bench: async () => (await import("./check.ts")).benchCheck(),
    about: "processor time of a check that changes nothing",
  },
  "second-snapshot": {
    bench: async () => (await import("./second-snapshot.ts")).benchSecondSnapshot(),
    about: "a cold snapshot with changes, against reading the answers",
  },
  "history-length": {
    bench: async () => (await import("./history-length.ts")).benchHistoryLength(),
    about: "a snapshot with ten times the history",
  },
  "writes-of-a-day": {
    bench: async () => (await import("./writes-of-a-day.ts")).benchWritesOfADay(),
    about: "what a day writes",
  },
  costs: {
    bench: async () => (await import("./costs.ts")).benchCosts(),
    about: "a month's bill for each way to deploy",
  },
  cadence: {
    bench: async () => (await import("./cadence.ts")).benchCadence(),
    about: "a day of checks every 10 s, against every 60 s",
  },
  "rebuild-month": {
    bench: async (flags) => (await import("./rebuild-month.ts")).benchRebuildMonth(flags),
    about: "rebuilding --days of journal, against reading it",
  },
  sweep: {
    bench: async () => (await import("./sweep.ts")).benchSweep(),
    about: "searching the chain for commission changes",
  },
  "time-to-publish": {
    bench: async () => (await import("./time-to-publish.ts")).benchTimeToPublish(),
    about: "seconds from a change on chain to its event in the documents",
  },
  proxy: {
    bench: async () => (await import("./proxy.ts")).benchProxy(),
    about: "requests a second, against node:http, h3 and nginx; needs wrk and nginx",
  },
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
