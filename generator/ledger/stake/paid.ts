import type { AgreedPaid, AgreedRewards } from "../../agree/paid.ts";
import type { AgreedSnapshot } from "../../agree/agree.ts";
import { waitsForOther } from "../belief.ts";
import { getU16, NOT_RECORDED, setU16 } from "../columns.ts";
import type { Ledger } from "../ledger.ts";
import { findValidator, type Step } from "../step.ts";
import { isOfItsEpoch } from "./membership.ts";

/* The commission that each closed epoch's rewards really took, read once an epoch. */

type Known = NonNullable<AgreedPaid["paid"]>;
type Reason = Exclude<Known, number>;

/** Stand for a reason in the column. */
const UNKNOWN: Record<Reason, number> = {
  no_rewards: NOT_RECORDED - 1,
  no_account: NOT_RECORDED - 2,
  too_small: NOT_RECORDED - 3,
};

const REASONS = new Map(
  Object.entries(UNKNOWN).map(([reason, value]) => [value, reason as Reason]),
);

/** Whether to read what the epoch before the running one paid. */
export function areRewardsDue(ledger: Ledger, running: number): boolean {
  // Under Alpenglow credits are lamports, and no points share the rewards.
  const isAlpenglow = ledger.validators.some(({ performance }) => performance?.unit === "lamports");
  return running > 0 && !isAlpenglow && !ledger.paid.has(running - 1);
}

/** The commission that an epoch's rewards took, in basis points, or why; null: not read. */
export function paidAt(
  { paid }: Pick<Ledger, "paid">,
  { epoch, validatorIndex }: { epoch: number; validatorIndex: number },
): Known | null {
  const value = getU16(paid, epoch, validatorIndex);
  return value === null ? null : (REASONS.get(value) ?? value);
}

/**
 * Records what the epoch before paid, once a majority agrees for most validators and any is
 * measured. Until then it is asked again.
 */
export function foldPaid(step: Step, entry: AgreedSnapshot, agreed: AgreedRewards | null): void {
  const { ledger, touched } = step;
  if (agreed === null || !isOfItsEpoch(entry) || agreed.epoch !== entry.epoch - 1) return;
  if (ledger.paid.has(agreed.epoch) || !isMostlyAgreed(agreed)) return;
  if (waitsForOther(ledger, agreed.isAlone, step.moment.time)) return;
  ledger.paidReadAt.set(agreed.epoch, step.moment.time);
  for (const { vote, paid } of agreed.validators) {
    const found = findValidator(ledger, vote);
    if (found === null || paid === null) continue;
    const { validatorIndex } = found;
    setU16(ledger.paid, agreed.epoch, validatorIndex, toValue(paid), NOT_RECORDED);
    touched.histories.add(validatorIndex);
    touched.pointsSince = Math.min(touched.pointsSince, agreed.epoch);
  }
  // The cost of a change in a closed epoch rests on what was paid.
  for (const { validatorIndex } of ledger.events) touched.profiles.add(validatorIndex);
}

function isMostlyAgreed({ validators }: AgreedRewards): boolean {
  const agreed = validators.filter(({ paid }) => paid !== null);
  return (
    agreed.length * 2 > validators.length && agreed.some(({ paid }) => typeof paid === "number")
  );
}

function toValue(paid: Known): number {
  return typeof paid === "number" ? paid : UNKNOWN[paid];
}
