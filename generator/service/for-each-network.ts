import { toNetworks, type Settings } from "../settings/settings.ts";
import { messageOf } from "../contract/error-message.ts";
import type { Network } from "../contract/networks.ts";
import { openLocations } from "../observe/locations.ts";
import { type Clock, openContext, type Context, type ContextOptions } from "./context.ts";
import { createReport, sumReports, type Report } from "./report.ts";
import type { Instrument } from "./instrumentation.ts";

/** Options that all commands have in common. */
export interface CommandOptions {
  settings: Settings;
  clock: Clock;
  network: Network | "all";
  newSeries: boolean;
  signal: AbortSignal;
  instrument?: Instrument | undefined;
}

/** Until when to retry a context that cannot be opened, each minute. */
interface Patience {
  until: number;
  onError: (error: unknown) => void;
}

/** Some networks failed; thrown after the command ended for all. */
export class NetworksError extends AggregateError {
  /** The report of the others; null: all failed. */
  readonly report: Report | null;

  constructor(command: string, errors: readonly unknown[], report: Report | null) {
    super(errors, `${command} failed for ${errors.length} of the networks`);
    this.report = report;
  }
}

const REOPEN_MILLISECONDS = 60_000;

/**
 * Works on networks at once, with one report.
 * @throws {NetworksError} when some of several networks failed
 */
export async function forEachNetwork(
  command: string,
  options: CommandOptions & { patience?: Patience },
  work: (context: Context, report: Report) => Promise<void>,
): Promise<Report> {
  const { cityFile, asnFile } = options.settings.geo;
  const locations =
    cityFile === null && asnFile === null ? null : await openLocations({ cityFile, asnFile });
  const networks = toNetworks(options.network, options.settings);
  const settled = await Promise.allSettled(
    networks.map(async (network) => {
      try {
        const context = await open({ ...options, network, locations });
        try {
          return await reportOn(context, command, (report) => work(context, report));
        } finally {
          await context.close();
        }
      } catch (error) {
        throw networks.length === 1 ? error : nameNetwork(network, error);
      }
    }),
  );
  const failed = settled.flatMap((one) =>
    one.status === "rejected" ? [one.reason as unknown] : [],
  );
  const reports = settled.flatMap((one) => (one.status === "fulfilled" ? [one.value] : []));
  if (networks.length === 1) {
    const [only] = reports;
    if (only === undefined) throw failed[0];
    return only;
  }
  const report = reports.length > 0 ? sumReports(command, reports) : null;
  if (report === null || failed.length > 0) throw new NetworksError(command, failed, report);
  return report;
}

async function open(options: ContextOptions & { patience?: Patience }): Promise<Context> {
  const { clock, signal, patience } = options;
  for (;;) {
    try {
      return await openContext(options);
    } catch (error) {
      const retryAt = clock.now() + REOPEN_MILLISECONDS;
      if (patience === undefined || retryAt > patience.until || signal?.aborted === true)
        throw error;
      patience.onError(nameNetwork(options.network, error));
      await clock.sleepUntil(retryAt, signal);
    }
  }
}

/** An error whose message begins with the network; `cause` is the original. */
export function nameNetwork(network: Network, error: unknown): Error {
  return new Error(`${network}: ${messageOf(error)}`, { cause: error });
}

/** Runs work with a new report, to which it adds operations on stores and the time taken. */
export async function reportOn(
  context: Context,
  command: string,
  work: (report: Report) => Promise<void>,
): Promise<Report> {
  const report = createReport(command, context.network);
  const before = { ...context.counts(), time: context.clock.now() };
  await work(report);
  const after = context.counts();
  report.puts = after.puts - before.puts;
  report.lists = after.lists - before.lists;
  report.bytes = after.bytes - before.bytes;
  report.durationMs = context.clock.now() - before.time;
  return report;
}
