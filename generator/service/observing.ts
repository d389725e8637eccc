import { findClusterSlot } from "../agree/cluster-slot.ts";
import { messageOf } from "../contract/error-message.ts";
import type { CheckEntry, Entry, SnapshotEntry } from "../entries/entry.ts";
import type { Ledger } from "../ledger/ledger.ts";
import { areRewardsDue } from "../ledger/stake/paid.ts";
import { isRateClear } from "../ledger/rates/rates.ts";
import { tipAmountsToRead } from "../ledger/tips/tip-amounts.ts";
import { priorityFeesToRead, tipsToRead } from "../ledger/tips/tips.ts";
import { pendingChanges } from "../ledger/pending-changes.ts";
import { expectedSlot } from "../ledger/expectations.ts";
import type { Ranking } from "../rpc/ranking.ts";
import type { Observed } from "../observe/observation.ts";
import type { StakeRecords } from "../observe/stakes/stake-records.ts";
import { withAlerts } from "./alerts/alerts.ts";
import { forEachNetwork, type CommandOptions } from "./for-each-network.ts";
import { publishLedger } from "./publishing.ts";
import { createUpkeep } from "./upkeep.ts";
import type { Report } from "./report.ts";
import { searchTransactions } from "./searching.ts";
import { createSilenceWarnings } from "./silence-warnings.ts";
import type { Context } from "./context.ts";
import type { Outcomes } from "./projection/projection.ts";

const MINUTE_MILLISECONDS = 60_000;
/** A snapshot begins a little after its minute. */
const SCAN_TOLERANCE_MILLISECONDS = 60_000;

/** `generate check`: one light observation. */
export function check(options: CommandOptions): Promise<Report> {
  return forEachNetwork("check", options, async (context, report) => {
    await withAlerts(context, { ...options, report }, async () => {
      await observe(context, "check", report);
      createSilenceWarnings(context.witnesses)("check", report);
      await publishLedger(context, report, { audit: false, isFolded: true });
    });
  });
}

/** `generate snapshot`: one full observation; audits the public store. */
export function snapshot(options: CommandOptions): Promise<Report> {
  return forEachNetwork("snapshot", options, async (context, report) => {
    await withAlerts(context, { ...options, report }, async () => {
      await observe(context, "snapshot", report);
      createSilenceWarnings(context.witnesses)("snapshot", report);
      await publishLedger(context, report, { audit: true, isFolded: true });
    });
    await context.wallets?.write(report);
    await createUpkeep(context)(report);
  });
}

/**
 * Observes, journals, folds, and searches for the
 * transactions behind changes. Refusals go to the report.
 * @param options.isInBurst others follow within seconds and must not wait
 */
export async function observe(
  context: Context,
  kind: "check" | "snapshot",
  report: Report,
  { isInBurst = false } = {},
): Promise<void> {
  // Others may have folded before or meanwhile.
  const since = new Date(context.clock.now()).toISOString();
  const before = await context.projection.refresh();
  report.observations += before.size;
  const wallets = kind === "check" ? null : await awaitWallets(context, report);
  const observed =
    wallets === null ? await takeCheck(context) : await takeSnapshot(context, wallets);
  report.accepted = await take(context, observed, { report, before });
  if (report.accepted && observed.passed) wallets?.accept(observed.entry);
  // Searches even after a refusal: a refused list must not hide changes for minutes.
  if (!observed.passed) return;
  if (!isInBurst) await prove(context, report, { kind, since });
}

async function fold(context: Context, report: Report): Promise<Outcomes> {
  const before = context.projection.ledger().events.length;
  const outcomes = await context.projection.refresh();
  report.observations += outcomes.size;
  report.events += Math.max(0, context.projection.ledger().events.length - before);
  report.pending = pendingChanges(context.projection.ledger()).length;
  return outcomes;
}

function takeCheck(context: Context): Promise<Observed<CheckEntry>> {
  const ledger = context.projection.ledger();
  return context.observer.check({
    expected: findListed(context),
    ranking: toRanking(context),
    isClear: (row) => isRateClear(ledger, row),
  });
}

function findListed({ projection }: Context): string[] {
  return projection.ledger().validators.flatMap(({ listed, vote }) => (listed ? [vote] : []));
}

/** Prefers endpoints that are where the ledger expects the cluster. */
function toRanking({ projection, clock }: Context): Ranking {
  const time = new Date(clock.now()).toISOString();
  return {
    findClusterSlot: (slots) => findClusterSlot(slots, expectedSlot(projection.ledger(), time)),
  };
}

