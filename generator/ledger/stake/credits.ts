import type { AgreedSnapshot } from "../../agree/agree.ts";
import type { SnapshotRow } from "../../entries/entry.ts";
import { getStake, getU16, NOT_RECORDED, setU16 } from "../columns.ts";
import type { Ledger } from "../ledger.ts";
import { isMember, isOfItsEpoch } from "./membership.ts";
import { creditsEarned } from "../uptime/performance.ts";
import { AVERAGE_CREDITS, divideRounded } from "./staking-rewards.ts";
import type { Found, Step } from "../step.ts";

/*
 * Rewards are shared by stake × vote credits. Of each closed epoch we keep,
 * for each validator, its credits over the average of the set, weighted by
 * stake. Under Alpenglow credits are lamports, which hold the stake already.
 */

/** Lists hold the credits of five epochs, the running one included. */
const CLOSED_EPOCHS = 4;

interface Earned {
  validatorIndex: number;
  stake: bigint;
  /** Its share of the rewards, in a unit common to all. */
  points: bigint;
}

/** Vote credits of an epoch in ten-thousandths of the average; null: not known. */
export function creditsOf(
  { credits }: Ledger,
  { epoch, validatorIndex }: { epoch: number; validatorIndex: number },
): number | null {
  return getU16(credits, epoch, validatorIndex);
}

/** Records vote credits once an epoch, from the first snapshot after its end. */
export function foldCredits(
  step: Step,
  entry: AgreedSnapshot,
  found: readonly Found<SnapshotRow>[],
): void {
  if (!isOfItsEpoch(entry)) return;
  const { ledger } = step;
  for (let epoch = entry.epoch - CLOSED_EPOCHS; epoch < entry.epoch; epoch += 1) {
    if (!ledger.issuance.has(epoch) || ledger.credits.has(epoch)) continue;
    keep(step, epoch, toEarned(ledger, epoch, found));
  }
}

function toEarned(ledger: Ledger, epoch: number, found: readonly Found<SnapshotRow>[]): Earned[] {
  const isAlpenglow = ledger.issuance.get(epoch)?.isAlpenglow === true;
  return found.flatMap(({ row, validatorIndex }) => {
    const stake = getStake(ledger.stakes, epoch, validatorIndex) ?? 0n;
    const earned = creditsEarned(row, epoch);
    return stake === 0n
      ? []
      : [{ validatorIndex, stake, points: isAlpenglow ? earned : earned * stake }];
  });
}

/** If nobody in the set has credits, nothing is recorded. */
function keep({ ledger, touched }: Step, epoch: number, earned: readonly Earned[]): void {
  const ofSet = earned.filter(
    ({ validatorIndex }) => isMember(ledger, { epoch, validatorIndex }) !== false,
  );
  const sum = (part: "stake" | "points") => ofSet.reduce((total, each) => total + each[part], 0n);
  const [stakes, points] = [sum("stake"), sum("points")];
  if (points === 0n) return;
  for (const each of earned) {
    const share = Number(
      divideRounded(each.points * stakes * BigInt(AVERAGE_CREDITS), each.stake * points),
    );
    setU16(
      ledger.credits,
      epoch,
      each.validatorIndex,
      Math.min(share, NOT_RECORDED - 1),
      NOT_RECORDED,
    );
  }
  for (const { validatorIndex } of ledger.events) touched.profiles.add(validatorIndex);
}
