import type { SnapshotEntry } from "./entry.ts";
import { recordMevEvent } from "./events.ts";
import type { MevState, ValidatorRecord } from "./ledger.ts";
import { recordMev } from "./mev.ts";
import { assignListed, type Step } from "./step.ts";

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
  if (!isBelieved(step, list, missing.length)) return;
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
  return [...step.ledger.validators.entries()]
    .map(([ordinal, validator]) => ({ ordinal, validator }))
    .filter(({ validator }) => !votes.has(validator.vote) && leaderSlotsIn(validator, list.epoch) > 0)
    .filter(({ validator }) => validator.mev !== "disabled");
}

/** Without slots to lead a validator earns no tips and makes no tip account: its absence says nothing. */
function leaderSlotsIn(validator: ValidatorRecord, epoch: number): number {
  if (validator.performance?.epoch === epoch) return validator.performance.leaderSlots;
  return validator.previousLeaderSlots?.epoch === epoch ? validator.previousLeaderSlots.slots : 0;
}

function isBelieved(step: Step, list: ClosedList, missing: number): boolean {
  const { mevLists } = step.ledger;
  // The first list of a series has nothing to be compared with: whoever is missing was never known to be enabled.
  if (missing <= MASS_MISSING || missing * 100 <= list.rows.length * MASS_PERCENT || mevLists.listLength === 0)
    return true;
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
  validator.pendingMev = null;
  validator.mevEpoch = epoch;
  assignListed(step, ordinal, { mevVendorEnabled: false });
  recordMev(step, ordinal, epoch, "disabled");
  if (step.moment.epoch > epoch) recordMev(step, ordinal, step.moment.epoch, "disabled");
  if (typeof from !== "number" || previous === null) return;
  recordMevEvent(step, ordinal, { from, to: "disabled", epoch, first: step.moment, previous });
}
