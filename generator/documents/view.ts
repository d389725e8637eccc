import type { CommissionEvent } from "../contract/event.ts";
import type { Column, ColumnValues } from "../ledger/columns.ts";
import type { Ledger } from "../ledger/ledger.ts";
import { trackedEpochs } from "../ledger/points.ts";
import type { ValidatorRecord } from "../ledger/records.ts";
import { findBegins, findUnsettled, toCommissionColumns, type CommissionView } from "./commissions.ts";
import { toEventsInOrder } from "./event-lists.ts";

/** Make a new one after every fold. */
export interface View extends CommissionView {
  /** Observed or in a public history, ascending. */
  trackedEpochs: () => ReadonlySet<number>;
  /** By rank. */
  listed: () => readonly ValidatorRecord[];
  /** Newest first. */
  events: () => readonly CommissionEvent[];
  eventsByVote: () => ReadonlyMap<string, readonly CommissionEvent[]>;
  eventsByEpoch: () => ReadonlyMap<number, readonly CommissionEvent[]>;
  /** Ascending. */
  commissionEpochs: () => readonly number[];
  stakeEpochs: () => readonly number[];
  /** Ascending. */
  closedEpochs: () => ReadonlySet<number>;
  /** UTC, ascending. */
  uptimeDays: () => readonly string[];
}

export function createView(ledger: Ledger): View {
  const events = lazy(() => toEventsInOrder(ledger));
  const tracked = lazy(() => new Set(trackedEpochs(ledger)));
  const { proved, inflation, mev, stakes, history, uptime } = ledger;
  const latestEpoch = ledger.epochs.at(-1)?.epoch ?? null;
  const commissionEpochs = lazy(() => epochsOf(proved, inflation, mev, history.inflation, history.mev));
  return {
    ledger,
    trackedEpochs: tracked,
    latestEpoch,
    listed: lazy(() => ledger.validators.filter(({ listed }) => listed).sort((a, b) => a.rank - b.rank)),
    events,
    eventsByVote: lazy(() => Map.groupBy(events(), ({ votePubkey }) => votePubkey)),
    eventsByEpoch: lazy(() => Map.groupBy(events(), ({ epoch }) => epoch)),
    commissionEpochs,
    stakeEpochs: lazy(() => epochsOf(stakes, history.stakes)),
    commissionColumns: lazy(() => toCommissionColumns(ledger, commissionEpochs())),
    unsettled: lazy(() => findUnsettled(ledger)),
    begins: lazy(() => findBegins(ledger)),
    closedEpochs: lazy(() => new Set([...tracked()].filter((epoch) => latestEpoch !== null && epoch < latestEpoch))),
    uptimeDays: lazy(() => [...uptime.checks.keys()].sort()),
  };
}

export function findRecord(view: View, votePubkey: string): { ordinal: number; record: ValidatorRecord } | null {
  const ordinal = view.ledger.ordinals.get(votePubkey);
  const record = ordinal === undefined ? undefined : view.ledger.validators[ordinal];
  return ordinal === undefined || record === undefined ? null : { ordinal, record };
}

export function lazy<Value>(make: () => Value): () => Value {
  let made: { value: Value } | null = null;
  return () => (made ??= { value: make() }).value;
}

function epochsOf(...columns: Column<ColumnValues>[]): number[] {
  const epochs = new Set(columns.flatMap((column) => [...column.keys()]));
  return [...epochs].sort((a, b) => a - b);
}
