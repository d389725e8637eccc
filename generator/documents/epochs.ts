import type { EpochRow } from "../contract/epochs.ts";
import { listEpochs } from "../contract/lists.ts";
import { toStake } from "../contract/numbers.ts";
import type { DocumentOf } from "../contract/objects.ts";
import { NO_STAKE_RECORDED } from "../ledger/columns.ts";
import type { EpochRecord, Ledger } from "../ledger/ledger.ts";
import { lastSlotOf } from "../ledger/schedule.ts";
import { epochsPerYear, toYearlyRate } from "../ledger/stake/staking-rewards.ts";
import { countToSuperminority } from "./concentration.ts";
import type { View } from "./view.ts";

/** Over a longer gap the pace of slots is a guess. */
const GAP_MILLISECONDS_MAX = 3_600_000;

/** Lists every tracked epoch, oldest first. */
export function renderEpochs({ ledger, commissionEpochs }: View): DocumentOf<"epochs"> {
  const startedAt = findStarts(ledger.epochs);
  const rows = commissionEpochs().map((epoch) => toRow(ledger, epoch, startedAt));
  return listEpochs(ledger, rows);
}

function toRow(ledger: Ledger, epoch: number, startedAt: ReadonlyMap<number, string>): EpochRow {
  const issuance = ledger.issuance.get(epoch);
  const stakes = findStakes(ledger, epoch);
  const recorded = stakes.reduce((sum, lamports) => sum + lamports, 0n);
  const activeStake = issuance?.setStake ?? recorded;
  return {
    epoch,
    firstSlot: lastSlotOf(ledger, epoch - 1) + 1,
    lastSlot: lastSlotOf(ledger, epoch),
    startedAt: startedAt.get(epoch) ?? null,
    endedAt: startedAt.get(epoch + 1) ?? null,
    inflationRate: issuance === undefined ? null : toYearlyRate(issuance.validatorRate),
    supply: issuance === undefined ? null : toStake(issuance.supply),
    activeStake: activeStake === 0n ? null : toStake(activeStake),
    epochsPerYear: issuance === undefined ? null : epochsPerYear(issuance),
    nakamotoCoefficient: recorded === 0n ? null : countToSuperminority(stakes.reverse(), recorded),
  };
}

/** In lamports, ascending. */
function findStakes({ stakes, history }: Ledger, epoch: number): BigUint64Array {
  const column = stakes.get(epoch) ?? history.stakes.get(epoch);
  if (column === undefined) return new BigUint64Array();
  // What marks no stake is the largest number, so it sorts last.
  const sorted = column.slice().sort();
  const end = sorted.indexOf(NO_STAKE_RECORDED);
  return end === -1 ? sorted : sorted.subarray(0, end);
}

/** Time of the first slot by epoch: on the line between the observations around it. */
function findStarts(epochs: readonly EpochRecord[]): Map<number, string> {
  const starts = new Map<number, string>();
  for (const [index, { epoch, firstSlot, first }] of epochs.entries()) {
    const before = epochs[index - 1]?.last;
    if (before === undefined || before.slot >= first.slot) continue;
    const from = Date.parse(before.time);
    const gap = Date.parse(first.time) - from;
    if (gap > GAP_MILLISECONDS_MAX) continue;
    const passed = (firstSlot - before.slot) / (first.slot - before.slot);
    const seconds = Math.round((from + gap * Math.min(1, Math.max(0, passed))) / 1_000);
    starts.set(epoch, new Date(seconds * 1_000).toISOString());
  }
  return starts;
}
