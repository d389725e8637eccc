import type { Report } from "../../../generator/commands/report.ts";
import type { Entry } from "../../../generator/ledger/entry.ts";
import type { Folded } from "../../../generator/ledger/fold.ts";
import type { Ledger } from "../../../generator/ledger/ledger.ts";
import type { EventRecord } from "../../../generator/ledger/records.ts";
import { pendingChanges } from "../../../generator/ledger/pending.ts";
import { stakeAt, tipAt } from "./cluster.ts";
import type { Scenario } from "./scenario.ts";

/** An entry as it was folded. */
export interface Noted {
  /** When, milliseconds since 1970. */
  at: number;
  entry: Entry;
  outcome: Folded["outcome"];
}

/** A rate that was held from a time on, in basis points. */
export interface Held {
  at: number;
  rate: number;
  isSettled: boolean;
}

/** What was seen while a scenario was played. */
export interface Record {
  noted: Noted[];
  /** By vote account. */
  held: Map<string, Held[]>;
  events: { at: number; vote: string; event: EventRecord }[];
  /** Accepted observations whose stake was over a quarter from the true one. */
  wrongStakes: { at: number; told: bigint; truth: bigint }[];
  /** Changes of which witnesses contradicted each other, by vote account and first sight. */
  disputes: Set<string>;
  /** What was refused, at the door or by the fold. */
  rejected: { at: number; reason: string }[];
  ledger: Ledger | null;
  note(folded: Folded, entry: Entry, at: number): void;
  /** Looks at the ledger when an observation is over, its second reading included. */
  look(ledger: Ledger, report: Report, at: number): void;
}

/** Nodes may be so many slots apart: stake of an epoch ago may be of now. */
const SLOTS_APART = 400;

export function createRecord({ cluster }: Scenario): Record {
  const record: Record = {
    noted: [],
    held: new Map(),
    events: [],
    wrongStakes: [],
    disputes: new Set(),
    rejected: [],
    ledger: null,
    note({ ledger, outcome }, entry, at) {
      record.noted.push({ at, entry, outcome });
      if (outcome.accepted && (entry.kind === "check" || entry.kind === "snapshot")) lookAtStake(ledger, at);
    },
    look(ledger, { command, rejected }, at) {
      record.ledger = ledger;
      for (const { reason } of rejected) record.rejected.push({ at, reason: `${command}: ${reason}` });
      for (const { vote, commissionBasisPoints, inflationSettled } of ledger.validators)
        if (commissionBasisPoints !== null)
          hold(vote, { at, rate: commissionBasisPoints, isSettled: inflationSettled });
      for (const event of ledger.events.slice(record.events.length))
        record.events.push({ at, vote: ledger.validators[event.ordinal]?.vote ?? "", event });
      for (const { vote, source, first, disputed } of pendingChanges(ledger))
        if (disputed && source === "COMMISSION") record.disputes.add(`${vote} ${first.time}`);
    },
  };

  function hold(vote: string, held: Held): void {
    const all = record.held.get(vote) ?? [];
    const last = all.at(-1);
    if (last?.rate === held.rate && last.isSettled === held.isSettled) return;
    record.held.set(vote, [...all, held]);
  }

  function lookAtStake({ acceptance: { reference } }: Ledger, at: number): void {
    if (reference === null) return;
    const tip = tipAt(cluster, at);
    const truths = [stakeAt(cluster, tip), stakeAt(cluster, tip - SLOTS_APART)];
    const isNear = (truth: bigint) => {
      const distance = truth > reference.stake ? truth - reference.stake : reference.stake - truth;
      return distance * 4n <= truth;
    };
    if (!truths.some(isNear)) record.wrongStakes.push({ at, told: reference.stake, truth: truths[0] ?? 0n });
  }

  return record;
}
