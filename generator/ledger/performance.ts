import type { SnapshotEntry, SnapshotRow } from "./entry.ts";
import type { Performance, ValidatorRecord } from "./records.ts";
import { findValidator, type Step } from "./step.ts";

/** Credits earned and blocks produced in the running epoch. Without a production reading the last one of this epoch stays. */
export function foldPerformance(step: Step, entry: SnapshotEntry): void {
  const rows = entry.production.state === "ok" ? entry.production.value.rows : null;
  const production =
    rows && new Map(rows.map(([identity, leaderSlots, blocksProduced]) => [identity, { leaderSlots, blocksProduced }]));
  for (const row of entry.votes) {
    const found = findValidator(step.ledger, row.vote);
    if (found === null) continue;
    const { validator, ordinal } = found;
    const held = validator.performance?.epoch === entry.epoch ? validator.performance : null;
    const blocks = production ? (production.get(row.identity) ?? { leaderSlots: 0, blocksProduced: 0 }) : held;
    closeEpoch(validator, entry.epoch);
    validator.performance = {
      epoch: entry.epoch,
      voteCredits: creditsEarned(row, entry.epoch),
      unit: entry.creditsUnit,
      leaderSlots: blocks?.leaderSlots ?? 0,
      blocksProduced: blocks?.blocksProduced ?? 0,
      asOf: entry.time,
    };
    // The first reading is shown at once; after it, the one of the last full hour.
    if (validator.performanceOfHour === null) show(step, ordinal, validator, validator.performance);
  }
}

/**
 * Earned in the epoch. In the epoch of the Alpenglow migration an account has two rows of the same epoch, credits and
 * lamports; only the last is in today's unit, and the two are never added.
 */
function creditsEarned(row: SnapshotRow, epoch: number): bigint {
  const [, credits, previous] = row.credits.findLast(([of]) => of === epoch) ?? [epoch, 0n, 0n];
  return credits > previous ? credits - previous : 0n;
}

/** Keeps the leader slots of the epoch that ended: they decide whether a missing MEV record means disabled. */
function closeEpoch(validator: ValidatorRecord, epoch: number): void {
  const { performance } = validator;
  if (performance === null || performance.epoch >= epoch) return;
  validator.previousLeaderSlots = { epoch: performance.epoch, slots: performance.leaderSlots };
}

function show(step: Step, ordinal: number, validator: ValidatorRecord, performance: Performance): void {
  validator.performanceOfHour = performance;
  step.touched.profiles.add(ordinal);
}
