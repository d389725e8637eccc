import { messageOf } from "../contract/error-message.ts";
import type { Ledger } from "../ledger/ledger.ts";
import { measureSlotMilliseconds } from "../ledger/uptime/slot-time.ts";
import { openAlerts, type Alerts } from "./alerts/alerts.ts";
import { observe } from "./observing.ts";
import { publishLedger } from "./publishing.ts";
import { addReport, type Report } from "./report.ts";
import {
  afterSnapshot,
  BEGINNING,
  nextTick,
  toCadence,
  type Boundary,
  type Cadence,
} from "./schedule.ts";
import { forEachNetwork, nameNetwork, reportOn, type CommandOptions } from "./for-each-network.ts";
import type { Context } from "./context.ts";
import { createSilenceWarnings } from "./silence-warnings.ts";
import { createUpkeep } from "./upkeep.ts";

/** Writing it takes long once an epoch; the next check must not wait. */
const WALLETS_AT_ONCE = { milliseconds: 15_000 };

interface RunOptions extends CommandOptions {
  /** null: until stopped. */
  forMilliseconds: number | null;
  /** Default: from the settings. */
  cadence?: Cadence;
  /** Default: true. */
  publishes?: boolean;
  onReport: (report: Report, context: Context) => void;
  /** Receives failures, named by network; the next tick tries again. */
  onError: (error: unknown) => void;
}

/** `generate run`: a snapshot at once, then checks and snapshots until stopped. */
export function run(options: RunOptions): Promise<Report> {
  const until =
    options.forMilliseconds === null ? Infinity : options.clock.now() + options.forMilliseconds;
  const patience = { until, onError: options.onError };
  return forEachNetwork("run", { ...options, patience }, async (context, total) => {
    const alerts = openAlerts(context, options);
    let wasRead = false;
    let unread: string | undefined;
    let error: unknown = null;
    const watched = {
      onError(latest: unknown) {
        error = latest;
        options.onError(latest);
      },
      // What a tick stored before it failed counts.
      onFailed: ({ stored }: Report) => void (total.stored += stored),
    };
    try {
      for await (const report of observations(context, { ...options, ...watched, until, alerts })) {
        options.onReport(report, context);
        addReport(total, report);
        unread = report.unread;
        wasRead ||= unread === undefined;
      }
    } finally {
      await alerts.close(total);
    }
    // A run that recovered from an outage did not fail; one that never read anything did.
    if (!wasRead && unread !== undefined) total.unread = unread;
    else {
      const failure = findFailure(total, {
        error,
        isWaiting: context.projection.holes().length > 0,
      });
      if (failure !== null) total.failure = failure;
    }
  });
}

/** What never happened in a whole run, and why; null: it stored and published. */
function findFailure(
  { stored, published, rejected, skipped }: Report,
  { error, isWaiting }: { error: unknown; isWaiting: boolean },
): string | null {
  const ofError = error === null ? undefined : messageOf(error);
  if (stored === 0) {
    const reason = ofError ?? rejected.at(-1)?.reason;
    return reason === undefined ? null : `nothing was stored: ${reason}`;
  }
  // Skipped without a hole or an error: another generator publishes.
  if (published > 0 || (!isWaiting && ofError === undefined)) return null;
  return `nothing was published: ${ofError ?? skipped ?? "an entry cannot be read"}`;
}

async function* observations(
  context: Context,
  options: RunOptions & { until: number; alerts: Alerts; onFailed: (report: Report) => void },
): AsyncGenerator<Report> {
  const {
    clock,
    signal,
    until,
    alerts,
    settings,
    cadence = toCadence(settings.checkSeconds),
    publishes = true,
  } = options;
  const isStopped = () => signal.aborted;
  const onError = (error: unknown) => options.onError(nameNetwork(context.network, error));
  const keepUp = createUpkeep(context);
  const warnOfSilence = createSilenceWarnings(context.witnesses);
  // Fold first: the journal knows the boundary, and even the first snapshot must not overlap it.
  let folded = await foldJournal(context, onError);
  let progress =
    folded === null ? { ...BEGINNING, last: clock.now(), owesSnapshot: false } : BEGINNING;
  for (;;) {
    const boundary = findBoundary(context.projection.ledger());
    const next = nextTick(progress, { now: clock.now(), boundary, cadence });
    const { at, kind } = next.tick;
    if (at >= until || isStopped()) return;
    progress = next.progress;
    const begun: Report[] = [];
    try {
      await clock.sleepUntil(at, signal);
      yield await reportOn(context, kind, async (report) => {
        begun.push(report);
        report.observations += folded ?? 0;
        folded = 0;
        await observe(context, kind, report, { isInBurst: progress.burst !== null });
        warnOfSilence(kind, report);
        if (kind === "snapshot") progress = afterSnapshot(progress, report.accepted !== false);
        if (publishes)
          await publishLedger(context, report, { audit: kind === "snapshot", isFolded: true });
        if (publishes) alerts.notify(report);
        if (publishes && progress.burst === null)
          await context.wallets?.write(report, WALLETS_AT_ONCE);
        if (publishes && kind === "snapshot") await keepUp(report);
      });
    } catch (error) {
      begun.forEach(options.onFailed);
      if (!isStopped()) onError(error);
    }
  }
}

/** Returns how many entries; null: it failed and is tried again at the next tick. */
async function foldJournal(
  { projection }: Context,
  onError: (error: unknown) => void,
): Promise<number | null> {
  try {
    return (await projection.refresh()).size;
  } catch (error) {
    onError(error);
    return null;
  }
}

/** By finalized slots and measured slot time; null: not measured yet. */
export function findBoundary(ledger: Ledger): Boundary | null {
  const { newest } = ledger.acceptance;
  const slotMilliseconds = measureSlotMilliseconds(ledger.slotTimeAnchors);
  if (newest === null || slotMilliseconds === null) return null;
  const { epoch, listSlot, absoluteSlot, slotIndex, slotsInEpoch } = newest;
  const beganAt = Date.parse(newest.time) - slotIndex * slotMilliseconds;
  // Votes lag a little, so an older slot says nothing about the new epoch.
  const isOfEpoch = listSlot >= absoluteSlot - slotIndex;
  return isOfEpoch
    ? { epoch, at: beganAt + slotsInEpoch * slotMilliseconds }
    : { epoch: epoch - 1, at: beganAt };
}
