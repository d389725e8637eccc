import type { CommissionEvent } from "../../contract/event.ts";
import {
  EXPORT_TABLES,
  type ColumnOf,
  type ExportColumn,
  type ExportTable,
} from "../../contract/export.ts";
import { compareText } from "../../contract/lists.ts";
import { toPercentOrNull } from "../../contract/numbers.ts";
import { commissionPoint, stakePoint } from "../../ledger/stake/points.ts";
import type { ValidatorRecord } from "../../ledger/records.ts";
import { findCommissions, lastEpoch, type Commissions } from "../../views/commissions.ts";
import type { View } from "../view.ts";
import type { Cell, Column, Table } from "./formats.ts";

/**
 * Columns of events. None has a name: a new name would change past rows, and outsiders choose it
 * (formats.ts).
 */
const EVENT_COLUMNS = toColumns<"events", CommissionEvent>("events", {
  transactionSignature: ({ transaction }) => transaction?.signature ?? null,
  transactionSlot: ({ transaction }) => transaction?.slot ?? null,
  transactionBlockTime: ({ transaction }) => transaction?.blockTime ?? null,
  signer: ({ transaction }) => transaction?.signer ?? null,
  verified: ({ transaction }) => transaction?.verified ?? null,
});

/**
 * Changes only with an epoch's end or a correction. It may be empty, because a ruling must be able
 * to remove the only event.
 */
export function toEventsTable(view: View): Table<CommissionEvent> | null {
  const running = view.latestEpoch ?? 0;
  if (view.closedEpochs().size === 0) return null;
  return { columns: EVENT_COLUMNS, rows: view.events().filter(({ epoch }) => epoch < running) };
}

interface HistoryRow extends Commissions {
  epoch: number;
  votePubkey: string;
  activeStakeLamports: bigint | null;
  rank: number | null;
}

/** Columns of the history. Identity and name are left out, as their past values are unknown. */
const HISTORY_COLUMNS = toColumns<"history", HistoryRow>("history", {
  commission: ({ commissionBasisPoints }) => toPercentOrNull(commissionBasisPoints),
  mevCommission: ({ mevCommissionBasisPoints }) => toPercentOrNull(mevCommissionBasisPoints),
  appliedCommission: ({ appliedCommissionBasisPoints }) =>
    toPercentOrNull(appliedCommissionBasisPoints),
  blockRevenueCommission: ({ blockRevenueBasisPoints }) => toPercentOrNull(blockRevenueBasisPoints),
});

const NOTHING_KNOWN: Commissions = {
  commissionBasisPoints: null,
  mevCommissionBasisPoints: null,
  appliedCommissionBasisPoints: null,
  paid: null,
  blockRevenueBasisPoints: null,
};

/** Validators of an epoch, largest stake first. */
export function toHistoryTable(view: View, epoch: number): Table<HistoryRow> | null {
  if (!view.closedEpochs().has(epoch)) return null;
  const rows = [...view.ledger.validators.entries()]
    .map(([validatorIndex, record]) => ({ validatorIndex, record }))
    .filter((subject) => isRecorded(view, subject, epoch))
    .map((subject) => toRow(view, subject, epoch));
  return rows.length === 0 ? null : { columns: HISTORY_COLUMNS, rows: rows.sort(compareRows) };
}

/** Rows that {@link toHistoryTable} has for an epoch, counted without building it. */
export function countHistoryRows(view: View, epoch: number): number {
  let rows = 0;
  for (const [validatorIndex, record] of view.ledger.validators.entries())
    if (isRecorded(view, { validatorIndex, record }, epoch)) rows += 1;
  return rows;
}

interface Subject {
  validatorIndex: number;
  record: ValidatorRecord;
}

/** Commissions after a validator was last seen do not count. */
function isRecorded(view: View, { validatorIndex, record }: Subject, epoch: number): boolean {
  const at = { epoch, validatorIndex };
  return (
    stakePoint(view.ledger, at) !== null ||
    (epoch <= lastEpoch(view, record) && commissionPoint(view.ledger, "inflation", at) !== null)
  );
}

function toRow(view: View, subject: Subject, epoch: number): HistoryRow {
  const { validatorIndex, record } = subject;
  const stake = stakePoint(view.ledger, { epoch, validatorIndex });
  return {
    epoch,
    votePubkey: record.vote,
    activeStakeLamports: stake?.lamports ?? null,
    rank: stake?.rank ?? null,
    ...(findCommissions(view, subject, epoch) ?? NOTHING_KNOWN),
  };
}

function compareRows(a: HistoryRow, b: HistoryRow): number {
  const [one, other] = [a.activeStakeLamports ?? -1n, b.activeStakeLamports ?? -1n];
  if (one !== other) return one > other ? -1 : 1;
  return compareText(a.votePubkey, b.votePubkey);
}

/** A missing one does not compile. */
type Cells<Name extends ExportTable, Row> = Record<
  Exclude<ColumnOf<Name>, keyof Row>,
  (row: Row) => Cell
>;

/** In the contract's order. */
function toColumns<Name extends ExportTable, Row extends object>(
  table: Name,
  cells: Cells<Name, Row>,
): Column<Row>[] {
  const columns: Record<string, ExportColumn> = EXPORT_TABLES[table];
  const own = cells as Record<string, (row: Row) => Cell>;
  return Object.entries(columns).map(([name, column]) => {
    const ofField = (row: Row) => (row as Record<string, Cell>)[name] ?? null;
    return { name, ...column, toCell: own[name] ?? ofField };
  });
}
