import { Command, Help, Option } from "commander";
import type { Flags } from "./commands/command.ts";
import { wholeNumberBetween, toMilliseconds } from "./commands/flag-values.ts";
import type { RuleFlags } from "./commands/rule.ts";
import { DEFAULT_NETWORK, NETWORKS, type Network } from "./contract/networks.ts";
import { HISTORY_EPOCHS_MAX } from "./entries/entry.ts";
import { CALLS_PER_SECOND, CHAIN_EPOCHS_DEFAULT, CHAIN_EPOCHS_MAX } from "./settings/defaults.ts";

// The command line: names, flags, help. What a command needs is
// loaded when it is asked for, so that none waits for another's.

const WRONG_USE = 2;
/**
 * The journal is compressed with zstd, which Node 22.15
 * brought; .nvmrc names the version that is tested.
 */
const NODE_MAJOR = 24;

const program = new Command("generate")
  .description(
    "Watches Solana clusters for commission changes and publishes what it sees as static JSON.",
  )
  .addHelpText(
    "afterAll",
    "\nExit status: 0 done, even if an observation was refused; 1 failed for at least one " +
      "network, also when no endpoint could be read; 2 wrong usage or settings.\nSettings are " +
      "environment variables: generator/README.md has the table.\nALERT_WEBHOOKS names " +
      "webhooks, Discord, Slack and Telegram chats that receive events: generator/README.md, " +
      "under Alerts.",
  )
  // Of a flag without a value everybody knows that it is not set.
  .configureHelp({ optionDescription: describeOption })
  .showHelpAfterError("(--help shows how)")
  .exitOverride((error) => process.exit(error.exitCode === 0 ? 0 : WRONG_USE));

// An older one fails on the first module that a command
// loads, by a name of Node's that says nothing.
if (Number.parseInt(process.versions.node, 10) < NODE_MAJOR) {
  const how = "Use npm run generate, or node_modules/.bin/node.";
  process.stderr.write(
    `rugwatch: This needs Node ${NODE_MAJOR}; you run ${process.versions.node}. ${how}\n`,
  );
  process.exit(WRONG_USE);
}

observing("check", "make one light observation and publish the changes it confirms").action(
  async (flags: Flags) => (await import("./commands/check.ts")).checkCommand(flags),
);
observing("snapshot", "make one full observation and publish").action(async (flags: Flags) =>
  (await import("./commands/snapshot.ts")).snapshotCommand(flags),
);
reading("publish", "fold the journal, render, upload what changed").action(async (flags: Flags) =>
  (await import("./commands/publish.ts")).publishCommand(flags),
);
observing(
  "run",
  "check every CHECK_SECONDS (60), take a snapshot every ten minutes, check more often " +
    "around epoch boundaries, until stopped",
)
  .option(
    "--for <duration>",
    "stop after this time, for example 25m, 90s or 2h; otherwise on Ctrl-C",
    toMilliseconds,
  )
  .action(async (flags: Flags & { for?: number }) =>
    (await import("./commands/run.ts")).runCommand(flags),
  );
reading("backfill", "read the past of every known validator from public sources and the chain")
  .option(
    "--epochs <count>",
    `closed epochs before the newest one observed, 1 to ${HISTORY_EPOCHS_MAX}`,
    wholeNumberBetween(1, HISTORY_EPOCHS_MAX),
    HISTORY_EPOCHS_MAX,
  )
  .action(async (flags: Flags & { epochs: number }) =>
    (await import("./commands/backfill.ts")).backfillCommand(flags),
  );
reading(
  "transactions",
  "search the chain for past commission changes: who signed which, in which slot",
)
  .option(
    "--epochs <count>",
    `epochs before the newest one observed, 1 to ${CHAIN_EPOCHS_MAX}; nodes without an archive keep some two days`,
    wholeNumberBetween(1, CHAIN_EPOCHS_MAX),
    CHAIN_EPOCHS_DEFAULT,
  )
  .option(
    "--calls-per-second <count>",
    "of each endpoint, 1 to 100; the public ones allow 4 of a method",
    wholeNumberBetween(1, 100),
    CALLS_PER_SECOND,
  )
  .action(async (flags: Flags & { epochs: number; callsPerSecond: number }) =>
    (await import("./commands/transactions.ts")).transactionsCommand(flags),
  );
reading("rebuild", "make everything again from the journal")
  .option(
    "--verify",
    "write nothing: name each difference with what is published, and exit 1 if there is one",
    false,
  )
  .addOption(
    new Option("--prune", "delete published objects that the journal does not produce")
      .default(false)
      .conflicts("verify"),
  )
  .option("--from-start", "do not go on from where an earlier rebuild was stopped", false)
  .action(async (flags: Flags & { verify: boolean; prune: boolean; fromStart: boolean }) =>
    (await import("./commands/rebuild.ts")).rebuildCommand(flags),
  );
ofNetwork(
  "rule",
  "record an operator's ruling on an observation or an event, and publish it",
  NETWORKS,
)
  .option(
    "--observation <number>",
    "number of an observation, or a range like 123-456: status.json names refused and " +
      "unreadable ones, explain those behind an event",
  )
  .option("--event <id>", "id of an event, or the first 6 digits of it or more")
  .option("--accept", "believe the observation; bring back an event that was ignored")
  .option(
    "--ignore",
    "do not believe the observation; go on without the unreadable ones; take the event back",
  )
  .requiredOption("--reason <text>", "why; status.json publishes it")
  .option("--dry-run", "write nothing: say what would change", false)
  .action(async (flags: Flags & RuleFlags & { network: Network; dryRun: boolean }) =>
    (await import("./commands/rule.ts")).ruleCommand(flags, (reason) =>
      program.error(`error: ${reason}`),
    ),
  );
ofNetwork(
  "explain",
  "show the observations and transactions behind an event, raw, or what a validator's rewards took",
  NETWORKS,
)
  .argument("<event or vote account>", "an event's id, or the first 6 digits of it or more")
  .action(async (subject: string, flags: Flags & { network: Network }) =>
    (await import("./commands/explain.ts")).explainCommand(subject, flags),
  );
reading(
  "doctor",
  "check stores, endpoints, clock, MEV API, databases and journal, and say what to fix",
).action(async (flags: Flags) => (await import("./commands/doctor.ts")).doctorCommand(flags));
try {
  await program.parseAsync();
} catch (error) {
  const { toComplaints, isWrongUse } = await import("./commands/complaint.ts");
  for (const line of toComplaints(error)) process.stderr.write(`${line}\n`);
  process.exitCode = isWrongUse(error) ? WRONG_USE : 1;
}

/** A command that asks the cluster. */
function observing(name: string, description: string): Command {
  return reading(name, description).option(
    "--new-series",
    "where the cluster has another genesis than before, begin a new series; the old one " +
      "stays readable",
    false,
  );
}

/** A command that works on the journal. */
function reading(name: string, description: string): Command {
  return ofNetwork(name, description, [...NETWORKS, "all"]);
}

function ofNetwork(name: string, description: string, networks: readonly string[]): Command {
  const network = new Option("--network <name>", "which cluster")
    .choices(networks)
    .default(DEFAULT_NETWORK);
  return program
    .command(name)
    .description(description)
    .addOption(network)
    .option("--json", "the last line on standard output is one JSON object", false);
}

function describeOption(option: Option): string {
  const isOff = option.defaultValue === false;
  return new Help().optionDescription(
    isOff ? new Option(option.flags, option.description) : option,
  );
}
