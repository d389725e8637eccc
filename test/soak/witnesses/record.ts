import type { Report } from "../../../generator/service/report.ts";
import type { Entry } from "../../../generator/entries/entry.ts";
import type { Folded } from "../../../generator/ledger/fold.ts";
import type { Ledger } from "../../../generator/ledger/ledger.ts";
import type { EventRecord } from "../../../generator/ledger/event-record.ts";
import { pendingChanges } from "../../../generator/ledger/pending-changes.ts";
import { stakeAt, tipAt } from "./cluster.ts";
import { findUnknown, findWrongProved, objectToProof } from "./proofs.ts";
import type { Scenario } from "./scenario.ts";

export interface Noted {
  /** Milliseconds since 1970. */
  at: number;
  entry: Entry;
  outcome: Folded["outcome"];
}

export interface Held {
  at: number;
  rate: number;
  isSettled: boolean;
}

export interface Record {
  noted: Noted[];
  held: Map<string, Held[]>;
  /** Of inflation commissions. */
  events: { at: number; vote: string; event: EventRecord }[];
  mevEvents: { at: number; vote: string; event: EventRecord }[];
  /** Accepted observations with a stake over a quarter from the truth. */
  wrongStakes: { at: number; told: bigint; truth: bigint }[];
  /** Disputed changes, by vote account and first sight. */
  disputes: Set<string>;
  rejected: { at: number; reason: string }[];
  falseProofs: FalseProof[];
  ledger: Ledger | null;
  note(folded: Folded, entry: Entry, at: number): void;
  look(ledger: Ledger, report: Report, at: number): void;
}

interface FalseProof {
  kind: "false proof" | "false coverage" | "wrong proved";
  /** Milliseconds since 1970. */
  at: number;
  vote: string;
  text: string;
}

/** Nodes may lag so far that stake of an epoch ago counts as current. */
const SLOTS_APART = 400;

export function createRecord({ cluster }: Scenario): Record {
  const record: Record = {
    noted: [],
    held: new Map(),
    events: [],
    mevEvents: [],
    wrongStakes: [],
    disputes: new Set(),
    rejected: [],
    falseProofs: [],
    ledger: null,
    note({ ledger, outcome }, entry, at) {
      record.noted.push({ at, entry, outcome });
      if (entry.kind === "transactions") {
        for (const { vote, text } of findUnknown(cluster, ledger))
          blame({ kind: "false coverage", at, vote, text });
      }
      if (outcome.accepted && (entry.kind === "check" || entry.kind === "snapshot"))
        lookAtStake(ledger, at);
    },
    look(ledger, { command, rejected }, at) {
      record.ledger = ledger;
      for (const { reason } of rejected)
        record.rejected.push({ at, reason: `${command}: ${reason}` });
      for (const { vote, commissionBasisPoints, rates } of ledger.validators)
        if (commissionBasisPoints !== null)
          hold(vote, { at, rate: commissionBasisPoints, isSettled: rates.isAgreed });
      const known = new Set([...record.events, ...record.mevEvents].map(({ event }) => event.id));
      for (const event of ledger.events) {
        const all = event.source === "MEV" ? record.mevEvents : record.events;
        if (!known.has(event.id))
          all.push({ at, vote: ledger.validators[event.validatorIndex]?.vote ?? "", event });
      }
      lookAtProofs(ledger, at);
      for (const { vote, source, first, disputed } of pendingChanges(ledger))
        if (disputed && source === "COMMISSION") record.disputes.add(`${vote} ${first.time}`);
    },
  };

  function lookAtProofs(ledger: Ledger, at: number): void {
    for (const event of ledger.events) {
      const vote = ledger.validators[event.validatorIndex]?.vote ?? "";
      const text = event.source === "COMMISSION" ? objectToProof(cluster, vote, event) : null;
      if (text !== null) blame({ kind: "false proof", at, vote, text });
    }
    for (const { vote, text } of findWrongProved(cluster, ledger))
      blame({ kind: "wrong proved", at, vote, text });
  }

  function blame(proof: FalseProof): void {
    const isKnown = record.falseProofs.some(
      ({ vote, text }) => vote === proof.vote && text === proof.text,
    );
    if (!isKnown) record.falseProofs.push(proof);
  }

  function hold(vote: string, held: Held): void {
    const all = record.held.get(vote) ?? [];
    const last = all.at(-1);
    if (last?.rate === held.rate && last.isSettled === held.isSettled) return;
    record.held.set(vote, [...all, held]);
  }

  function lookAtStake({ acceptance: { reference } }: Ledger, at: number): void {
    if (reference === null) return;
    const tip = tipAt(cluster, at);
    // An account may open and close again within so many slots.
    const changes = cluster.validators
      .flatMap(({ stakes, rates }) => [...stakes, ...rates])
      .filter(({ slot }) => slot > tip - SLOTS_APART && slot < tip);
    const slots = [tip, tip - SLOTS_APART, ...changes.map(({ slot }) => slot)];
    const truths = slots.map((slot) => stakeAt(cluster, slot));
    const isNear = (truth: bigint) => {
      const distance = truth > reference.stake ? truth - reference.stake : reference.stake - truth;
      return distance * 4n <= truth;
    };
    if (!truths.some(isNear))
      record.wrongStakes.push({ at, told: reference.stake, truth: truths[0] ?? 0n });
  }

  return record;
}
