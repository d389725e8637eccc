import type { AgreedEntry, AgreedSnapshot, SnapshotReading } from "../agree/agree.ts";
import type { CheckRow, HistoryEntry, SnapshotRow } from "../entries/entry.ts";
import { judgeObservation } from "./acceptance/acceptance.ts";
import { foldAuthorities } from "./proof/authorities.ts";
import { foldBoundaries } from "./rates/boundaries.ts";
import { foldBlockRevenue } from "./rates/block-revenue.ts";
import { foldCredits } from "./stake/credits.ts";
import { foldEpoch, foldStakeAccounts, foldStakePoints } from "./stake/epochs.ts";
import { foldPublicHistory } from "./rates/public-history.ts";
import { foldIdentities, foldInfo, foldNodes } from "./profile/identities.ts";
import type { Ledger } from "./ledger.ts";
import { foldIssuance } from "./stake/issuance.ts";
import { foldListing } from "./stake/listing.ts";
import { foldLocations } from "./profile/locations.ts";
import { foldMembership } from "./stake/membership.ts";
import { foldMevClients } from "./tips/mev-clients.ts";
import { foldPaid } from "./stake/paid.ts";
import { redateProofs } from "./proof/proof-moves.ts";
import { foldRates } from "./rates/rates.ts";
import { foldPerformance } from "./uptime/performance.ts";
import { foldRestart } from "./restart.ts";
import { IGNORED, isIgnored } from "./rulings.ts";
import { foldSlotTime } from "./uptime/slot-time.ts";
import { foldSources, noteVotes, noteWitnesses } from "./sources.ts";
import { findRows, type Found, type Step } from "./step.ts";
import { foldTipAmounts } from "./tips/tip-amounts.ts";
import { foldLeaders } from "./tips/leaders.ts";
import { foldTips } from "./tips/tips.ts";
import { foldTransactions } from "./proof/transactions.ts";
import { keepAbsence } from "./proof/withdrawals.ts";
import { createTouched, type Touched } from "./touched.ts";
import { foldUptime } from "./uptime/uptime.ts";

/**
 * Outcome of one entry. `ledger` is the one passed in, changed in place. A transactions or
 * history entry is refused only if a ruling ignores it.
 */
export interface Folded {
  ledger: Ledger;
  touched: Touched;
  outcome: { accepted: true } | { accepted: false; reason: string };
}

/**
 * Folds one entry. The same entries in the same order give every generator the same ledger.
 * It consumes `ledger`, because copying 14 MB each minute would cost more than all else. To go
 * back, keep a checkpoint.
 */
export function fold(ledger: Ledger, agreed: AgreedEntry & { name: string; hash: string }): Folded {
  const { name, hash, entry } = agreed;
  const touched = createTouched();
  const outcome = foldOne(ledger, touched, agreed);
  redateProofs(ledger, touched.events);
  ledger.position = { name, hash, time: entry.time };
  const day = entry.time.slice(0, "YYYY-MM-DD".length);
  if (!ledger.firstOfDay.has(day)) ledger.firstOfDay.set(day, name);
  return { ledger, touched, outcome };
}

function foldOne(
  ledger: Ledger,
  touched: Touched,
  agreed: AgreedEntry & { name: string },
): Folded["outcome"] {
  const { name } = agreed;
  switch (agreed.kind) {
    case "check":
    case "snapshot":
      return foldObservation(ledger, touched, agreed);
    case "transactions":
      return isIgnored(ledger, name) ? IGNORED : foldTransactions(ledger, touched, agreed);
    case "history":
      return isIgnored(ledger, name)
        ? IGNORED
        : foldReadHistory(ledger, touched, { name, entry: agreed.entry });
  }
}

function foldReadHistory(
  ledger: Ledger,
  touched: Touched,
  { name, entry }: { name: string; entry: HistoryEntry },
): Folded["outcome"] {
  ledger.history.entries.push(name);
  foldPublicHistory(ledger, touched, entry);
  return { accepted: true };
}

