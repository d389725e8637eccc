import { getStake } from "./columns.ts";
import type { Ledger } from "./ledger.ts";
import { isKnownEnabled } from "./mev-held.ts";
import type { ValidatorRecord } from "./records.ts";

export interface Leader {
  ordinal: number;
  validator: ValidatorRecord;
}

/** Who may have had MEV disabled in the epoch, as far as the chain's leaders tell. */
export function findLeaders({ validators, stakes }: Ledger, epoch: number): Leader[] {
  const sharers = Map.groupBy(
    validators.filter(({ listed }) => listed),
    ({ identity }) => identity,
  );
  return (
    [...validators.entries()]
      .map(([ordinal, validator]) => ({ ordinal, validator }))
      .filter(({ validator }) => blocksIn(validator, epoch) > 0 && validator.mev !== "disabled")
      // Without active stake nobody leads: the blocks are of another vote account that had this identity before.
      .filter(({ ordinal }) => (getStake(stakes, epoch, ordinal) ?? 0n) > 0n)
      // Slots are led by an identity: of several vote accounts with the same one, nobody can say which led them.
      .filter(({ validator }) => (sharers.get(validator.identity)?.length ?? 0) <= 1)
  );
}

/** Whether it is still to be decided if this validator, which was enabled, was so in the epoch. */
export function isUndecided(ledger: Ledger, validator: ValidatorRecord, epoch: number): boolean {
  if (ledger.mevLists.decidedEpoch >= epoch || !isKnownEnabled(validator)) return false;
  return findLeaders(ledger, epoch).some((leader) => leader.validator === validator);
}

/**
 * A validator makes its tip account in the first block it produces in an epoch: without a block the absence of an account
 * says nothing, whatever slots there were to lead.
 */
function blocksIn({ performance, previousBlocks }: ValidatorRecord, epoch: number): number {
  if (performance?.epoch === epoch) return performance.blocksProduced;
  return previousBlocks?.epoch === epoch ? previousBlocks.produced : 0;
}
