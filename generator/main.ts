import { styleText } from "node:util";
import { Command, Help, Option } from "commander";
import { backfill, toCountsLine, toProgressLine } from "./service/backfill.ts";
import { check } from "./service/check.ts";
import { createSystemClock } from "./service/clock.ts";
import { toComplaints } from "./commands/complaint.ts";
import { doctor } from "./service/doctor.ts";
import { toText, type Style } from "./commands/doctor/text.ts";
import { explain } from "./service/explain.ts";
import { toJsonLine, toText as toExplainText } from "./commands/explain/text.ts";
import { toCount, toMilliseconds } from "./commands/flag-values.ts";
import { publish } from "./service/publish.ts";
import { createRebuildTelling } from "./service/rebuild/pace.ts";
import { rebuild } from "./service/rebuild.ts";
import { toCounted, toLine, type Report } from "./service/report.ts";
import { parseRuleFlags, type RuleFlags } from "./commands/rule/flags.ts";
import { toText as toRuleText } from "./commands/rule/text.ts";
import { rule } from "./service/rule.ts";
import { run } from "./service/run.ts";
import { NetworksError, type CommandOptions } from "./service/networks.ts";
import { snapshot } from "./service/snapshot.ts";
import {
  CALLS_PER_SECOND,
  CHAIN_EPOCHS_DEFAULT,
  CHAIN_EPOCHS_MAX,
  toSearchCountsLine,
  toSearchLine,
  transactions,
  type SearchProgress,
} from "./service/transactions.ts";
import { diagnoseSettings, readSettings } from "./settings/settings.ts";
import { DEFAULT_NETWORK, NETWORKS, type Network } from "./contract/networks.ts";
import { toVisibleJson } from "./contract/strangers-text.ts";
import { SettingsError } from "./settings/variables.ts";
import { HISTORY_EPOCHS_MAX } from "./entries/entry.ts";
import { toDifferenceLine, type Difference } from "./publish/compare.ts";

// The command line: reads flags and settings, lets a command do the work, and says what came of it. Results go to standard
// output, all else to standard error. Exit status: 0 done, also when an observation was not believed; 1 failed, also when no
// endpoint could be read; 2 wrong use.

const FAILED = 1;
const WRONG_USE = 2;
/** Of a line, where standard output is no terminal. */
const COLUMNS = 120;

interface Flags {
  network: Network | "all";
  newSeries?: boolean;
  json: boolean;
}

const clock = createSystemClock();
const stopping = new AbortController();
for (const signal of ["SIGINT", "SIGTERM"] as const) {
  process.once(signal, () => stopping.abort(new Error(`stopped by ${signal}`)));
}

const program = new Command("generate")
  .description("Watches Solana clusters for commission changes and publishes what it sees as static JSON.")
  .addHelpText(
    "afterAll",
    "\nExit status: 0 done, also when an observation was not believed; 1 failed, also when no endpoint could be read; 2 wrong use." +
      "\nSettings are environment variables: README.md has the table.",
  )
  // Of a flag without a value everybody knows that it is not set.
  .configureHelp({ optionDescription: describeOption })
  .showHelpAfterError("(--help tells what there is)")
  .exitOverride((error) => process.exit(error.exitCode === 0 ? 0 : WRONG_USE));

observing("check", "one light observation; what it changes in commissions is published at once").action(
  (flags: Flags) => finish(flags, check(toOptions(flags))),
);
observing("snapshot", "one full observation, then publish").action((flags: Flags) =>
  finish(flags, snapshot(toOptions(flags))),
);
reading("publish", "fold the journal, render, upload what changed").action((flags: Flags) =>
  finish(flags, publish(toOptions(flags))),
);
observing(
  "run",
  "a check each CHECK_SECONDS (60), a snapshot every ten minutes, a burst of checks around each epoch boundary, until stopped",
)
  .option(
    "--for <duration>",
    "stop after so long, for example 25m, 90s or 2h; else when told to (Ctrl-C)",
    toMilliseconds,
  )
  .action((flags: Flags & { for?: number }) => {
    const onReport = (report: Report) => say(toLine(report));
    return finish(flags, run({ ...toOptions(flags), forMilliseconds: flags.for ?? null, onReport, onError: complain }));
  });
