import type { CommissionEvent } from "../../contract/event.ts";
import { stakePoint } from "../../ledger/stake/points.ts";
import type { ValidatorRecord } from "../../ledger/records.ts";
import type { CommissionView } from "../commissions.ts";
import { isRug, type PaidChange } from "./paid-changes.ts";

/** Epochs after a RUG within which leaving is reported. */
const LEAVING_EPOCHS = 3;

interface Subject {
  validatorIndex: number;
  record: ValidatorRecord;
}

/** A sentence on stake, listing or votes that ended soon after the newest RUG; null: none did. */
export function toLeaving(
  view: CommissionView,
  { validatorIndex, record }: Subject,
  { changes, silentSince }: { changes: readonly PaidChange[]; silentSince: string | null },
): string | null {
  const [newest] = changes.filter(isRug).sort((one, other) => other.event.epoch - one.event.epoch);
  if (newest === undefined) return null;
  const rug = newest.event;
  const last = rug.epoch + LEAVING_EPOCHS;
  const soon = `within ${LEAVING_EPOCHS} epochs of the rise in epoch ${rug.epoch}`;
  if (!record.listed && record.seen.epoch <= last) return `It left the cluster's list ${soon}.`;
  const stakeAt = (epoch: number) =>
    stakePoint(view.ledger, { epoch, validatorIndex })?.lamports ?? null;
  const before = stakeAt(rug.epoch);
  for (let epoch = rug.epoch + 1; before !== null && before > 0n && epoch <= last; epoch += 1) {
    const after = stakeAt(epoch);
    if (after !== null && after * 2n <= before)
      return `Its active stake fell from ${toSol(before)} to ${toSol(after)} SOL ${soon}.`;
  }
  return hasStopped(view, silentSince, { rug, last }) ? `It stopped voting ${soon}.` : null;
}

/** A public history gives no time of a rug, only that it came after the previous epoch. */
function hasStopped(
  { ledger: { epochs }, latestEpoch }: CommissionView,
  silentSince: string | null,
  { rug, last }: { rug: CommissionEvent; last: number },
): boolean {
  if (silentSince === null) return false;
  const endOf = (each: number) => epochs.findLast(({ epoch }) => epoch <= each)?.last.time ?? "";
  const since = rug.transaction?.blockTime ?? rug.createdAt ?? endOf(rug.epoch - 1);
  const isOver = latestEpoch !== null && latestEpoch > last;
  return silentSince >= since && (!isOver || silentSince <= endOf(last));
}

function toSol(lamports: bigint): string {
  return String(lamports / 1_000_000_000n);
}
