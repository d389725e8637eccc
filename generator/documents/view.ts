import type { CommissionEvent } from "../contract/event.ts";
import type { Column, ColumnValues } from "../ledger/columns.ts";
import type { Ledger } from "../ledger/ledger.ts";
import { trackedEpochs } from "../ledger/tracked-epochs.ts";
import type { ValidatorRecord } from "../ledger/records.ts";
import { memoize } from "../ledger/memoize.ts";
import { findUncertainSets } from "../ledger/stake/membership.ts";
import { LISTED_EPOCHS } from "../contract/validator.ts";
import { appliedAt, findBegins, findUnsettled } from "../views/commissions.ts";
import { toEventsAsPublished } from "./changes.ts";
import { toEventsInOrder } from "./event-lists.ts";
import { toVerdictFacts, type FactsView, type VerdictFacts } from "../views/verdict/facts.ts";
import { judge, type Judgement } from "../views/verdict/verdict.ts";

/** A validator with its index in the ledger. */
export interface Subject {
  validatorIndex: number;
  record: ValidatorRecord;
}

/** Make a new one after every fold. */
export interface View extends FactsView {
  /** Observed or in a public history, ascending. */
  trackedEpochs: () => ReadonlySet<number>;
  /** By rank. */
  listed: () => readonly ValidatorRecord[];
  /** Newest first. */
  events: () => readonly CommissionEvent[];
  /**
   * Events published last come first, whenever they happened: readers of a feed look no further
   * down.
   */
  publishedEvents: () => readonly CommissionEvent[];
  eventsByEpoch: () => ReadonlyMap<number, readonly CommissionEvent[]>;
  /**
   * By validator index: what the newest epochs paid, oldest first, in basis points; null: not known.
   */
  appliedOf: (validatorIndex: number) => readonly (number | null)[];
  verdictOf: (subject: Subject) => Judgement & { facts: VerdictFacts };
  stakeEpochs: () => readonly number[];
  /** Ascending. */
  closedEpochs: () => ReadonlySet<number>;
  /** Ascending. */
  uptimeDays: () => readonly UptimeOfDay[];
}

/** Checks of a day, by validator index. */
export interface UptimeOfDay {
  /** UTC. */
  date: string;
  checks: Uint16Array;
  delinquentChecks: Uint16Array | undefined;
}

/** Derived values of one ledger, each computed when first needed and then kept. */
export function createView(ledger: Ledger): View {
  const events = lazy(() => toEventsInOrder(ledger));
  const commissionEpochs = lazy(() => trackedEpochs(ledger));
  const tracked = lazy(() => new Set(commissionEpochs()));
  const { stakes, history, uptime } = ledger;
  const latestEpoch = ledger.epochs.at(-1)?.epoch ?? null;
  const facts: FactsView = {
    ledger,
    latestEpoch,
    eventsByVote: lazy(() => Map.groupBy(events(), ({ votePubkey }) => votePubkey)),
    commissionEpochs,
    unsettled: lazy(() => findUnsettled(ledger)),
    uncertainSets: memoize((validatorIndex) => findUncertainSets(ledger, validatorIndex)),
    begins: lazy(() => findBegins(ledger)),
  };
  return {
    ...facts,
    trackedEpochs: tracked,
    appliedOf: memoize((validatorIndex) => findApplied(facts, validatorIndex)),
    verdictOf: createVerdicts(facts),
    listed: lazy(() =>
      ledger.validators.filter(({ listed }) => listed).sort((a, b) => a.rank - b.rank),
    ),
    events,
    publishedEvents: lazy(() => toEventsAsPublished(ledger, events()).reverse()),
    eventsByEpoch: lazy(() => Map.groupBy(events(), ({ epoch }) => epoch)),
    stakeEpochs: lazy(() => epochsOf(stakes, history.stakes)),
    closedEpochs: lazy(
      () => new Set([...tracked()].filter((epoch) => latestEpoch !== null && epoch < latestEpoch)),
    ),
    uptimeDays: lazy(() =>
      [...uptime.checks]
        .map(([date, checks]) => ({
          date,
          checks,
          delinquentChecks: uptime.delinquentChecks.get(date),
        }))
        .sort((one, other) => (one.date < other.date ? -1 : 1)),
    ),
  };
}

function findApplied(view: FactsView, validatorIndex: number): (number | null)[] {
  const { latestEpoch, ledger } = view;
  if (latestEpoch === null) return [];
  const firstKnown = ledger.validators[validatorIndex]?.firstEpoch ?? 0;
  const first = Math.max(firstKnown, latestEpoch - LISTED_EPOCHS + 1);
  return Array.from({ length: latestEpoch - first + 1 }, (_, index) =>
    appliedAt(view, { validatorIndex, epoch: first + index }),
  );
}

/** Judges each validator once, however many documents show the verdict. */
function createVerdicts(view: FactsView): View["verdictOf"] {
  const judged = new Map<number, ReturnType<View["verdictOf"]>>();
  return (subject) => {
    const known = judged.get(subject.validatorIndex);
    if (known !== undefined) return known;
    const facts = toVerdictFacts(view, subject);
    const judgement = { ...judge(facts), facts };
    judged.set(subject.validatorIndex, judgement);
    return judgement;
  };
}

/** null: the ledger does not know the vote account. */
export function findRecord(view: View, votePubkey: string): Subject | null {
  const validatorIndex = view.ledger.validatorIndexes.get(votePubkey);
  const record = validatorIndex === undefined ? undefined : view.ledger.validators[validatorIndex];
  return validatorIndex === undefined || record === undefined ? null : { validatorIndex, record };
}

/** Calls `make` once, at the first use. If it throws, the next use calls it again. */
export function lazy<Value>(make: () => Value): () => Value {
  let made: { value: Value } | null = null;
  return () => (made ??= { value: make() }).value;
}

function epochsOf(...columns: Column<ColumnValues>[]): number[] {
  const epochs = new Set(columns.flatMap((column) => [...column.keys()]));
  return [...epochs].sort((a, b) => a - b);
}
