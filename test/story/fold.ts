import { createHash } from "node:crypto";
import { isDeepStrictEqual } from "node:util";
import type { Entry, NamedEntry } from "../../generator/entries/entry.ts";
import type { Ruling } from "../../generator/entries/ruling.ts";
import { numberOf, toName } from "../../generator/journal/names.ts";
import type { Folded } from "../../generator/ledger/fold.ts";
import { createLedger, type Ledger } from "../../generator/ledger/ledger.ts";
import { pendingChanges, type PendingChange } from "../../generator/ledger/pending-changes.ts";
import { createTouched, uniteTouched, type Touched } from "../../generator/ledger/touched.ts";
import { applyRuling, foldEntry } from "../../generator/service/projection/fold-entry.ts";
import { timeAt } from "./clock.ts";

/** An operator's ruling on an entry of a story, or on an event that came with it. */
export interface StoryRuling extends Pick<Ruling, "verdict" | "reason" | "ruledAt"> {
  kind: "ruling";
  on: Entry;
  event: string | null;
}

export type StoryItem = Entry | StoryRuling;

/** What comes out of a story. */
export interface Outcome {
  ledger: Ledger;
  /** Of each entry whether it was accepted. */
  accepted: Folded["outcome"][];
  pending: PendingChange[];
  touched: Touched;
}

/** Folds a story in the order of its time, as the service does. */
export function foldStory(...items: StoryItem[]): Outcome {
  return foldOnto(createLedger("mainnet"), ...inOrder(items));
}

export function inOrder(items: readonly StoryItem[]): StoryItem[] {
  const timeOf = (item: StoryItem) => (item.kind === "ruling" ? "" : item.time);
  return items.toSorted((one, other) =>
    timeOf(one) < timeOf(other) ? -1 : Number(timeOf(one) > timeOf(other)),
  );
}

/** Folds entries as they come, numbered on. Consumes `ledger`. */
export function foldOnto(ledger: Ledger, ...items: StoryItem[]): Outcome {
  const outcome: Outcome = { ledger, accepted: [], pending: [], touched: createTouched() };
  for (const step of foldInSteps(ledger, items)) {
    outcome.ledger = step.ledger;
    outcome.accepted.push(step.outcome);
    outcome.touched = uniteTouched(outcome.touched, step.touched);
  }
  outcome.pending = pendingChanges(outcome.ledger);
  return outcome;
}

/** After each entry, with the rulings that act by it. Consumes `ledger`. */
export function* foldInSteps(
  ledger: Ledger,
  items: readonly StoryItem[],
): Generator<Folded & { entry: Entry }> {
  const entries = numbered(entriesOf(items), numberOf(ledger.position?.name ?? null));
  const rulings = toRulings(items, entries).map((ruling, index) => ({
    name: toRulingName(index),
    ruling,
  }));
  const apply = (to: Ledger, after: string | null) =>
    rulings
      .filter(({ ruling }) => ruling.after === after)
      .reduce((touched, ruling) => uniteTouched(touched, applyRuling(to, ruling)), createTouched());
  let touched = apply(ledger, null);
  for (const named of entries) {
    const folded = foldEntry(ledger, named);
    ledger = folded.ledger;
    touched = [folded.touched, apply(ledger, named.name)].reduce(uniteTouched, touched);
    yield { ...folded, touched, entry: named.entry };
    touched = createTouched();
  }
}

export function entriesOf(items: readonly StoryItem[]): Entry[] {
  return items.filter((item) => item.kind !== "ruling");
}

/** As the journal numbers them. @param last the number before the first */
export function numbered(entries: readonly Entry[], last = 0): NamedEntry[] {
  return entries.map((entry, index) => ({
    name: toName(last + index + 1),
    hash: toHash(entry),
    entry,
  }));
}

function toHash(entry: Entry): string {
  const text = JSON.stringify(entry, (_, value: unknown) =>
    typeof value === "bigint" ? value.toString() : value,
  );
  return createHash("sha256").update(text).digest("hex");
}

/** The rulings among the items, by the numbers of what they are about. */
export function toRulings(
  items: readonly StoryItem[],
  entries: readonly Pick<NamedEntry, "name" | "entry">[],
): Ruling[] {
  return items.flatMap((item) => {
    if (item.kind !== "ruling") return [];
    const { on, event, verdict, reason, ruledAt } = item;
    const name = entries.find(({ entry }) => isDeepStrictEqual(entry, on))?.name;
    if (name === undefined) throw new Error("a ruling of the story is about none of its entries");
    const before = numberOf(name) === 1 ? null : toName(numberOf(name) - 1);
    const subject =
      event === null
        ? { of: "observation" as const, first: name, last: name }
        : { of: "event" as const, id: event };
    const after = event === null ? before : (entries.at(-1)?.name ?? null);
    return [
      { format: 1 as const, network: "mainnet" as const, ruledAt, after, subject, verdict, reason },
    ];
  });
}

export function toRulingName(index: number): string {
  return String(index + 1).padStart(4, "0");
}

/** On an entry, or on an event that came with it. */
export function ruling(
  on: Entry,
  { event = null, ...changes }: Partial<Omit<StoryRuling, "kind" | "on">> = {},
): StoryRuling {
  return {
    kind: "ruling",
    on,
    event,
    ruledAt: timeAt(60),
    verdict: "ignore",
    reason: "known",
    ...changes,
  };
}
