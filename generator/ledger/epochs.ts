import { SEVERITIES } from "../contract/event.ts";
import type { CheckEntry, CheckRow, SnapshotEntry } from "../entries/entry.ts";
import { getStake, NO_STAKE_RECORDED, NOT_RECORDED, setStake, setU16 } from "./columns.ts";
import { isOfItsEpoch } from "./membership.ts";
import { dropPending } from "./pending.ts";
import { assignListed, findValidator, type Found, type Step } from "./step.ts";

/** A row of the MEV vendor's latest list is of the running epoch or the one before: an older change is shown no more. */
const MEV_LIST_EPOCHS = 2;

/** Opens the epoch of an accepted observation if it is new, and forgets what held only in the one before. */
export function foldEpoch(step: Step, entry: CheckEntry | SnapshotEntry): void {
  const { ledger } = step;
  const newest = ledger.epochs.at(-1);
  const firstSlot = entry.absoluteSlot - entry.slotIndex;
  if (newest?.epoch === entry.epoch) {
    newest.last = step.moment;
    // Where it began was told wrongly, and believed.
    if (entry.panel !== undefined && newest.firstSlot !== firstSlot) moveEpochs(step, firstSlot - newest.firstSlot);
  }
  if ((newest?.epoch ?? -1) >= entry.epoch) return;
  ledger.epochs.push({ epoch: entry.epoch, firstSlot, slotsInEpoch: entry.slotsInEpoch, last: step.moment });
  step.touched.epochs.add(entry.epoch);
  // The one that was running has closed.
  step.touched.points.add(newest?.epoch ?? entry.epoch - 1);
  // With the first one there is something to tell of, even if nothing has happened yet.
  if (newest === undefined) for (const severity of SEVERITIES) step.touched.severities.add(severity);
  for (const [ordinal, validator] of ledger.validators.entries()) {
    step.touched.profiles.add(ordinal);
    step.touched.commissions.add(ordinal);
    const mevPendingSince = validator.pendingMev?.first.epoch ?? entry.epoch;
    if (entry.epoch - mevPendingSince >= MEV_LIST_EPOCHS) dropPending(ledger, validator, "pendingMev");
    for (const epoch of validator.tipWords.keys())
      if (entry.epoch - epoch > MEV_LIST_EPOCHS) validator.tipWords.delete(epoch);
    // Activation and deactivation are of one epoch: those of an earlier one are never shown.
    assignListed(step, ordinal, {
      activatingStake: 0n,
      deactivatingStake: 0n,
      stakeAccountCount: 0,
      stakeAccountsAsOf: null,
    });
  }
}

/** They all begin where those before them end: if one begins elsewhere, so did the others. */
function moveEpochs({ ledger, touched }: Step, slots: number): void {
  for (const tracked of ledger.epochs) {
    tracked.firstSlot += slots;
    touched.epochs.add(tracked.epoch);
  }
  // What a public history tells of a change is dated by the epoch's first slot.
  for (const ordinal of ledger.validators.keys()) touched.commissions.add(ordinal);
}

/**
 * One stake point for each validator and epoch, from the first accepted observation of the epoch that shows it. A list of
 * the epoch before, read in the first moments of this one, shows the stake of then.
 */
export function foldStakePoints(
  step: Step,
  entry: CheckEntry | SnapshotEntry,
  found: readonly Found<CheckRow>[],
): void {
  if (!isOfItsEpoch(entry)) return;
  const { ledger } = step;
  if (found.every(({ ordinal }) => getStake(ledger.stakes, entry.epoch, ordinal) !== null)) return;
  const inOrder = found.toSorted((a, b) => compareByStake(a.row, b.row));
  for (const [index, { ordinal, row }] of inOrder.entries()) {
    if (getStake(ledger.stakes, entry.epoch, ordinal) !== null || row.activeStake >= NO_STAKE_RECORDED) continue;
    setStake(ledger.stakes, entry.epoch, ordinal, row.activeStake);
    setU16(ledger.ranks, entry.epoch, ordinal, Math.min(index + 1, NOT_RECORDED - 1), NOT_RECORDED);
    step.touched.stakes.add(ordinal);
  }
}

/** Active stake descending, ties by vote account. */
export function compareByStake(
  a: { activeStake: bigint; vote: string },
  b: { activeStake: bigint; vote: string },
): number {
  if (a.activeStake !== b.activeStake) return a.activeStake > b.activeStake ? -1 : 1;
  return a.vote < b.vote ? -1 : Number(a.vote > b.vote);
}

type Scan = Extract<SnapshotEntry["stakeAccounts"], { state: "ok" }>["value"];

/** Stake that arrives and leaves at the end of the epoch. A scan of another epoch than the observation's says nothing,
 * and it has a row of every vote account it was to look for, also of those without a delegation. */
export function foldStakeAccounts(step: Step, scan: Scan): void {
  if (scan.epoch !== step.moment.epoch) return;
  const stakeAccountsAsOf = scan.asOf;
  for (const [vote, activatingStake, deactivatingStake, stakeAccountCount] of scan.rows) {
    const found = findValidator(step.ledger, vote);
    if (found?.validator.listed !== true) continue;
    assignListed(step, found.ordinal, { activatingStake, deactivatingStake, stakeAccountCount, stakeAccountsAsOf });
  }
}
