import { trackedEpochs } from "./tracked-epochs.ts";
import type { BlockRevenue, Moment, RateTimeline, ValidatorRecord } from "./records.ts";
import { dropPending } from "./rates/pending-rate.ts";
import { lastSlotOf } from "./schedule.ts";
import type { Step } from "./step.ts";
import { forgetTips } from "./tips/tips.ts";

/**
 * Forgets what the discarded slots showed; otherwise the epochs after the restart would never be
 * tracked again. Events stay, because they were observed.
 */
export function foldRestart(step: Step): void {
  const { ledger, moment } = step;
  step.touched.pointsSince = 0;
  for (const epoch of trackedEpochs(ledger)) {
    if (epoch >= moment.epoch) step.touched.undone.add(epoch);
    if (epoch > moment.epoch) step.touched.epochs.add(epoch);
  }
  forgetEpochsAfter(step, moment.epoch);
  ledger.searches.clear();
  ledger.unobserved = ledger.unobserved
    .filter(([after]) => after < moment.slot)
    .map(([after, upTo]) => [after, Math.min(upTo, moment.slot)]);
  const epochStart = { ...moment, slot: lastSlotOf(ledger, moment.epoch - 1) + 1 };
  for (const [validatorIndex, validator] of ledger.validators.entries()) {
    dropPending(ledger, validator);
    validator.history = null;
    if (validator.firstEpoch > moment.epoch) {
      validator.firstEpoch = moment.epoch;
      validator.updatedAt = moment.time;
    }
    forgetTips(step, validator);
    validator.seen = notAfter(validator.seen, moment);
    restartRates(validator.rates, { moment, epochStart });
    forgetProofsAfter(validator, moment.slot);
    validator.blockRevenue = forgetReadingsAfter(validator.blockRevenue, moment);
    step.touched.events.add(validatorIndex);
    step.touched.histories.add(validatorIndex);
  }
}

/**
 * The newest rate stays, and so do its earlier changes, which were observed. The slot of the
 * restart is not known, so only the rate at the start of the epoch is certain on both chains.
 */
function restartRates(
  rates: RateTimeline,
  { moment, epochStart }: { moment: Moment; epochStart: Moment },
): void {
  const newest = rates.runs.at(-1);
  if (newest !== undefined) {
    const until = notAfter(newest.until, epochStart);
    // A first rate read in a discarded epoch was never published.
    if (rates.runs.length === 1 && newest.from.epoch > moment.epoch) rates.runs = [];
    rates.restartIndex = rates.runs.length;
    rates.runs = [
      ...rates.runs,
      { ...newest, from: moment, until, lastEpoch: moment.epoch, believed: null },
    ];
  }
  rates.read = rates.read && notAfter(rates.read, moment);
  rates.floor = Math.min(rates.floor, moment.slot - 1);
}

/** Undone transactions may be signed again. */
function forgetProofsAfter(validator: ValidatorRecord, slot: number): void {
  const isKept = (one: { slot: number }) => one.slot <= slot;
  validator.rateProofs = validator.rateProofs.filter(isKept);
  validator.accountChanges = validator.accountChanges.filter(isKept);
  validator.absences = validator.absences.filter((absent) => absent <= slot);
  validator.withdrawals = validator.withdrawals.filter((withdrawn) => withdrawn <= slot);
  validator.nextAuthority = null;
  validator.authorities = validator.authorities
    .filter(({ from }) => from <= slot)
    .map((authority) => ({ ...authority, to: Math.min(authority.to, slot), covered: [] }));
}

/** Readings at later slots prove nothing about the rate now. */
function forgetReadingsAfter(
  { agreed, knownFrom, changes }: BlockRevenue,
  now: Moment,
): BlockRevenue {
  return {
    agreed: agreed !== null && agreed.until.slot <= now.slot ? agreed : null,
    knownFrom: knownFrom !== null && knownFrom <= now.slot ? knownFrom : null,
    candidate: null,
    changes: changes.filter(({ first }) => first.slot <= now.slot),
  };
}

function forgetEpochsAfter({ ledger }: Step, epoch: number): void {
  ledger.epochs = ledger.epochs.filter((tracked) => tracked.epoch <= epoch);
  const { stakes, ranks, blockRevenue, members, proved, issuance } = ledger;
  for (const column of [stakes, ranks, blockRevenue, members, proved, issuance])
    for (const recorded of [...column.keys()]) if (recorded > epoch) column.delete(recorded);
  // This epoch runs again with new tip accounts; the other records are of closed epochs.
  const { boundaries, credits, paid, paidReadAt, tipAmounts, history } = ledger;
  const ofHistory = [
    history.firstSlots,
    history.stakes,
    history.ranks,
    history.inflation,
    history.mev,
  ];
  for (const column of [boundaries, credits, paid, paidReadAt, tipAmounts, ...ofHistory])
    for (const recorded of [...column.keys()]) if (recorded >= epoch) column.delete(recorded);
}

function notAfter(then: Moment, now: Moment): Moment {
  if (then.slot <= now.slot && then.epoch <= now.epoch) return then;
  return {
    time: then.time,
    slot: Math.min(then.slot, now.slot),
    epoch: Math.min(then.epoch, now.epoch),
  };
}
