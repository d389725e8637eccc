import type { CheckEntry, Entry, SnapshotEntry } from "../ledger/entry.ts";
import type { Ledger } from "../ledger/ledger.ts";
import { closedMevToDecide } from "../ledger/mev-disabled.ts";
import { tipsToRead } from "../ledger/panel-shares.ts";
import { pendingChanges } from "../ledger/pending.ts";
import { findClusterSlot } from "../ledger/witnesses.ts";
import type { Ranking } from "../observe/endpoints.ts";
import type { Observed } from "../observe/observation.ts";
import { searchTransactions } from "./proving.ts";
import type { Report } from "./report.ts";
import type { Station } from "./station.ts";

/** What the fold said of entries, by their names. */
type Outcomes = Awaited<ReturnType<Station["keeper"]["refresh"]>>;

const MINUTE_MILLISECONDS = 60_000;
/** A snapshot begins a little after its minute: the scan of the hour is still of that hour. */
const SCAN_TOLERANCE_MILLISECONDS = 60_000;

/**
 * Observes, journals and folds; and reads at once a second time what seems to have changed, before anybody is accused.
 * What was refused, at the door or by the fold, goes to the report.
 * @param options.isInBurst others follow within seconds: nothing may keep them waiting that can be read later
 */
export async function observe(
  station: Station,
  kind: "check" | "snapshot",
  report: Report,
  { isInBurst = false } = {},
): Promise<void> {
  // What was folded before this command, or by others meanwhile, is not its doing: no event of it counts here.
  const since = new Date(station.clock.now()).toISOString();
  const before = await station.keeper.refresh();
  report.observations += before.size;
  const observed = kind === "check" ? await takeCheck(station) : await takeSnapshot(station);
  report.accepted = await take(station, observed, { report, before });
  // Of a refused one, too, the rates are a reason to ask: a set that is doubted for minutes must hide no change meanwhile.
  if (!observed.passed) return;
  await confirm(station, kind, report);
  if (!isInBurst) await prove(station, report, { kind, since });
}

/** Folds what the journal holds by now. */
async function fold(station: Station, report: Report): Promise<Outcomes> {
  const before = station.keeper.ledger().events.length;
  const outcomes = await station.keeper.refresh();
  report.observations += outcomes.size;
  report.events += Math.max(0, station.keeper.ledger().events.length - before);
  report.pending = pendingChanges(station.keeper.ledger()).length;
  return outcomes;
}

function takeCheck(station: Station): Promise<Observed<CheckEntry>> {
  return station.observer.check({ expected: findListed(station), ranking: toRanking(station) });
}

function findListed({ keeper }: Station): string[] {
  return keeper.ledger().validators.flatMap(({ listed, vote }) => (listed ? [vote] : []));
}

/** Who was read longest ago is read first, and whoever is where the ledger expects the cluster to be. */
function toRanking({ keeper, clock }: Station): Ranking {
  const ledger = keeper.ledger();
  const time = new Date(clock.now()).toISOString();
  const asked = ledger.witnesses.filter(({ askedAt }) => askedAt !== null);
  return {
    findClusterSlot: (slots) => findClusterSlot(ledger, slots, time),
    turns: asked.sort((a, b) => compareText(a.askedAt ?? "", b.askedAt ?? "")).map(({ origin }) => origin),
  };
}

function takeSnapshot(station: Station): Promise<Observed<SnapshotEntry>> {
  const ledger = station.keeper.ledger();
  return station.observer.snapshot({
    ranking: toRanking(station),
    expected: findListed(station),
    scanStakeAccounts: (epoch) =>
      isScanDue(ledger, { epoch, now: station.clock.now(), everyMinutes: station.stakeScanMinutes }),
    closedMev: (epoch) => closedMevToDecide(ledger, epoch),
  });
}

/**
 * The first snapshot of an epoch; then one each so many minutes at most, on the minutes of the UTC day that are multiples of
 * them: on the hour profiles are put in any case, with the performance of the hour before, and a scan costs no second put.
 */
export function isScanDue(ledger: Ledger, options: { epoch: number; now: number; everyMinutes: number }): boolean {
  const { epoch, now, everyMinutes } = options;
  const { lastSuccessAt } = ledger.sources.stakeAccounts;
  const isOfEpoch =
    ledger.epochs.at(-1)?.epoch === epoch && ledger.validators.some((one) => one.stakeAccountsAsOf !== null);
  if (everyMinutes === 0 || lastSuccessAt === null || !isOfEpoch) return true;
  const toSpans = (time: number) => time / (everyMinutes * MINUTE_MILLISECONDS);
  return Math.floor(toSpans(now)) > Math.ceil(toSpans(Date.parse(lastSuccessAt) - SCAN_TOLERANCE_MILLISECONDS));
}

/** @param before what the fold said of the entries that were there already: of this very one, if another process died over it */
async function take(
  station: Station,
  observed: Observed<CheckEntry | SnapshotEntry>,
  { report, before }: { report: Report; before: Outcomes },
): Promise<boolean> {
  if (!observed.passed) {
    report.rejected.push({ reason: observed.reason });
    if (observed.isUnread) report.unread = observed.reason;
    return false;
  }
  const { name, outcomes } = await append(station, observed.entry, report);
  const outcome = outcomes.get(name) ??
    before.get(name) ?? { accepted: false, reason: "it was not found in the journal again" };
  if (!outcome.accepted) report.rejected.push({ reason: outcome.reason });
  return outcome.accepted;
}

async function append(station: Station, entry: Entry, report: Report) {
  const name = await station.journal.append(entry);
  return { name, outcomes: await fold(station, report) };
}

/**
 * The second reading of all that is pending, by every witness; with a snapshot also of the MEV commissions that nobody has
 * read in an account yet.
 */
async function confirm(station: Station, kind: "check" | "snapshot", report: Report): Promise<void> {
  const ledger = station.keeper.ledger();
  const votes = pendingChanges(ledger).flatMap(({ source, vote }) => (source === "COMMISSION" ? [vote] : []));
  const tips = tipsToRead(ledger, { unsettled: kind === "snapshot" });
  if (votes.length === 0 && tips.length === 0) return;
  const observed = await station.observer.confirm({ votes, tips, ranking: toRanking(station) });
  if (observed.passed) await append(station, observed.entry, report);
  else report.rejected.push({ reason: `second reading: ${observed.reason}` });
}

/** The transactions behind what was confirmed. That some could not be read is no failure: they are looked for again. */
async function prove(
  station: Station,
  report: Report,
  options: { kind: "check" | "snapshot"; since: string },
): Promise<void> {
  const searched = await searchTransactions(station, options);
  if (searched === null) return;
  if (searched.passed) await append(station, searched.entry, report);
  else report.rejected.push({ reason: `transactions: ${searched.reason}` });
}

function compareText(one: string, other: string): number {
  if (one === other) return 0;
  return one < other ? -1 : 1;
}