reading("backfill", "what public sources and the chain itself tell of the past of every validator known")
  .option(
    "--epochs <count>",
    `closed epochs before the newest one observed, 1 to ${HISTORY_EPOCHS_MAX}`,
    toCount(1, HISTORY_EPOCHS_MAX),
    HISTORY_EPOCHS_MAX,
  )
  .action(async (flags: Flags & { epochs: number }) => {
    const onProgress = (progress: Parameters<typeof toProgressLine>[0]) => say(toProgressLine(progress));
    const onSearch = (progress: SearchProgress) => say(toSearchLine(progress));
    const report = await backfill({ ...toOptions(flags), epochs: flags.epochs, onProgress, onSearch });
    await finish(flags, Promise.resolve(report));
    say(toCountsLine(report.backfill));
    say(toSearchCountsLine(report.transactions));
    if (report.backfill.stopped !== null || stopping.signal.aborted) process.exitCode = FAILED;
  });
reading("transactions", "the history of commissions from the chain itself: who signed which change, in which slot")
  .option(
    "--epochs <count>",
    `epochs before the newest one observed, 1 to ${CHAIN_EPOCHS_MAX}; nodes without an archive keep some two days`,
    toCount(1, CHAIN_EPOCHS_MAX),
    CHAIN_EPOCHS_DEFAULT,
  )
  .option(
    "--calls-per-second <count>",
    "of each endpoint, 1 to 100; the public ones allow 4 of a method",
    toCount(1, 100),
    CALLS_PER_SECOND,
  )
  .action(async (flags: Flags & { epochs: number; callsPerSecond: number }) => {
    const onProgress = (progress: SearchProgress) => say(toSearchLine(progress));
    const report = await transactions({ ...toOptions(flags), ...flags, newSeries: false, onProgress });
    await finish(flags, Promise.resolve(report));
    say(toSearchCountsLine(report.transactions));
    if (report.transactions.stopped !== null) process.exitCode = FAILED;
  });
reading("rebuild", "everything from the journal alone")
  .option("--verify", "write nothing: name each difference with what is published, and exit 1 if there is one", false)
  .addOption(
    new Option("--prune", "delete published objects that the journal does not bring about")
      .default(false)
      .conflicts("verify"),
  )
  .option("--from-start", "do not go on from where an earlier rebuild was stopped", false)
  .action(async (flags: Flags & { verify: boolean; prune: boolean; fromStart: boolean }) => {
    const onProgress = createRebuildTelling({ timer: clock.timer, say });
    const onDifference = (difference: Difference) => say(toDifferenceLine(difference));
    const rebuilt = await rebuild({ ...toOptions(flags), ...flags, newSeries: false, onProgress, onDifference });
    await finish(flags, Promise.resolve(rebuilt.report));
    const isStopped = rebuilt.report.rebuild.stopped !== null;
    if (flags.verify && !isStopped) say(`${toCounted(rebuilt.differences, "difference")} with what is published`);
    if (isStopped || rebuilt.differences > 0) process.exitCode = FAILED;
  });
ofNetwork("rule", "an operator's word on an observation or an event, journaled, folded and published", NETWORKS)
  .option(
    "--observation <key>",
    "name of an observation: status.json names refused ones, explain those behind an event",
  )
  .option("--event <id>", "id of an event, or the first 6 digits of it or more")
  .option("--accept", "believe the observation; bring back an event that was ignored")
  .option("--ignore", "do not believe the observation; take the event back")
  .requiredOption("--reason <text>", "why; status.json publishes it")
  .option("--dry-run", "write nothing: say what would change", false)
  .action(async (flags: Flags & RuleFlags & { network: Network; dryRun: boolean }) => {
    const wanted = parseRuleFlags(flags);
    if ("wrong" in wanted) return program.error(`error: ${wanted.wrong}`);
    const options = { ...toOptions(flags), network: flags.network, dryRun: flags.dryRun, say };
    const report = await rule({ ...options, ...wanted });
    if (!flags.json) process.stdout.write(`${toRuleText(report)}\n`);
    const command = flags.dryRun && !flags.json ? "rule --dry-run" : report.command;
    await finish(flags, Promise.resolve({ ...report, command }));
  });
