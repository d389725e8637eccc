import { agreeOnAuthorities } from "../agree/authorities.ts";
import { agreeOnRates, type AgreedRates } from "../agree/rates.ts";
import { agreeOnSet, type AgreedSet } from "../agree/validator-set.ts";
import { agreeOnBlockRevenue } from "../agree/block-revenue.ts";
import { agreeOnIssuance } from "../agree/issuance.ts";
import { agreeOnTipAmounts } from "../agree/tip-amounts.ts";
import { agreeOnTips } from "../agree/tips.ts";
import { judgeObservation, toCircumstances, type Circumstances } from "./acceptance.ts";
import type { CheckEntry, CheckRow, HistoryEntry, NamedEntry, SnapshotEntry, SnapshotRow } from "../entries/entry.ts";
import { foldAuthorities } from "./authorities.ts";
import { foldBoundaries } from "./boundaries.ts";
import { foldBlockRevenue } from "./block-revenue.ts";
import { foldCosts } from "./costs.ts";
import { foldCredits } from "./credits.ts";
import { foldEffects } from "./effects.ts";
import { foldEpoch, foldStakeAccounts, foldStakePoints } from "./epochs.ts";
import { foldHistoryEvents } from "./history-events.ts";
import { foldHistory } from "./history.ts";
import { foldIdentities, foldInfo, foldNodes } from "./identities.ts";
import type { Ledger } from "./ledger.ts";
import { foldIssuance } from "./issuance.ts";
import { foldListing } from "./listing.ts";
import { foldLocations } from "./locations.ts";
import { foldMembership } from "./membership.ts";
import { foldMev } from "./mev.ts";
import { pendingChanges, type PendingChange } from "./pending.ts";
import { foldRates } from "./rates.ts";
import { foldPerformance } from "./performance.ts";
import { foldProofs } from "./proofs.ts";
import { foldRestart } from "./restart.ts";
import { foldRuling, IGNORED, isIgnored } from "./rulings.ts";
import { foldSlotTime } from "./slot-time.ts";
import { foldSources, noteVotes, noteWitnesses } from "./sources.ts";
import { findRows, type Found, type Step } from "./step.ts";
import { foldTipAmounts } from "./tip-amounts.ts";
import { foldTips } from "./tips.ts";
import { foldTransactions } from "./transactions.ts";
import { createTouched, type Touched } from "./touched.ts";
import { foldUptime } from "./uptime.ts";
import { isWholePercent } from "./whole-percent.ts";

export interface Folded {
  ledger: Ledger;
  touched: Touched;
  pending: PendingChange[];
  outcome: { accepted: true } | { accepted: false; reason: string };
}

/**
 * The same entries in the same order give every generator the same ledger.
 *
 * Consumes `ledger`: copying 14 MB each minute would cost more than all else. Keep a checkpoint to go back to.
 */
export function fold(ledger: Ledger, { name, entry }: NamedEntry): Folded {
  const touched = createTouched();
  const outcome = foldEntry(ledger, touched, { name, entry });
  foldProofs(ledger, touched, entry.time);
  foldHistoryEvents(ledger, touched);
  foldEffects(ledger, touched);
  foldCosts(ledger, touched);
  ledger.position = { name, time: entry.time };
  return { ledger, touched, pending: pendingChanges(ledger), outcome };
}

function foldEntry(ledger: Ledger, touched: Touched, { name, entry }: NamedEntry): Folded["outcome"] {
  if (entry.kind === "ruling") return foldRuling(ledger, touched, { name, entry });
  // Acceptance judges and records these.
  if (entry.kind !== "check" && entry.kind !== "snapshot" && isIgnored(ledger, name)) return IGNORED;
  if (entry.kind === "history") return foldReadHistory(ledger, touched, entry);
  if (entry.kind === "transactions") return foldTransactions(ledger, touched, entry);
  return foldObservation(ledger, touched, { name, entry });
}

function foldReadHistory(ledger: Ledger, touched: Touched, entry: HistoryEntry): Folded["outcome"] {
  foldHistory(ledger, touched, entry);
  return { accepted: true };
}

