import { commissionPoint, stakePoint } from "../../ledger/points.ts";
import type { ValidatorRecord } from "../../ledger/records.ts";
import { lastEpoch } from "../commission-history.ts";
import { findCommissions, type Commissions } from "../commissions-of-epoch.ts";
import { toPercentOrNull } from "../../contract/numbers.ts";
import { compareText } from "../order.ts";
import type { View } from "../view.ts";
import { toColumns, type Table } from "./table.ts";

/** A validator in one epoch. Commissions in basis points. */
interface HistoryRow extends Commissions {
  epoch: number;
  votePubkey: string;
  stake: { lamports: bigint; rank: number | null } | null;
}

/**
 * The points of stake history and commission history. Of a validator's identity and name only today's are known, so no past
 * can be told by them.
 */
const COLUMNS = toColumns<"history", HistoryRow>("history", {
  epoch: ({ epoch }) => epoch,
  votePubkey: ({ votePubkey }) => votePubkey,
  activeStakeLamports: ({ stake }) => stake?.lamports ?? null,
  rank: ({ stake }) => stake?.rank ?? null,
  commission: ({ inflation }) => toPercentOrNull(inflation),
  mevCommission: ({ mev }) => toPercentOrNull(mev),
  appliedCommission: ({ applied }) => toPercentOrNull(applied),
});

const NOTHING_KNOWN: Commissions = { inflation: null, mev: null, applied: null };

/**
 * Stake and commissions of a closed epoch: a row for each validator of which a stake or an inflation commission is recorded
 * in it, largest stake first. null: it has not closed yet, is not tracked, or nobody is.
 */
export function toHistoryTable(view: View, epoch: number): Table<HistoryRow> | null {
  if (!view.closedEpochs().has(epoch)) return null;
  const rows = [...view.ledger.validators.entries()].flatMap(([ordinal, record]) => {
    if (!isRecorded(view, { ordinal, record }, epoch)) return [];
    return [toRow(view, { ordinal, record }, epoch)];
  });
  return rows.length === 0 ? null : { columns: COLUMNS, rows: rows.sort(compareRows) };
}

/** How many rows the table of a closed epoch has. */
export function countHistoryRows(view: View, epoch: number): number {
  let rows = 0;
  for (const [ordinal, record] of view.ledger.validators.entries())
    rows += Number(isRecorded(view, { ordinal, record }, epoch));
  return rows;
}

interface Subject {
  ordinal: number;
  record: ValidatorRecord;
}

/** As in the API, a commission that is recorded after a validator was last seen counts for nothing. */
function isRecorded(view: View, { ordinal, record }: Subject, epoch: number): boolean {
  const at = { epoch, ordinal };
  if (stakePoint(view.ledger, at) !== null) return true;
  return epoch <= lastEpoch(view, record) && commissionPoint(view.ledger, "inflation", at) !== null;
}

function toRow(view: View, subject: Subject, epoch: number): HistoryRow {
  const { ordinal, record } = subject;
  return {
    epoch,
    votePubkey: record.vote,
    stake: stakePoint(view.ledger, { epoch, ordinal }),
    ...(findCommissions(view, subject, epoch) ?? NOTHING_KNOWN),
  };
}

/** By active stake, largest first, as the list is; ties by vote account. */
function compareRows(a: HistoryRow, b: HistoryRow): number {
  const [one, other] = [a.stake?.lamports ?? -1n, b.stake?.lamports ?? -1n];
  if (one !== other) return one > other ? -1 : 1;
  return compareText(a.votePubkey, b.votePubkey);
}
