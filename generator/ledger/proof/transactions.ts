import type {
  AgreedTransactions,
  DecodedTransaction,
  AgreedTransaction,
} from "../../agree/transactions.ts";
import { epochOf, firstSlotOf } from "../../chain/epoch-schedule.ts";
import { findVoteChanges, type VoteChange } from "../../chain/vote-changes.ts";
import type { VoteAccountChange } from "../../chain/vote-instructions.ts";
import type { Verified } from "../../contract/event.ts";
import { RAW_TRANSACTIONS_MAX } from "../../contract/raw-transaction.ts";
import type { TransactionsEntry } from "../../entries/entry.ts";
import { handOver, isAuthority } from "./authorities.ts";
import { loseEnds, touchEnds } from "../rates/boundaries.ts";
import { keepSearch } from "./coverage.ts";
import { keepNewest } from "../rates/block-revenue.ts";
import type { Ledger } from "../ledger.ts";
import { beginRun } from "../rates/runs.ts";
import { newestRate } from "../rates/timeline.ts";
import { toMoves } from "./proof-moves.ts";
import type { Proof, ValidatorRecord } from "../records.ts";
import { takeBackRefuted } from "./refutations.ts";
import { keepWithdrawal } from "./withdrawals.ts";
import { findValidator, type Step } from "../step.ts";
import { type Touched, touchHistory } from "../touched.ts";
import { trackEpoch } from "../tracked-epochs.ts";
import { epochAt } from "../schedule.ts";

/*
 * No signature covers a transaction's slot and success, so a majority of witnesses must agree on
 * them. Every fold verifies the signature of the change, and its key must have been the withdraw
 * authority at that slot.
 */

/** End of the year 9999, UTC. Later years have more than four digits. */
export const SECONDS_MAX = 253_402_300_799;

/**
 * Records the transactions and searches of an entry, and settles or takes back the changes that
 * they concern. Such an entry is never refused.
 */
export function foldTransactions(
  ledger: Ledger,
  touched: Touched,
  { entry, reading }: Proving,
): { accepted: true } {
  const { transactions, searches, slot } = reading;
  const context = { ledger, touched, entry, reading };
  for (const read of transactions) prove(context, read);
  for (const search of searches) {
    keepSearch(ledger, search, { time: entry.time, slot });
    if (search.covered !== null) touchEnds({ ledger, touched }, search.authority, search.covered);
  }
  touchSearched(ledger, touched, entry);
  for (const validatorIndex of touched.events) {
    settleByProof(toStep(context), validatorIndex);
    takeBackRefuted(toStep(context), validatorIndex);
  }
  return { accepted: true };
}

interface Proving {
  entry: TransactionsEntry;
  reading: AgreedTransactions;
}

interface ProofContext extends Proving {
  ledger: Ledger;
  touched: Touched;
}

function toStep({ ledger, touched, entry: { time } }: ProofContext): Step {
  const { slot = 0, epoch = 0 } = ledger.acceptance.newest ?? {};
  return { ledger, touched, moment: { time, slot, epoch }, moments: new Map() };
}

function prove(context: ProofContext, read: DecodedTransaction): void {
  const changes = findVoteChanges(read.transaction, { inner: read.inner, loaded: read.loaded });
  for (const [vote, own] of Map.groupBy(changes, ({ voteAccount }) => voteAccount)) {
    const found = findValidator(context.ledger, vote);
    if (found !== null)
      proveOne(context, { validatorIndex: found.validatorIndex, read, changes: own });
  }
}

interface Authorised extends VoteChange {
  signer: string;
}

function proveOne(
  context: ProofContext,
  {
    validatorIndex,
    read,
    changes,
  }: { validatorIndex: number; read: AgreedTransaction; changes: readonly VoteChange[] },
): void {
  const validator = context.ledger.validators[validatorIndex];
  if (validator === undefined) return;
  const commissions: (Authorised & { basisPoints: number })[] = [];
  // A transaction may hand the authority over and then use the new one.
  for (const one of changes) {
    const signer = one.authorities.find((key) => isAuthority(validator, key, read.slot));
    if (signer === undefined) continue;
    const { change } = one;
    if (change.of === "inflationCommission")
      commissions.push({ ...one, signer, basisPoints: change.basisPoints });
    else if (change.of === "withdrawal") {
      keepWithdrawal(validator, read.slot);
      const epoch = findEpoch(context.ledger, context.entry, read.slot);
      loseEnds(context, validatorIndex, { slot: read.slot, epoch });
    } else keepAccountChange(context, { validatorIndex, validator, read, one: { ...one, signer } });
  }
  const last = commissions.at(-1);
  if (last !== undefined)
    keepCommissions(context, { validatorIndex, validator, read, commissions, signer: last.signer });
}

