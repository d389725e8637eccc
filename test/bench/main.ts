import { Command } from "commander";
import { wholeNumberBetween } from "../../generator/commands/flag-values.ts";

const WRONG_USE = 2;
const DAYS_MAX = 400;

interface Flags {
  /** Journal length of rebuild-month. */
  days: number;
}

/** By the names of their files, each of which exports its `bench`. */
const BENCHES: Record<string, string> = {
  "stake-scan": "reading 1.2 million stake accounts, against JSON.parse",
  wallets: "building the wallet index",
  check: "processor time of a check that changes nothing",
  "second-snapshot": "a cold snapshot with changes, against reading the answers",
  rewards: "reading what an epoch paid, against a snapshot without it",
  "history-length": "a snapshot with ten times the history",
  "writes-of-a-day": "what a day writes",
  costs: "a month's bill for each way to deploy",
  cadence: "a day of checks every 10 s, against every 60 s",
  "rebuild-month": "rebuilding --days of journal, against reading it",
  "time-to-publish": "seconds from a change on chain to its event in the documents",
  proxy: "requests a second, against node:http, h3 and nginx; needs wrk and nginx",
};

const program = new Command("bench")
  .description(
    "Measures Rugwatch at planning size: a line for each benchmark, with its budget and a baseline of the same run. Some take minutes.",
  )
  .argument("[names...]", "benchmarks to run (default: all)")
  .option("--days <count>", "days of journal for rebuild-month", wholeNumberBetween(1, DAYS_MAX), 2)
  .addHelpText(
    "after",
    `\nBenchmarks:\n${describeBenches()}\nExample: npm run bench -- check second-snapshot`,
  )
  .showHelpAfterError("(run with --help for usage)")
  .exitOverride((error) => process.exit(error.exitCode === 0 ? 0 : WRONG_USE))
  .action(measure);

await program.parseAsync();

async function measure(names: string[], flags: Flags): Promise<void> {
  const unknown = names.filter((name) => !(name in BENCHES));
  if (unknown.length > 0) program.error(`error: unknown benchmark ${unknown.join(", ")}`);
  for (const name of Object.keys(BENCHES)) {
    if (names.length > 0 && !names.includes(name)) continue;
    const { bench } = (await import(`./${name}.ts`)) as {
      bench: (flags: Flags) => Promise<string>;
    };
    process.stdout.write(`${name}: ${await bench(flags)}\n`);
  }
}

function describeBenches(): string {
  return Object.entries(BENCHES)
    .map(([name, about]) => `  ${name.padEnd(17)}${about}\n`)
    .join("");
}