type AgreedObservation = Extract<AgreedEntry, { kind: "check" | "snapshot" }>;

function foldObservation(
  ledger: Ledger,
  touched: Touched,
  { name, ...agreed }: AgreedObservation & { name: string },
): Folded["outcome"] {
  const { entry, reading } = agreed;
  const { time, slot, epoch } = entry;
  const verdict = judgeObservation(ledger, name, entry, reading);
  const step: Step = { ledger, touched, moment: { time, slot, epoch }, moments: new Map() };
  noteWitnesses(step, reading.silence);
  if (time >= (ledger.acceptance.newest?.time ?? "")) noteSilence(ledger, time, reading.silent);
  if (verdict.accepted) {
    if (verdict.isRestart) foldRestart(step);
    foldAccepted(step, agreed);
  } else if (verdict.isSlotPlausible) {
    const found = findRows<CheckRow>(ledger, entry.votes);
    foldRates(step, reading.rates, { found, isAccepted: false });
  }
  return verdict.accepted ? { accepted: true } : { accepted: false, reason: verdict.reason };
}

/** Records which of two witnesses is silent: after long enough, the other decides alone. */
function noteSilence(ledger: Ledger, time: string, silent: string | null): void {
  if (silent === null) ledger.silent = null;
  else if (ledger.silent?.endpoint !== silent) ledger.silent = { endpoint: silent, since: time };
}

function foldAccepted(step: Step, agreed: AgreedObservation): void {
  const { entry } = agreed;
  foldEpoch(step, entry);
  if (agreed.kind === "snapshot") foldListing(step, agreed.entry, agreed.reading);
  const found = findRows<CheckRow>(step.ledger, entry.votes);
  foldCheck(step, agreed, found);
  if (agreed.kind === "snapshot")
    foldSnapshot(step, agreed, findRows(step.ledger, agreed.entry.votes));
  noteSeen(step, found);
}

function foldCheck(
  step: Step,
  { entry, reading }: AgreedObservation,
  found: readonly Found<CheckRow>[],
): void {
  foldUptime(step, found, reading);
  foldStakePoints(step, entry, found);
  foldBoundaries(step, entry, { found, rates: reading.rates });
  foldRates(step, reading.rates, { found, isAccepted: true });
  foldAuthorities(step, reading.authorities);
  noteVotes(step, entry.unreadableRows);
}

function noteSeen({ ledger, moment }: Step, found: readonly Found<CheckRow>[]): void {
  for (const { validator } of found) if (validator.listed) validator.seen = moment;
  if (found.length === ledger.validators.length) return;
  for (const validator of ledger.validators)
    if (validator.listed && validator.seen !== moment) keepAbsence(validator, moment.slot);
}

function foldSnapshot(
  step: Step,
  { entry, reading }: { entry: AgreedSnapshot; reading: SnapshotReading },
  found: readonly Found<SnapshotRow>[],
): void {
  step.ledger.snapshot = step.ledger.acceptance.newest;
  step.touched.isTimeTouched = true;
  foldSlotTime(step, entry);
  foldMembership(step, entry, { found, set: reading.set });
  foldIssuance(step, entry, reading.issuance);
  foldBlockRevenue(step, entry, reading.blockRevenue);
  foldCredits(step, entry, found);
  foldPaid(step, entry, reading.rewards);
  foldIdentities(step, found);
  foldPerformance(step, entry, found);
  if (entry.nodes.state === "ok") foldNodes(step, entry.nodes.value);
  if (entry.info.state === "ok") foldInfo(step, found, entry.info.value);
  if (entry.locations.state === "ok") foldLocations(step, entry.locations.value);
  if (entry.stakeAccounts.state === "ok") foldStakeAccounts(step, entry.stakeAccounts.value);
  foldLeaders(step, reading);
  foldTips(step, reading.tips);
  foldMevClients(step, entry);
  foldTipAmounts(step, reading.tipAmounts);
  foldSources(step, entry, reading);
}
