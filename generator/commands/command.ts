import type { Network } from "../contract/networks.ts";
import { toVisibleJson } from "../contract/strangers-text.ts";
import { createSystemClock } from "../service/context.ts";
import { NetworksError, type CommandOptions } from "../service/for-each-network.ts";
import type { Report } from "../service/report.ts";
import { readSettings, readWatching } from "../settings/settings.ts";
import { LOG_LEVELS, type LogLevel } from "../settings/variables.ts";
import { toComplaints } from "./complaint.ts";
import { createFoldTelling } from "./progress.ts";
import { toLine } from "./report-line.ts";

/*
 * What the commands share. Results go to standard output, all else to standard error. Exit status: 0 done, also when an
 * observation was not believed; 1 failed, also when no endpoint could be read; 2 wrong use.
 */

/** The flags of every command. */
export interface Flags {
  network: Network | "all";
  newSeries?: boolean;
  json: boolean;
}

export const clock = createSystemClock();

const stopping = new AbortController();
/** Given when the process is told to stop. */
export const { signal } = stopping;
for (const name of ["SIGINT", "SIGTERM"] as const) {
  process.once(name, () => stopping.abort(new Error(`stopped by ${name}`)));
}

/** @throws {SettingsError} */
export function toOptions({ network, newSeries = false }: Flags): CommandOptions {
  leastLevel = readWatching().logLevel;
  return { settings: readSettings(), clock, network, newSeries, signal };
}

/** Prints the report of a command when it is done. */
export async function finish<Done extends Report>(flags: Flags, work: Promise<Done>): Promise<Done> {
  try {
    const report = await work;
    print(flags, report);
    return report;
  } catch (error) {
    // What one network failed with is no reason to be silent about the others.
    if (error instanceof NetworksError && error.report !== null) print(flags, error.report);
    throw error;
  }
}

function print({ json }: Flags, report: Report): void {
  process.stdout.write(`${json ? toVisibleJson(JSON.stringify(report)) : toLine(report)}\n`);
  const { command, network, unread } = report;
  if (unread === undefined) return;
  // All else was done and is reported; and yet who runs it by a timer must hear of it.
  complain(new Error(`${command} ${network}: no endpoint could be read: ${unread}. Run doctor to find out why`));
  fail();
}

/** Lets the process end with the status of a failure. */
export function fail(): void {
  process.exitCode = 1;
}

let leastLevel: LogLevel = "info";

/** A line on standard error, where `LOG_LEVEL` lets it through. */
export function say(line: string, level: LogLevel = "info"): void {
  if (LOG_LEVELS.indexOf(level) >= LOG_LEVELS.indexOf(leastLevel)) process.stderr.write(`${line}\n`);
}

/** The line of an observation under way. Somebody must look at warnings and what was refused, set aside or not published. */
export function tellReport(report: Report): void {
  const { rejected, quarantined, skipped, warnings } = report;
  const isWell = rejected.length + quarantined.length + warnings.length === 0 && skipped === null;
  say(toLine(report), isWell ? "info" : "warn");
}

export function complain(error: unknown): void {
  for (const line of toComplaints(error)) say(line, "error");
}

/** Says on the way how far a journal is folded. */
export const tellFolding = createFoldTelling({ timer: clock.timer, say });
