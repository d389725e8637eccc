import type { SnapshotEntry } from "../entries/entry.ts";
import { assignListed, findValidator, type Step } from "./step.ts";

type Scan = Extract<SnapshotEntry["stakeAccounts"], { state: "ok" }>["value"];

/** Stake that arrives and leaves at the end of the epoch. A scan of another epoch than the observation's says nothing,
 * and it has a row of every vote account it was to look for, also of those without a delegation. */
export function foldStakeAccounts(step: Step, scan: Scan): void {
  if (scan.epoch !== step.moment.epoch) return;
  const stakeAccountsAsOf = scan.asOf;
  for (const [vote, activatingStake, deactivatingStake, stakeAccountCount] of scan.rows) {
    const found = findValidator(step.ledger, vote);
    if (found?.validator.listed !== true) continue;
    assignListed(step, found.ordinal, { activatingStake, deactivatingStake, stakeAccountCount, stakeAccountsAsOf });
  }
}
