import type { SnapshotEntry } from "./entry.ts";
import { assignListed, type Step } from "./step.ts";

type Scan = Extract<SnapshotEntry["stakeAccounts"], { state: "ok" }>["value"];

/** Stake that arrives and leaves at the end of the epoch. A scan of another epoch than the observation's says nothing. */
export function foldStakeAccounts(step: Step, scan: Scan): void {
  if (scan.epoch !== step.moment.epoch) return;
  const byVote = new Map(scan.rows.map((row) => [row[0], row]));
  for (const [ordinal, validator] of step.ledger.validators.entries()) {
    if (!validator.listed) continue;
    const [, activatingStake, deactivatingStake, stakeAccountCount] = byVote.get(validator.vote) ?? [
      validator.vote,
      0n,
      0n,
      0,
    ];
    const stakeAccountsAsOf = scan.asOf;
    assignListed(step, ordinal, { activatingStake, deactivatingStake, stakeAccountCount, stakeAccountsAsOf });
  }
}
