import type { AgreedTransactions, ReadTransaction, ToldTransaction } from "../../agree/transactions.ts";
import { epochOf, firstSlotOf } from "../../chain/epoch-schedule.ts";
import { findVoteChanges, type VoteChange } from "../../chain/vote-changes.ts";
import type { Verified } from "../../contract/event.ts";
import type { TransactionsEntry } from "../../entries/entry.ts";
import { handOver, isAuthority } from "./authorities.ts";
import { touchEnds } from "../rates/boundaries.ts";
import { keepSearch } from "./coverage.ts";
import { keepNewest } from "../rates/block-revenue.ts";
import type { Ledger } from "../ledger.ts";
import { beginRun } from "../rates/runs.ts";
import { newestRate } from "../rates/timeline.ts";
import { toMoves } from "./proof-moves.ts";
import type { Proof, ValidatorRecord } from "../records.ts";
import { keepWithdrawal, takeBackRefuted } from "./refutations.ts";
import { findValidator, type Step } from "../step.ts";
import { type Touched, touchPointsFrom } from "../touched.ts";
import { trackEpoch } from "../tracked-epochs.ts";
import { epochAt } from "../schedule.ts";

/*
 * Nobody signs slot and success: a majority of witnesses must agree on them. Every fold verifies the signature of the
 * change, whose key must have been the withdraw authority at that slot.
 */

/** End of the year 9999, UTC. Later years have more than four digits. */
export const SECONDS_MAX = 253_402_300_799;

export function foldTransactions(ledger: Ledger, touched: Touched, { entry, reading }: Proving): { accepted: true } {
  const { transactions, searches, slot } = reading;
  const hearing = { ledger, touched, entry, reading };
  for (const read of transactions) prove(hearing, read);
  for (const search of searches) {
    keepSearch(ledger, search, { time: entry.time, slot });
    if (search.covered !== null) touchEnds({ ledger, touched }, search.authority, search.covered);
  }
  touchSearched(ledger, touched, entry);
  for (const validatorIndex of touched.proofs) {
    settleByProof(toStep(hearing), validatorIndex);
    takeBackRefuted(toStep(hearing), validatorIndex);
  }
  return { accepted: true };
}

interface Proving {
  entry: TransactionsEntry;
  reading: AgreedTransactions;
}

interface Hearing extends Proving {
  ledger: Ledger;
  touched: Touched;
}

function toStep({ ledger, touched, entry: { time } }: Hearing): Step {
  const { slot = 0, epoch = 0 } = ledger.acceptance.newest ?? {};
  return { ledger, touched, moment: { time, slot, epoch }, moments: new Map() };
}

function prove(hearing: Hearing, told: ReadTransaction): void {
  const changes = findVoteChanges(told.transaction, { inner: told.inner, loaded: told.loaded });
  for (const [vote, own] of Map.groupBy(changes, ({ voteAccount }) => voteAccount)) {
    const found = findValidator(hearing.ledger, vote);
    if (found !== null) proveOne(hearing, { validatorIndex: found.validatorIndex, told, changes: own });
  }
}

interface Authorised extends VoteChange {
  signer: string;
}

function proveOne(
  hearing: Hearing,
  { validatorIndex, told, changes }: { validatorIndex: number; told: ToldTransaction; changes: readonly VoteChange[] },
): void {
  const validator = hearing.ledger.validators[validatorIndex];
  if (validator === undefined) return;
  const commissions: (Authorised & { basisPoints: number })[] = [];
  // A transaction may hand the authority over and then use the new one.
  for (const one of changes) {
    const signer = one.authorities.find((key) => isAuthority(validator, key, told.slot));
    if (signer === undefined) continue;
    const { change } = one;
    if (change.of === "inflationCommission") commissions.push({ ...one, signer, basisPoints: change.basisPoints });
    else if (change.of === "withdrawal") keepWithdrawal(validator, told.slot);
    else keepAccountChange(hearing, { validatorIndex, validator, told, one: { ...one, signer } });
  }
  const last = commissions.at(-1);
  if (last !== undefined)
    keepCommissions(hearing, { validatorIndex, validator, told, commissions, signer: last.signer });
}

interface Account {
  validatorIndex: number;
  validator: ValidatorRecord;
  told: ToldTransaction;
}

