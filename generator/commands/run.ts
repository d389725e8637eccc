import type { Ledger } from "../ledger/ledger.ts";
import { measureSlotMilliseconds } from "../ledger/slot-time.ts";
import { observe } from "./observation.ts";
import { publishLedger } from "./publishing.ts";
import { addReport, type Report } from "./report.ts";
import { CADENCE, lateTick, nextTick, type Cadence, type Tick } from "./schedule.ts";
import { forEachNetwork, nameNetwork, reportOn, type CommandOptions } from "./session.ts";
import type { Station } from "./station.ts";
import { createUpkeep } from "./upkeep.ts";

export interface RunOptions extends CommandOptions {
  /** null: until stopped. */
  forMilliseconds: number | null;
  cadence?: Cadence;
  /** Whether each observation is published; true by default. */
  publishes?: boolean;
  /** Gets the report of each observation. */
  onReport: (report: Report, station: Station) => void;
  /** Gets what failed, with the name of its network; the next tick tries again. */
  onError: (error: unknown) => void;
}

/** `generate run`: a snapshot at once, then a check each minute and a snapshot every tenth, until stopped. */
export function run(options: RunOptions): Promise<Report> {
  const until = options.forMilliseconds === null ? Infinity : options.clock.now() + options.forMilliseconds;
  const patience = { until, onError: options.onError };
  return forEachNetwork("run", { ...options, patience }, async (station, total) => {
    let wasRead = false;
    let unread: string | undefined;
    for await (const report of observations(station, { ...options, until })) {
      options.onReport(report, station);
      addReport(total, report);
      unread = report.unread;
      wasRead ||= unread === undefined;
    }
    // An outage that was gone through is no failure of it; that nothing was ever seen is.
    if (!wasRead && unread !== undefined) total.unread = unread;
  });
}

/** Observes at each tick, and hands out the report of each; ends when the time is over or the signal is given. */
async function* observations(station: Station, options: RunOptions & { until: number }): AsyncGenerator<Report> {
  const { clock, signal, until, cadence = CADENCE, publishes = true } = options;
  const isStopped = () => signal.aborted;
  const keepUp = createUpkeep(station);
  let tick: Tick = { at: clock.now(), kind: "snapshot" };
  while (tick.at < until && !isStopped()) {
    try {
      await clock.sleepUntil(tick.at, signal);
      const { kind } = tick;
      yield await reportOn(station, kind, async (report) => {
        await observe(station, kind, report);
        if (publishes) await publishLedger(station, report, { audit: kind === "snapshot", isFolded: true });
        if (publishes && kind === "snapshot") await keepUp(report);
      });
    } catch (error) {
      if (!isStopped()) options.onError(nameNetwork(station.network, error));
    }
    const now = clock.now();
    const boundaries = findBoundaries(station.keeper.ledger());
    tick =
      lateTick({ last: tick.at, now, cadence }) ?? nextTick({ after: Math.max(tick.at, now), boundaries, cadence });
  }
}

/**
 * When the running epoch began and the next one is expected to begin, by measured slot time; none before it is measured.
 * The one that began counts too: a check at that very moment must not take the place of the one just after it.
 */
export function findBoundaries(ledger: Ledger): number[] {
  const { newest } = ledger.acceptance;
  const slotMilliseconds = measureSlotMilliseconds(ledger.slotTimeAnchors);
  if (newest === null || slotMilliseconds === null) return [];
  const beganAt = Date.parse(newest.time) - newest.slotIndex * slotMilliseconds;
  return [beganAt, beganAt + newest.slotsInEpoch * slotMilliseconds];
}
