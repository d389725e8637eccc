import type { Network } from "../contract/networks.ts";
import { toVisibleJson } from "../contract/strangers-text.ts";
import { createSystemClock } from "../service/context.ts";
import { NetworksError, type CommandOptions } from "../service/for-each-network.ts";
import type { Report } from "../service/report.ts";
import { assertWatched, readSettings, readWatching } from "../settings/settings.ts";
import { LOG_LEVELS, type LogLevel } from "../settings/variables.ts";
import { toComplaints } from "./complaint.ts";
import { createProgressLog } from "./progress.ts";
import { toLine } from "./report-line.ts";

/* Exit status: 0 done, also with a refused observation; 1 failed, also when no endpoint could be
   read or a run stored or published nothing; 2 wrong use. */

/** Flags that all commands have in common. `json`: print the report as JSON. */
export interface Flags {
  network: Network | "all";
  newSeries?: boolean;
  json: boolean;
}

/** The one clock of the process. */
export const clock = createSystemClock();

const stopping = new AbortController();
export const { signal } = stopping;
for (const name of ["SIGINT", "SIGTERM"] as const) {
  process.once(name, () => stopping.abort(new Error(`stopped by ${name}`)));
}

/**
 * Reads the settings and sets the log level.
 * @throws {SettingsError} when a variable is missing or wrong
 */
export function toOptions({ network, newSeries = false }: Flags): CommandOptions {
  leastLevel = readWatching().logLevel;
  return { settings: readSettings(), clock, network, newSeries, signal };
}

/**
 * The same for a command that asks the cluster.
 * @throws {SettingsError} also when nobody watches the network
 */
export function toObservingOptions(flags: Flags): CommandOptions {
  const options = toOptions(flags);
  assertWatched(options.network, options.settings);
  return options;
}

/**
 * Waits for a command and prints its report. If only some networks failed, it prints the report
 * of the others before it throws.
 * @throws what `work` throws
 */
export async function finish<Done extends Report>(
  flags: Flags,
  work: Promise<Done>,
): Promise<Done> {
  try {
    const report = await work;
    print(flags, report);
    return report;
  } catch (error) {
    // One network's failure must not hide the others' results.
    if (error instanceof NetworksError && error.report !== null) print(flags, error.report);
    throw error;
  }
}

function print({ json }: Flags, report: Report): void {
  process.stdout.write(`${json ? toVisibleJson(JSON.stringify(report)) : toLine(report)}\n`);
  const { command, network, unread, failure } = report;
  const failures = [
    ...(unread === undefined ? [] : [`no endpoint could be read${json ? `: ${unread}` : ""}`]),
    ...(failure === undefined ? [] : [failure]),
  ];
  for (const why of failures)
    complain(new Error(`${command} ${network}: ${why}. Run doctor to find out why`));
  // A timer must see the failure.
  if (failures.length > 0) fail();
}

/** Makes the process exit with 1 once its work is done. */
export function fail(): void {
  process.exitCode = 1;
}

let leastLevel: LogLevel = "info";

/** Writes a line to standard error if the log level admits it. */
export function say(line: string, level: LogLevel = "info"): void {
  if (LOG_LEVELS.indexOf(level) >= LOG_LEVELS.indexOf(leastLevel))
    process.stderr.write(`${line}\n`);
}

/** Logs a report as one line, as a warning if something needs attention. */
export function logReport(report: Report): void {
  const { rejected, quarantined, skipped, warnings } = report;
  const isWell = rejected.length + quarantined.length + warnings.length === 0 && skipped === null;
  say(toLine(report), isWell ? "info" : "warn");
}

/** Logs an error, one line for each network that failed. */
export function complain(error: unknown): void {
  for (const line of toComplaints(error)) say(line, "error");
}

/** Logs the progress of a long fold. */
export const logProgress = createProgressLog({ timer: clock.timer, say });
