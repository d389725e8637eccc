import { toNetworks, type Settings } from "../settings/settings.ts";
import { messageOf } from "../contract/error-message.ts";
import type { Network } from "../contract/networks.ts";
import { openLocations } from "../observe/locations.ts";
import { type Clock, openContext, type Context, type ContextOptions } from "./context.ts";
import { createReport, sumReports, type Report } from "./report.ts";
import type { Watch } from "./watch.ts";

/** What every command gets from the command line. */
export interface CommandOptions {
  settings: Settings;
  clock: Clock;
  network: Network | "all";
  newSeries: boolean;
  signal: AbortSignal;
  watch?: Watch | undefined;
}

/** Until when a context that cannot be opened is tried again, each minute; `onError` gets why it could not. */
interface Patience {
  until: number;
  onError: (error: unknown) => void;
}

/** A command of several networks that failed for some of them, after it ended for all. */
export class NetworksError extends AggregateError {
  /** Of those that it did not fail for; null: it failed for all. */
  readonly report: Report | null;

  constructor(command: string, errors: readonly unknown[], report: Report | null) {
    super(errors, `${command} failed for ${errors.length} of the networks`);
    this.report = report;
  }
}

const REOPEN_MILLISECONDS = 60_000;

/**
 * Side by side, with one report.
 * @throws {NetworksError} when it failed for some of several networks
 */
export async function forEachNetwork(
  command: string,
  options: CommandOptions & { patience?: Patience },
  work: (context: Context, report: Report) => Promise<void>,
): Promise<Report> {
  const { cityFile, asnFile } = options.settings.geo;
  const locations = cityFile === null && asnFile === null ? null : await openLocations({ cityFile, asnFile });
  const networks = toNetworks(options.network);
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
  const failed = settled.flatMap((one) => (one.status === "rejected" ? [one.reason as unknown] : []));
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
      if (patience === undefined || retryAt > patience.until || signal?.aborted === true) throw error;
      patience.onError(nameNetwork(options.network, error));
      await clock.sleepUntil(retryAt, signal);
    }
  }
}

/** An error that says of which network it is, where several are worked on. */
export function nameNetwork(network: Network, error: unknown): Error {
  return new Error(`${network}: ${messageOf(error)}`, { cause: error });
}

/** Lets work fill a report, and adds what it asked of the stores and how long it took. */
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
