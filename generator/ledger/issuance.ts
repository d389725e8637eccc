import type { SnapshotEntry } from "../entries/entry.ts";
import { isOfItsEpoch } from "./membership.ts";
import { toTrillionths } from "./staking-rewards.ts";
import type { Step } from "./step.ts";

/** Slot time until a feature shortens it. */
const FIRST_SLOT_MILLISECONDS = 400;

/** Keeps each epoch's first reading: burnt fees lower the supply later, which would move costs for nothing. */
export function foldIssuance(step: Step, entry: SnapshotEntry): void {
  const { ledger, touched } = step;
  if (entry.issuance?.state !== "ok" || ledger.issuance.has(entry.epoch) || !isOfItsEpoch(entry)) return;
  const { epoch, validatorRate, supply, slotTimes } = entry.issuance.value;
  const setStake = entry.votes.reduce((sum, row) => (row.inValidatorSet ? sum + row.activeStake : sum), 0n);
  if (epoch !== entry.epoch || setStake === 0n || supply < setStake) return;
  const epochFirstSlot = entry.absoluteSlot - entry.slotIndex;
  // A feature activated during an epoch applies from the next epoch's first slot (SIMD-0525).
  const inForce = slotTimes.filter(([, activatedAt]) => activatedAt < epochFirstSlot);
  ledger.issuance.set(epoch, {
    validatorRate: toTrillionths(validatorRate),
    supply,
    setStake,
    slotsInEpoch: entry.slotsInEpoch,
    slotMilliseconds: Math.min(FIRST_SLOT_MILLISECONDS, ...inForce.map(([slotMilliseconds]) => slotMilliseconds)),
    isAlpenglow: entry.creditsUnit === "lamports",
  });
  // Costs may depend on it.
  for (const { ordinal } of ledger.events) touched.events.add(ordinal);
}