async function awaitWallets({ wallets, network }: Context, report: Report) {
  const isMissing = await findMissing(wallets, report);
  let recorded: StakeRecords | null = null;
  return {
    isMissing,
    onStakeRecords: (epoch: number) =>
      isMissing(epoch) ? (records: StakeRecords) => void (recorded = records) : null,
    accept({ epoch, slot, time }: CheckEntry | SnapshotEntry): void {
      if (recorded !== null) wallets?.hold(recorded, { network, epoch, slot, asOf: time });
    },
  };
}

/** The journal can be written while the public store is down. */
async function findMissing(
  wallets: Context["wallets"],
  report: Report,
): Promise<(epoch: number) => boolean> {
  try {
    return (await wallets?.findMissing()) ?? (() => false);
  } catch (error) {
    report.upkeep.push(`the wallet index could not be examined: ${messageOf(error)}`);
    return () => false;
  }
}

function takeSnapshot(
  context: Context,
  { isMissing, onStakeRecords }: Awaited<ReturnType<typeof awaitWallets>>,
): Promise<Observed<SnapshotEntry>> {
  const ledger = context.projection.ledger();
  return context.observer.snapshot({
    ranking: toRanking(context),
    expected: findListed(context),
    sides: (epoch, votes) => {
      const now = context.clock.now();
      const scan = { epoch, now, everyMinutes: context.stakeScanMinutes };
      return {
        scanStakeAccounts: isMissing(epoch) || isScanDue(ledger, scan),
        // The ledger keeps one reading an epoch.
        readIssuance: !ledger.issuance.has(epoch),
        readRewards: areRewardsDue(ledger, epoch),
        onStakeRecords: onStakeRecords(epoch),
        ...tipsToRead(ledger, { epoch, votes }),
        tipAmounts: tipAmountsToRead(ledger, { epoch, now: new Date(now).toISOString() }),
        priorityFees: priorityFeesToRead(ledger, epoch),
      };
    },
  });
}

/**
 * Due at an epoch's first snapshot, then once in so many minutes of the UTC
 * day. On the hour profiles are put anyway: a scan costs no second put.
 */
export function isScanDue(
  ledger: Ledger,
  options: { epoch: number; now: number; everyMinutes: number },
): boolean {
  const { epoch, now, everyMinutes } = options;
  const { lastSuccessAt } = ledger.sources.stakeAccounts;
  const isOfEpoch =
    ledger.epochs.at(-1)?.epoch === epoch &&
    ledger.validators.some((one) => one.stakeAccountsAsOf !== null);
  if (everyMinutes === 0 || lastSuccessAt === null || !isOfEpoch) return true;
  const toSpans = (time: number) => time / (everyMinutes * MINUTE_MILLISECONDS);
  return (
    Math.floor(toSpans(now)) >
    Math.ceil(toSpans(Date.parse(lastSuccessAt) - SCAN_TOLERANCE_MILLISECONDS))
  );
}

/**
 * @param before the fold's outcomes so far: this very
 * entry may be among them, if another process died over it
 */
async function take(
  context: Context,
  observed: Observed<CheckEntry | SnapshotEntry>,
  { report, before }: { report: Report; before: Outcomes },
): Promise<boolean> {
  if (!observed.passed) {
    report.rejected.push({ reason: observed.reason });
    if (observed.isUnread) report.unread = observed.reason;
    return false;
  }
  const { name, outcomes } = await append(context, observed.entry, report);
  const outcome = outcomes.get(name) ??
    before.get(name) ?? { accepted: false, reason: "it is missing from the journal" };
  if (!outcome.accepted) report.rejected.push({ reason: outcome.reason });
  return outcome.accepted;
}

async function append(context: Context, entry: Entry, report: Report) {
  const name = await context.journal.append(entry);
  report.stored += 1;
  return { name, outcomes: await fold(context, report) };
}

/** Unreadable transactions are searched again later. */
async function prove(
  context: Context,
  report: Report,
  options: { kind: "check" | "snapshot"; since: string },
): Promise<void> {
  const searched = await searchTransactions(context, options);
  if (searched === null) return;
  if (searched.passed) await append(context, searched.entry, report);
  else report.rejected.push({ reason: `transactions: ${searched.reason}` });
}
