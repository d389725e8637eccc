import type { CommissionEvent } from "../../contract/event.ts";
import { EXPORT_TABLES, type ColumnOf, type ExportColumn, type ExportTable } from "../../contract/export.ts";
import { compareText } from "../../contract/lists.ts";
import { toPercentOrNull } from "../../contract/numbers.ts";
import { commissionPoint, stakePoint } from "../../ledger/points.ts";
import type { ValidatorRecord } from "../../ledger/records.ts";
import { findCommissions, lastEpoch, type Commissions } from "../commissions.ts";
import type { View } from "../view.ts";
import type { Cell, Column, Table } from "./formats.ts";

/**
 * The validator's name is left out: it is as of now, so the past would change with it, and it is the one text that a
 * stranger chooses (formats.ts). The vote account tells who it was.
 */
const EVENT_COLUMNS = toColumns<"events", CommissionEvent>("events", {
  transactionSignature: ({ transaction }) => transaction?.signature ?? null,
  transactionSlot: ({ transaction }) => transaction?.slot ?? null,
  transactionBlockTime: ({ transaction }) => transaction?.blockTime ?? null,
  signer: ({ transaction }) => transaction?.signer ?? null,
  verified: ({ transaction }) => transaction?.verified ?? null,
});

/**
 * Every event of the closed epochs, confirmed or of a public history, newest first; null: no epoch has closed. Without those
 * of the running epoch the table stands still from one epoch's end to the next, whenever it is rendered. It may be empty: a
 * ruling that takes the only event back must take it out of the file too.
 */
export function toEventsTable(view: View): Table<CommissionEvent> | null {
  const running = view.latestEpoch ?? 0;
  if (view.closedEpochs().size === 0) return null;
  return { columns: EVENT_COLUMNS, rows: view.events().filter(({ epoch }) => epoch < running) };
}

/** A validator in one epoch. */
interface HistoryRow extends Commissions {
  epoch: number;
  votePubkey: string;
  /** Lamports; null: no stake is recorded. */
  activeStakeLamports: bigint | null;
  rank: number | null;
}

/**
 * The points of stake history and commission history. Of a validator's identity and name only today's are known, so no past
 * can be told by them.
 */
const HISTORY_COLUMNS = toColumns<"history", HistoryRow>("history", {
  commission: ({ commissionBasisPoints }) => toPercentOrNull(commissionBasisPoints),
  mevCommission: ({ mevCommissionBasisPoints }) => toPercentOrNull(mevCommissionBasisPoints),
  appliedCommission: ({ appliedCommissionBasisPoints }) => toPercentOrNull(appliedCommissionBasisPoints),
});

const NOTHING_KNOWN: Commissions = {
  commissionBasisPoints: null,
  mevCommissionBasisPoints: null,
  appliedCommissionBasisPoints: null,
};

/**
 * Stake and commissions of a closed epoch: a row for each validator of which a stake or an inflation commission is recorded
 * in it, largest stake first. null: it has not closed yet, is not tracked, or nobody is.
 */
export function toHistoryTable(view: View, epoch: number): Table<HistoryRow> | null {
  if (!view.closedEpochs().has(epoch)) return null;
  const rows = recordedIn(view, epoch).map((subject) => toRow(view, subject, epoch));
  return rows.length === 0 ? null : { columns: HISTORY_COLUMNS, rows: rows.sort(compareRows) };
}

/** How many rows the table of a closed epoch has. */
export function countHistoryRows(view: View, epoch: number): number {
  return recordedIn(view, epoch).length;
}

interface Subject {
  ordinal: number;
  record: ValidatorRecord;
}

/** As in the API, a commission that is recorded after a validator was last seen counts for nothing. */
function recordedIn(view: View, epoch: number): Subject[] {
  return [...view.ledger.validators.entries()].flatMap(([ordinal, record]) => {
    const at = { epoch, ordinal };
    const isRecorded =
      stakePoint(view.ledger, at) !== null ||
      (epoch <= lastEpoch(view, record) && commissionPoint(view.ledger, "inflation", at) !== null);
    return isRecorded ? [{ ordinal, record }] : [];
  });
}

function toRow(view: View, subject: Subject, epoch: number): HistoryRow {
  const { ordinal, record } = subject;
  const stake = stakePoint(view.ledger, { epoch, ordinal });
  return {
    epoch,
    votePubkey: record.vote,
    activeStakeLamports: stake?.lamports ?? null,
    rank: stake?.rank ?? null,
    ...(findCommissions(view, subject, epoch) ?? NOTHING_KNOWN),
  };
}

/** By active stake, largest first, as the list is; ties by vote account. */
function compareRows(a: HistoryRow, b: HistoryRow): number {
  const [one, other] = [a.activeStakeLamports ?? -1n, b.activeStakeLamports ?? -1n];
  if (one !== other) return one > other ? -1 : 1;
  return compareText(a.votePubkey, b.votePubkey);
}

/** What fills the columns that are no field of the row: one that nothing fills does not compile. */
type Cells<Name extends ExportTable, Row> = Record<Exclude<ColumnOf<Name>, keyof Row>, (row: Row) => Cell>;

/** The columns of a table in the contract's order. */
function toColumns<Name extends ExportTable, Row extends object>(table: Name, cells: Cells<Name, Row>): Column<Row>[] {
  const columns: Record<string, ExportColumn> = EXPORT_TABLES[table];
  const own = cells as Record<string, (row: Row) => Cell>;
  return Object.entries(columns).map(([name, column]) => {
    const ofField = (row: Row) => (row as Record<string, Cell>)[name] ?? null;
    return { name, ...column, toCell: own[name] ?? ofField };
  });
}
