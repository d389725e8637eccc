import type { SnapshotEntry } from "./entry.ts";
import { recordMevEvent } from "./events.ts";
import type { MevState, ValidatorRecord } from "./records.ts";
import { recordMev } from "./mev.ts";
import { dropPending } from "./pending.ts";
import type { Step } from "./step.ts";

type ClosedList = Extract<SnapshotEntry["closedMev"], { state: "ok" }>["value"];

/** A list shorter than this share of the one before is a failure of the vendor, not a wave of departures. */
const LIST_LEAST_PERCENT = 80;
/** More than both of these missing at once are believed only when so many lists in a row agree. */
const MASS_MISSING = 20;
const MASS_PERCENT = 5;
const MASS_LISTS = 3;

/**
 * Decides, once for each closed epoch, who had MEV disabled in it: led slots, and is not on the vendor's list of that
 * epoch (design §4). An empty or failed answer never gets here, and a short one says nothing.
 */
export function foldClosedMev(step: Step, list: ClosedList): void {
  const { mevLists } = step.ledger;
  if (list.epoch <= mevLists.decidedEpoch || list.epoch >= step.moment.epoch) return;
  if (list.rows.length * 100 < mevLists.listLength * LIST_LEAST_PERCENT) return;
  const missing = findMissing(step, list);
  if (!isBelieved(step, list, missing.filter(({ validator }) => validator.mev !== null).length)) return;
  mevLists.decidedEpoch = list.epoch;
  mevLists.listLength = list.rows.length;
  mevLists.doubt = null;
  for (const { ordinal, validator } of missing) disable(step, ordinal, validator, list.epoch);
}

/** The epoch the vendor should be asked for next; null: decided already, or none has closed yet. */
export function closedEpochToDecide(decidedEpoch: number, epoch: number): number | null {
  return epoch > 0 && decidedEpoch < epoch - 1 ? epoch - 1 : null;
}

function findMissing(step: Step, list: ClosedList): { ordinal: number; validator: ValidatorRecord }[] {
  const votes = new Set(list.rows.map((row) => row.vote));
  const sharers = Map.groupBy(
    step.ledger.validators.filter(({ listed }) => listed),
    ({ identity }) => identity,
  );
  return (
    [...step.ledger.validators.entries()]
      .map(([ordinal, validator]) => ({ ordinal, validator }))
      .filter(({ validator }) => !votes.has(validator.vote) && leaderSlotsIn(validator, list.epoch) > 0)
      .filter(({ validator }) => validator.mev !== "disabled")
      // Slots are led by an identity: of several vote accounts with the same one, nobody can say which led them.
      .filter(({ validator }) => (sharers.get(validator.identity)?.length ?? 0) <= 1)
  );
}

/** Without slots to lead a validator earns no tips and makes no tip account: its absence says nothing. */
function leaderSlotsIn(validator: ValidatorRecord, epoch: number): number {
  if (validator.performance?.epoch === epoch) return validator.performance.leaderSlots;
  return validator.previousLeaderSlots?.epoch === epoch ? validator.previousLeaderSlots.slots : 0;
}

/** @param missing of those known to be enabled: who was never seen on a list is not missed by the first one */
function isBelieved(step: Step, list: ClosedList, missing: number): boolean {
  const { mevLists } = step.ledger;
  if (missing <= MASS_MISSING || missing * 100 <= list.rows.length * MASS_PERCENT) return true;
  const count = mevLists.doubt?.epoch === list.epoch ? mevLists.doubt.count + 1 : 1;
  mevLists.doubt = { epoch: list.epoch, count };
  return count >= MASS_LISTS;
}

function disable(step: Step, ordinal: number, validator: ValidatorRecord, epoch: number): void {
  const from: MevState = validator.mev;
  // A value first shown after the closed epoch is no value that the closed epoch lost.
  const previous = validator.mevShown;
  if (typeof from === "number" && previous !== null && previous.epoch > epoch) return;
  validator.mev = "disabled";
  // A list of the running epoch that shows it again is a change since the end of the closed one.
  validator.mevShown = step.ledger.epochs.find((tracked) => tracked.epoch === epoch)?.last ?? step.moment;
  validator.mevEpoch = epoch;
  step.touched.profiles.add(ordinal);
  // What a later epoch's list has shown since is not denied by the closed one.
  if ((validator.pendingMev?.first.epoch ?? epoch) <= epoch) dropPending(step.ledger, validator, "pendingMev");
  recordMev(step, ordinal, epoch, "disabled");
  if (step.moment.epoch > epoch) recordMev(step, ordinal, step.moment.epoch, "disabled");
  if (typeof from !== "number" || previous === null) return;
  recordMevEvent(step, ordinal, { from, to: "disabled", epoch, first: step.moment, previous });
}
