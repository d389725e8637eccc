import { createHash } from "node:crypto";
import type { Entry, NamedEntry, RulingEntry } from "../../generator/entries/entry.ts";
import type { Folded } from "../../generator/ledger/fold.ts";
import { createLedger, type Ledger } from "../../generator/ledger/ledger.ts";
import { pendingChanges, type PendingChange } from "../../generator/ledger/rates/pending.ts";
import { createTouched, uniteTouched, type Touched } from "../../generator/ledger/touched.ts";
import { foldEntry } from "../../generator/service/fold-entry.ts";
import { timeAt } from "./clock.ts";

/** An entry under a name like those of the journal. */
export function named(entry: Entry): NamedEntry {
  const text = JSON.stringify(entry, (_, value: unknown) => (typeof value === "bigint" ? value.toString() : value));
  const hash = createHash("sha256").update(text).digest("hex").slice(0, 16);
  const time = entry.time.slice(11, 23).replaceAll(/[:.]/g, "");
  return { name: `${entry.time.slice(0, 10)}/${time}-${entry.kind}-${hash}`, entry };
}

/** What comes out of a story. */
export interface Outcome {
  ledger: Ledger;
  /** Of each entry whether it was accepted. */
  accepted: Folded["outcome"][];
  pending: PendingChange[];
  touched: Touched;
}

/** Folds a story in the order of its time, as the service does. */
export function foldStory(...entries: Entry[]): Outcome {
  return foldOnto(createLedger("mainnet"), ...inOrder(entries));
}

export function inOrder(entries: readonly Entry[]): Entry[] {
  return entries
    .map(named)
    .sort((a, b) => (a.name < b.name ? -1 : 1))
    .map(({ entry }) => entry);
}

/** Folds entries as they come. Consumes `ledger`. */
export function foldOnto(ledger: Ledger, ...entries: Entry[]): Outcome {
  const outcome: Outcome = { ledger, accepted: [], pending: [], touched: createTouched() };
  for (const entry of entries) {
    const folded = foldEntry(outcome.ledger, named(entry));
    outcome.ledger = folded.ledger;
    outcome.accepted.push(folded.outcome);
    outcome.touched = uniteTouched(outcome.touched, folded.touched);
  }
  outcome.pending = pendingChanges(outcome.ledger);
  return outcome;
}

/** On an observation, or on an event that came with it. */
export function ruling(on: Entry, { event, ...changes }: Partial<RulingEntry> & { event?: string } = {}): RulingEntry {
  const time = new Date(Date.parse(on.time) - 1).toISOString();
  const subject =
    event === undefined ? { of: "observation" as const, key: named(on).name } : { of: "event" as const, id: event };
  const head = { kind: "ruling", format: 1, network: "mainnet", time, ruledAt: timeAt(60) } as const;
  return { ...head, subject, verdict: "ignore", reason: "known", ...changes };
}
