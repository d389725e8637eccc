import type { SnapshotEntry } from "../entries/entry.ts";
import { isOfItsEpoch } from "./membership.ts";
import { toTrillionths } from "./staking-rewards.ts";
import type { Step } from "./step.ts";

/** Of slots while no feature shortens them. */
const FIRST_SLOT_MILLISECONDS = 400;

/**
 * Keeps of each epoch what is told of inflation and supply first. Later the supply is a little smaller, by the fees that were
 * burnt since; that costs would move with it tells nobody anything.
 */
export function foldIssuance(step: Step, entry: SnapshotEntry): void {
  const { ledger, touched } = step;
  if (entry.issuance?.state !== "ok" || ledger.issuance.has(entry.epoch) || !isOfItsEpoch(entry)) return;
  const { epoch, validatorRate, supply, slotTimes } = entry.issuance.value;
  const setStake = entry.votes.reduce((sum, row) => (row.inValidatorSet ? sum + row.activeStake : sum), 0n);
  if (epoch !== entry.epoch || setStake === 0n || supply < setStake) return;
  const epochFirstSlot = entry.absoluteSlot - entry.slotIndex;
  // A feature that became active within an epoch counts from the first slot of the next one (SIMD-0525).
  const inForce = slotTimes.filter(([, activatedAt]) => activatedAt < epochFirstSlot);
  ledger.issuance.set(epoch, {
    validatorRate: toTrillionths(validatorRate),
    supply,
    setStake,
    slotsInEpoch: entry.slotsInEpoch,
    slotMilliseconds: Math.min(FIRST_SLOT_MILLISECONDS, ...inForce.map(([slotMilliseconds]) => slotMilliseconds)),
    isAlpenglow: entry.creditsUnit === "lamports",
  });
  // What changes cost may follow from it.
  for (const { ordinal } of ledger.events) touched.events.add(ordinal);
}
