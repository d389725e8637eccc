import type { SnapshotIndex } from "../../contract/snapshot-index.ts";
import type { Validator } from "../../contract/validator.ts";
import { tableOf, toLamports, type Table } from "./table.ts";

const toTable = tableOf<"validators", Validator>("validators", {
  pattern: ({ pattern }) => pattern?.kind ?? null,
  activeStakeLamports: ({ activeStake }) => toLamports(activeStake.lamports),
  activatingStakeLamports: ({ activatingStake }) => toLamports(activatingStake.lamports),
  deactivatingStakeLamports: ({ deactivatingStake }) => toLamports(deactivatingStake.lamports),
});

/** The list of validators, by rank. null: nothing was observed yet. */
export function toValidatorsTable({ latestEpoch, validators }: SnapshotIndex): Table | null {
  return latestEpoch === null ? null : toTable(validators);
}
