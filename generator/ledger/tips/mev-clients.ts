import type { AgreedSnapshot } from "../../agree/agree.ts";
import { toKnownBasisPoints } from "../../chain/commission.ts";
import type { ValidatorRecord } from "../records.ts";
import { assignListed, findValidator, type Step } from "../step.ts";
import { isTipKnown, newestTip } from "./timeline.ts";

/* Clients that run with MEV, and their priority fees:
   what the vendor lists or, without it, the chain. */

type MevRow = Extract<AgreedSnapshot["mev"], { state: "ok" }>["value"]["rows"][number];

/** AgaveBam and FireBAM in the client id registry. */
const BATCH_CLIENT_IDS = [6, 12];
/** A shorter list may lack validators. */
const LEAST_PERCENT = 80;

/**
 * Updates MEV clients and commissions on priority fees. If a source failed, the chain's tip
 * accounts stand in for the vendor's list, and priority fees stay as they were.
 */
export function foldMevClients(
  step: Step,
  { mev, priorityFees }: Pick<AgreedSnapshot, "mev" | "priorityFees">,
): void {
  if (mev.state === "ok") foldList(step, mev.value.rows);
  else foldWithoutVendor(step);
  if (priorityFees.state === "ok")
    for (const [vote, basisPoints] of priorityFees.value.rows) {
      const found = findValidator(step.ledger, vote);
      if (found !== null) foldPriorityFee(step, found.validatorIndex, found.validator, basisPoints);
    }
}

function foldList(step: Step, rows: readonly MevRow[]): void {
  const byVote = new Map(rows.map((row) => [row.vote, row]));
  const isComplete = !isShort(step, rows.length);
  for (const [validatorIndex, validator] of step.ledger.validators.entries()) {
    const row = byVote.get(validator.vote);
    if (row === undefined && !isComplete) continue;
    const batchVendorEnabled = row?.runningBam ?? runsBatchClient(validator);
    assignListed(step, validatorIndex, { mevVendorEnabled: row !== undefined, batchVendorEnabled });
    if (row !== undefined)
      foldPriorityFee(step, validatorIndex, validator, row.priorityFeeBasisPoints);
  }
}

/**
 * Compares with the longest list of this and the previous epoch, so that a lasting decline is
 * accepted in time.
 */
function isShort({ ledger, moment: { epoch } }: Step, length: number): boolean {
  const known = ledger.mevList;
  if (known.epoch !== epoch)
    ledger.mevList = {
      epoch,
      longest: 0,
      longestBefore: known.epoch === epoch - 1 ? known.longest : 0,
    };
  const { longest, longestBefore } = ledger.mevList;
  ledger.mevList.longest = Math.max(longest, length);
  return length * 100 < Math.max(longest, longestBefore) * LEAST_PERCENT;
}

/**
 * Infers the client from the tip account of this epoch or the one before. For the batch vendor the
 * client id suffices.
 */
function foldWithoutVendor(step: Step): void {
  const closed = step.moment.epoch - 1;
  for (const [validatorIndex, validator] of step.ledger.validators.entries()) {
    const newest = newestTip(validator);
    const isEnabled = typeof newest?.rate === "number" && newest.until >= closed;
    const mevVendorEnabled = isTipKnown(validator, closed) ? isEnabled : validator.mevVendorEnabled;
    assignListed(step, validatorIndex, {
      batchVendorEnabled: runsBatchClient(validator),
      mevVendorEnabled,
    });
  }
}

function runsBatchClient({ clientId }: ValidatorRecord): boolean {
  return clientId !== null && BATCH_CLIENT_IDS.includes(clientId);
}

function foldPriorityFee(
  step: Step,
  validatorIndex: number,
  validator: ValidatorRecord,
  basisPoints: number | null,
): void {
  const priorityFee = toKnownBasisPoints(basisPoints);
  if (priorityFee === null || priorityFee === validator.priorityFeeBasisPoints) return;
  validator.priorityFeeBasisPoints = priorityFee;
  step.touched.profiles.add(validatorIndex);
}