interface Account {
  validatorIndex: number;
  validator: ValidatorRecord;
  read: AgreedTransaction;
}

function keepAccountChange(
  context: ProofContext,
  { validatorIndex, validator, read, one }: Account & { one: Authorised },
): void {
  const { change, signer } = one;
  const { signature, slot } = read;
  const changed = toAccountChange(change);
  if (changed === null) return;
  const isKnown = validator.accountChanges.some(
    (known) => known.signature === signature && known.of === changed.of && known.to === changed.to,
  );
  if (isKnown) return;
  const kept = { ...toProof(context, read, { signer, changes: [one] }), ...changed };
  validator.accountChanges = [...validator.accountChanges, kept].sort((a, b) => a.slot - b.slot);
  if (change.of === "withdrawAuthority") handOver(validator, { slot, by: signer, to: change.to });
  context.touched.profiles.add(validatorIndex);
  // Who is known to hold the authority decides which slots are covered.
  context.touched.events.add(validatorIndex);
  touchHistory(context, validatorIndex, kept.epoch);
  if (change.of === "blockRevenueCommission") keepNewest(toStep(context), validatorIndex);
}

/** null: it is kept elsewhere. */
function toAccountChange(change: VoteAccountChange) {
  switch (change.of) {
    case "withdrawAuthority":
    case "inflationCollector":
    case "blockRevenueCollector":
      return { of: change.of, to: change.to };
    case "blockRevenueCommission":
      return { of: change.of, to: change.basisPoints };
    case "initialized":
    case "inflationCommission":
    case "withdrawal":
      return null;
  }
}

/** Keeps the proof of a rate. A signature and vote account together prove one change, ever. */
function keepCommissions(
  context: ProofContext,
  {
    validatorIndex,
    validator,
    read,
    commissions,
    signer,
  }: Account & { commissions: readonly (Authorised & { basisPoints: number })[]; signer: string },
): void {
  const { ledger, touched, entry } = context;
  const known = validator.rateProofs.find(({ signature }) => signature === read.signature);
  if (known?.slot === read.slot || known?.isDisputed === true) return;
  touched.events.add(validatorIndex);
  const proof = toProof(context, read, { signer, changes: commissions });
  // While the transaction is uncertain, so is the rate at the end of its epoch.
  touchHistory({ ledger, touched }, validatorIndex, proof.epoch);
  if (known !== undefined) {
    known.isDisputed = true;
    return;
  }
  if (trackEpoch(ledger, proof.epoch, firstSlotOf(entry.schedule, proof.epoch)))
    touched.epochs.add(proof.epoch);
  validator.rateProofs.push({
    ...proof,
    index: read.index,
    rates: commissions.map(({ basisPoints }) => basisPoints),
    foundAt: entry.time,
    bytes: Buffer.from(read.bytes).toString("base64"),
    isDisputed: false,
  });
  validator.rateProofs.sort((a, b) => a.slot - b.slot || (a.index ?? 0) - (b.index ?? 0));
  // Who flips in every epoch has thousands.
  const { [validator.rateProofs.length - 1 - RAW_TRANSACTIONS_MAX]: old } = validator.rateProofs;
  if (old !== undefined) old.bytes = null;
}

function toProof(
  { entry, reading, ledger }: ProofContext,
  { signature, slot, blockTime }: AgreedTransaction,
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

function touchSearched(
  { validators }: Ledger,
  touched: Touched,
  { searches }: TransactionsEntry,
): void {
  const searched = new Set(searches.map(({ authority }) => authority));
  for (const [validatorIndex, { authorities, rateProofs, rates }] of validators.entries()) {
    const isChanged = rateProofs.length > 0 || rates.runs.length > 1 || rates.pending !== null;
    if (isChanged && authorities.some(({ key }) => searched.has(key)))
      touched.events.add(validatorIndex);
  }
}

/** A proved transaction after the last reading decides about a pending rate. */
function settleByProof(step: Step, validatorIndex: number): void {
  const validator = step.ledger.validators[validatorIndex];
  const current = validator && newestRate(validator);
  if (validator === undefined || current == null) return;
  const { pending, isAgreed } = validator.rates;
  // In a mass change observations decide.
  if (pending === null || pending.massLeft !== null || !isAgreed) return;
  const move = toMoves(validator).findLast(({ slot }) => slot > current.until.slot);
  if (move?.to !== pending.to.basisPoints || move.to === current.basisPoints) return;
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