function foldObservation(
  ledger: Ledger,
  touched: Touched,
  { name, entry }: { name: string; entry: CheckEntry | SnapshotEntry },
): Folded["outcome"] {
  const { time, slot, epoch, endpoint } = entry;
  const circumstances = toCircumstances(ledger, entry);
  const verdict = judgeObservation(ledger, name, entry, circumstances);
  const step: Step = { ledger, touched, moment: { time, slot, epoch }, endpoint };
  const reading = agree(ledger, entry, circumstances);
  noteWitnesses(step, entry.panel);
  noteSilence(ledger, time, reading.rates.silent);
  if (verdict.accepted) {
    if (verdict.isRestart) foldRestart(step);
    foldAccepted(step, entry, { ...circumstances, ...reading });
  } else if (verdict.isInPlace) {
    foldRates(step, reading.rates, { found: [], isAccepted: false });
  }
  return verdict.accepted ? { accepted: true } : { accepted: false, reason: verdict.reason };
}

interface Reading {
  rates: AgreedRates;
  agreed: AgreedSet;
}

function agree(ledger: Ledger, entry: CheckEntry | SnapshotEntry, { lists }: Circumstances): Reading {
  return {
    rates: agreeOnRates(entry, lists, { isWhole: isWholePercent(ledger, entry.epoch) }),
    agreed: agreeOnSet(entry, lists),
  };
}

/** Of two witnesses one decides once the other has been silent for long enough. */
function noteSilence(ledger: Ledger, time: string, silent: string | null): void {
  if (silent === null) ledger.silent = null;
  else if (ledger.silent?.endpoint !== silent) ledger.silent = { endpoint: silent, since: time };
}

type Observed = Circumstances & Reading;

function foldAccepted(step: Step, entry: CheckEntry | SnapshotEntry, observed: Observed): void {
  foldEpoch(step, entry);
  if (entry.kind === "snapshot") foldListing(step, entry);
  const found = findRows(step.ledger, entry.votes);
  foldCheck(step, entry, { ...observed, found });
  if (entry.kind === "snapshot") foldSnapshot(step, entry, { ...observed, found: findRows(step.ledger, entry.votes) });
  noteSeen(step, found);
}

function foldCheck(
  step: Step,
  entry: CheckEntry | SnapshotEntry,
  observed: Observed & { found: readonly Found<CheckRow>[] },
): void {
  const { found, rates } = observed;
  foldUptime(step, found, observed);
  foldStakePoints(step, entry, found);
  foldBoundaries(step, entry, found);
  foldRates(step, rates, { found, isAccepted: true });
  foldAuthorities(step, agreeOnAuthorities(entry));
  noteVotes(step, entry.unreadableRows);
}

function noteSeen({ ledger, moment }: Step, found: readonly Found<CheckRow>[]): void {
  for (const { validator } of found) if (validator.listed) validator.seen = moment;
  if (found.length === ledger.validators.length) return;
  for (const validator of ledger.validators)
    if (validator.listed && validator.seen !== moment) validator.absentAt = moment.slot;
}

function foldSnapshot(
  step: Step,
  entry: SnapshotEntry,
  { found, agreed }: Observed & { found: readonly Found<SnapshotRow>[] },
): void {
  step.ledger.snapshot = step.ledger.acceptance.newest;
  foldSlotTime(step, entry);
  foldMembership(step, entry, agreed);
  foldIssuance(step, entry, agreeOnIssuance(entry));
  foldBlockRevenue(step, entry, agreeOnBlockRevenue(entry));
  foldCredits(step, entry, found);
  foldIdentities(step, found);
  foldPerformance(step, entry, found);
  if (entry.nodes.state === "ok") foldNodes(step, entry.nodes.value);
  if (entry.info.state === "ok") foldInfo(step, found, entry.info.value);
  if (entry.locations.state === "ok") foldLocations(step, entry.locations.value);
  if (entry.stakeAccounts.state === "ok") foldStakeAccounts(step, entry.stakeAccounts.value);
  foldTips(step, agreeOnTips(entry));
  foldMev(step, entry);
  foldTipAmounts(step, agreeOnTipAmounts(entry));
  foldSources(step, entry);
}