ofNetwork("explain", "the observations and transactions behind an event, raw", NETWORKS)
  .argument("<event>", "its id, or the first 6 digits of it or more")
  .action(async (event: string, { network, json }: Flags & { network: Network }) => {
    const explanation = await explain({
      settings: readSettings(),
      network,
      event,
      now: clock.now,
      say,
      signal: stopping.signal,
    });
    process.stdout.write(`${json ? toJsonLine(explanation) : toExplainText(explanation)}\n`);
  });
reading("doctor", "what works and what to mend: stores, endpoints, clock, MEV API, databases, journal").action(
  async ({ network, json }: Flags) => {
    const nodeVersion = process.versions.node;
    const diagnosis = await doctor({
      examined: diagnoseSettings(),
      clock,
      network,
      nodeVersion,
      signal: stopping.signal,
    });
    const columns = process.stdout.columns || COLUMNS;
    const text = json ? toVisibleJson(JSON.stringify(diagnosis)) : toText(diagnosis, { paint, columns });
    // Not left to end by itself: a disk or server that hangs would hold the process for as long as it does.
    process.stdout.write(`${text}\n`, () => process.exit(diagnosis.healthy ? 0 : FAILED));
  },
);
try {
  await program.parseAsync();
} catch (error) {
  complain(error);
  process.exitCode = error instanceof SettingsError ? WRONG_USE : FAILED;
}

/** A command that asks the cluster. */
function observing(name: string, description: string): Command {
  return reading(name, description).option(
    "--new-series",
    "where the cluster has another genesis than before, begin a new series; the old one stays readable",
    false,
  );
}

/** A command that works on the journal. */
function reading(name: string, description: string): Command {
  return ofNetwork(name, description, [...NETWORKS, "all"]);
}

function ofNetwork(name: string, description: string, networks: readonly string[]): Command {
  const network = new Option("--network <name>", "which cluster").choices(networks).default(DEFAULT_NETWORK);
  return program
    .command(name)
    .description(description)
    .addOption(network)
    .option("--json", "the last line on standard output is one JSON object", false);
}

function toOptions({ network, newSeries = false }: Flags): CommandOptions {
  return { settings: readSettings(), clock, network, newSeries, signal: stopping.signal };
}

async function finish({ json }: Flags, work: Promise<Report>): Promise<void> {
  const write = (report: Report) => {
    process.stdout.write(`${json ? toVisibleJson(JSON.stringify(report)) : toLine(report)}\n`);
    failUnread(report);
  };
  try {
    write(await work);
  } catch (error) {
    // What one network failed with is no reason to be silent about the others.
    if (error instanceof NetworksError && error.report !== null) write(error.report);
    throw error;
  }
}

/** All else was done and is reported; and yet who runs it by a timer must hear of it. */
function failUnread({ command, network, unread }: Report): void {
  if (unread === undefined) return;
  complain(new Error(`${command} ${network}: no endpoint could be read: ${unread}. See what doctor says of them`));
  process.exitCode = FAILED;
}

function describeOption(option: Option): string {
  const isOff = option.defaultValue === false;
  return new Help().optionDescription(isOff ? new Option(option.flags, option.description) : option);
}

/** Colours where the terminal shows them, by `styleText`'s own judgement of it. */
function paint(style: Style, text: string): string {
  const format = { ok: "green", warning: "yellow", problem: "red", title: "bold", advice: "dim" } as const;
  return styleText(format[style], text, { stream: process.stdout });
}

function say(line: string): void {
  process.stderr.write(`${line}\n`);
}

function complain(error: unknown): void {
  for (const line of toComplaints(error)) say(line);
}