function keepAccountChange(
  hearing: Hearing,
  { validatorIndex, validator, told, one }: Account & { one: Authorised },
): void {
  const { change, signer } = one;
  if (change.of === "initialized" || change.of === "inflationCommission" || change.of === "withdrawal") return;
  const to = "to" in change ? change.to : change.basisPoints;
  const { signature, slot } = told;
  const isKnown = validator.accountChanges.some(
    (known) => known.signature === signature && known.of === change.of && known.to === to,
  );
  if (isKnown) return;
  const kept = { ...toProof(hearing, told, { signer, changes: [one] }), of: change.of, to };
  validator.accountChanges = [...validator.accountChanges, kept].sort((a, b) => a.slot - b.slot);
  if (change.of === "withdrawAuthority") handOver(validator, { slot, by: signer, to: change.to });
  hearing.touched.profiles.add(validatorIndex);
  if (change.of !== "blockRevenueCommission") return;
  hearing.touched.blockRevenue.add(validatorIndex);
  keepNewest(toStep(hearing), validatorIndex);
}

/** A signature and vote account together prove one change, ever. */
function keepCommissions(
  hearing: Hearing,
  {
    validatorIndex,
    validator,
    told,
    commissions,
    signer,
  }: Account & { commissions: readonly (Authorised & { basisPoints: number })[]; signer: string },
): void {
  const { ledger, touched, entry } = hearing;
  const known = validator.rateProofs.find(({ signature }) => signature === told.signature);
  if (known?.slot === told.slot || known?.isDisputed === true) return;
  touched.proofs.add(validatorIndex);
  const proof = toProof(hearing, told, { signer, changes: commissions });
  // Until it is certain, it is not known what stood at the end of its epoch.
  touched.commissions.add(validatorIndex);
  touchPointsFrom({ ledger, touched }, proof.epoch);
  if (known !== undefined) {
    known.isDisputed = true;
    return;
  }
  if (trackEpoch(ledger, proof.epoch, firstSlotOf(entry.schedule, proof.epoch))) touched.epochs.add(proof.epoch);
  validator.rateProofs.push({
    ...proof,
    index: told.index,
    rates: commissions.map(({ basisPoints }) => basisPoints),
    foundAt: entry.time,
    isDisputed: false,
  });
  validator.rateProofs.sort((a, b) => a.slot - b.slot || (a.index ?? 0) - (b.index ?? 0));
}

function toProof(
  { entry, reading, ledger }: Hearing,
  { signature, slot, blockTime }: ToldTransaction,
  { signer, changes }: { signer: string; changes: readonly VoteChange[] },
): Proof {
  const isKnownTime = blockTime !== null && blockTime <= SECONDS_MAX;
  return {
    signature,
    slot,
    epoch: findEpoch(ledger, entry, slot),
    blockTime: isKnownTime ? new Date(blockTime * 1000).toISOString() : null,
    signer,
    verified: toVerified(
      reading.panelSize,
      changes.every(({ proof }) => proof === "signature"),
    ),
  };
}

/** The schedule comes from one witness. */
function findEpoch(ledger: Ledger, { schedule }: TransactionsEntry, slot: number): number {
  const since = ledger.epochs[0]?.firstSlot ?? Infinity;
  return slot >= since ? epochAt(ledger, slot) : epochOf(schedule, slot);
}

function toVerified(panelSize: number, isSigned: boolean): Verified {
  if (panelSize === 1) return isSigned ? "signature, one witness" : "one witness";
  return isSigned ? "signature" : "witnesses";
}

function touchSearched({ validators }: Ledger, touched: Touched, { searches }: TransactionsEntry): void {
  const searched = new Set(searches.map(({ authority }) => authority));
  for (const [validatorIndex, { authorities, rateProofs, rates }] of validators.entries()) {
    const isChanged = rateProofs.length > 0 || rates.runs.length > 1 || rates.pending !== null;
    if (isChanged && authorities.some(({ key }) => searched.has(key))) touched.proofs.add(validatorIndex);
  }
}

/** A proved transaction after the last reading decides what is pending. */
function settleByProof(step: Step, validatorIndex: number): void {
  const validator = step.ledger.validators[validatorIndex];
  const held = validator && newestRate(validator);
  if (validator === undefined || held == null) return;
  const { pending, isAgreed } = validator.rates;
  // In a mass change observations decide.
  if (pending === null || pending.massLeft !== null || !isAgreed) return;
  const move = toMoves(validator).findLast(({ slot }) => slot > held.until.slot);
  if (move?.to !== pending.to.basisPoints || move.to === held.basisPoints) return;
  const slot = Math.max(pending.first.slot, move.slot);
  const from = { ...pending.first, slot, epoch: epochAt(step.ledger, slot) };
  beginRun(step, validatorIndex, {
    commission: { basisPoints: move.to, exact: true },
    from,
    until: { ...from, slot: move.slot },
    floor: move.slot,
    believed: { at: step.moment.time, by: "transaction" },
  });
}
