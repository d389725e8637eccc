import { NOT_RECORDED, setU16 } from "../columns.ts";
import { newestBlockRevenue } from "./block-revenue-steps.ts";
import type { AgreedBlockRevenue } from "../../agree/block-revenue.ts";
import type { AgreedSnapshot } from "../../agree/agree.ts";
import type { Ledger } from "../ledger.ts";
import { momentAt } from "../schedule.ts";
import type { BlockRevenue, Moment } from "../records.ts";
import { assignListed, findValidator, type Step } from "../step.ts";
import { hasStood, OUTDATED_MILLISECONDS, waitsForOther } from "../belief.ts";
import { touchHistory } from "../touched.ts";

/*
 * Only vote accounts hold the commission on block revenue (SIMD-0123); no list has it. All nodes
 * may return outdated accounts at once (belief.ts), so a new value counts when a second snapshot
 * shows it again.
 * No answer says whether the feature is active, and this file needs no such answer: until the
 * feature is active every account holds 10,000, so any rise from a lower value happens while
 * validators can set it.
 */

/** A validator whose account no majority has read yet. */
export const NEVER_READ: Readonly<BlockRevenue> = {
  agreed: null,
  knownFrom: null,
  candidate: null,
  changes: [],
};

/** What a snapshot's witnesses agree on. */
interface BlockRevenueReading {
  /** At most 10,000. */
  basisPoints: number;
  at: Moment;
}

/**
 * The first value that most witnesses show counts at once,
 * any other one when a second snapshot shows it again.
 *
 * @param reading null: too few witnesses could read the account
 * @returns when the value that now counts was first read; null: the same value counts as before
 */
export function takeReading(
  known: BlockRevenue,
  reading: BlockRevenueReading | "disputed" | null,
): Pick<Moment, "epoch"> | null {
  if (reading === "disputed") known.candidate = null;
  if (reading === "disputed" || reading === null) return null;
  const { basisPoints, at } = reading;
  const { agreed } = known;
  const candidate =
    known.candidate?.basisPoints === basisPoints ? known.candidate : { basisPoints, at };
  const isUnchanged = agreed?.basisPoints === basisPoints;
  const isChange = agreed !== null && !isUnchanged;
  if (isChange && !hasStood(candidate.at.time, at.time, OUTDATED_MILLISECONDS)) {
    known.candidate = candidate;
    return null;
  }
  known.agreed = { basisPoints, until: at };
  known.candidate = null;
  if (isUnchanged) return null;
  const first = candidate.at;
  if (agreed === null) known.knownFrom = first.slot;
  else
    known.changes = [
      ...known.changes,
      { from: agreed.basisPoints, to: basisPoints, previous: agreed.until, first },
    ];
  return first;
}

/** @param agreed in the order of `votes` */
export function foldBlockRevenue(
  step: Step,
  { votes }: AgreedSnapshot,
  agreed: readonly (AgreedBlockRevenue | "disputed" | null)[],
): void {
  const { ledger, moment } = step;
  for (const [index, { vote }] of votes.entries()) {
    const found = findValidator(ledger, vote);
    if (found === null) continue;
    const { validatorIndex, validator } = found;
    const { blockRevenue } = validator;
    const before = blockRevenue.agreed?.until.epoch ?? moment.epoch;
    const since = takeReading(blockRevenue, toReading(step, agreed[index] ?? null));
    if (since !== null && blockRevenue.agreed !== null)
      record(step, validatorIndex, {
        before,
        since: since.epoch,
        basisPoints: blockRevenue.agreed.basisPoints,
      });
    keepNewest(step, validatorIndex);
  }
}

function toReading(
  step: Step,
  agreed: AgreedBlockRevenue | "disputed" | null,
): BlockRevenueReading | "disputed" | null {
  if (agreed === "disputed" || agreed === null) return agreed;
  const { basisPoints, slot, isAlone } = agreed;
  const isWaiting = waitsForOther(step.ledger, isAlone, step.moment.time);
  return isWaiting ? null : { basisPoints, at: momentAt(step, slot) };
}

/** Carries the newest value into an epoch that begins. */
export function carryBlockRevenue(
  { validators, blockRevenue }: Ledger,
  epoch: number,
  validatorIndex: number,
): void {
  const validator = validators[validatorIndex];
  const agreed = validator?.listed === true ? validator.blockRevenue.agreed : null;
  if (agreed !== null)
    setU16(blockRevenue, epoch, validatorIndex, agreed.basisPoints, NOT_RECORDED);
}

/**
 * Records a new value. In epochs between the last reading of the old one and the first of the new
 * one, either may have been in force.
 */
function record(
  step: Step,
  validatorIndex: number,
  { before, since, basisPoints }: { before: number; since: number; basisPoints: number },
): void {
  const { ledger, touched } = step;
  for (const { epoch } of ledger.epochs)
    if (epoch > before || epoch >= since)
      setU16(
        ledger.blockRevenue,
        epoch,
        validatorIndex,
        epoch >= since ? basisPoints : NOT_RECORDED,
        NOT_RECORDED,
      );
  touched.events.add(validatorIndex);
  touchHistory(step, validatorIndex, Math.min(before + 1, since));
}

/** Copies the newest commission on block revenue to the field that lists show. */
export function keepNewest(step: Step, validatorIndex: number): void {
  const validator = step.ledger.validators[validatorIndex];
  if (validator === undefined) return;
  const blockRevenueBasisPoints = newestBlockRevenue(validator);
  if (blockRevenueBasisPoints !== validator.blockRevenueBasisPoints)
    assignListed(step, validatorIndex, { blockRevenueBasisPoints });
}
