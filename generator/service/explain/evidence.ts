import type { Ledger } from "../../ledger/ledger.ts";
import type { ExplainedEvent } from "./event.ts";
import type { UnreadableEntry } from "../../journal/entries.ts";
import type { Entry, NamedEntry } from "../../entries/entry.ts";
import type { NamedRuling, Ruling } from "../../entries/ruling.ts";
import { IGNORED, isIgnored } from "../../ledger/rulings.ts";
import { readingsOf, type Reading } from "./readings.ts";

/**
 * `before`: last with the old value; `between`: decided nothing;
 * `first`: first with the new value; `second`: confirmed it, where the
 * first did not; `history`: a public history; `ruling`: an operator's.
 */
export type Role = "before" | "between" | "first" | "second" | "history" | "ruling";

/** An observation, public history or ruling behind an event; `time` in ISO 8601, UTC. */
export interface Evidence {
  role: Role;
  /** Number of the entry in ten digits, or of the ruling in four. */
  name: string;
  time: string;
  /** null: the entry has none. */
  slot: number | null;
  epoch: number | null;
  /**
   * Of the list kept whole, or of the public history: an
   * address without path and query. null: none was asked.
   */
  endpoint: string | null;
  readings: Reading[];
  /** Why it does not count, if the ledger still knows the reason. */
  refused: string | null;
  ruling: Pick<Ruling, "subject" | "verdict" | "reason" | "ruledAt"> | null;
}

/**
 * Evidence in the order of the journal, then the rulings.
 * @param read the entries of `findEntriesBehind`
 */
export function toEvidence(
  event: ExplainedEvent,
  {
    read,
    rulings,
  }: { read: readonly (NamedEntry | UnreadableEntry)[]; rulings: readonly NamedRuling[] },
  ledger: Ledger,
): Evidence[] {
  const entries = read.filter((one) => "entry" in one);
  const found = event.confirmed
    ? ofObserved(event, entries, ledger)
    : ofPublicHistory(event, entries, ledger);
  const about = rulings.filter(({ ruling }) => isAbout(ruling, event, found));
  return [...found, ...about.map(toRulingPiece)];
}

/** Evidence of an observed event: the ledger knows the times that decided. */
function ofObserved(
  event: ExplainedEvent,
  entries: readonly NamedEntry[],
  ledger: Ledger,
): Evidence[] {
  const taken = new Set<Role>();
  return entries.flatMap(({ name, entry }) => {
    if (entry.kind !== "check" && entry.kind !== "snapshot") return [];
    const readings = readingsOf(entry, event);
    const role = roleOf(event, entry, readings);
    // Two generators can read in the same millisecond; only one reading counts.
    const own = role !== "between" && taken.has(role) ? "between" : role;
    if (own === "between" && readings.length === 0) return [];
    taken.add(own);
    return [toPiece(own, { name, entry }, { event, ledger })];
  });
}

function roleOf(event: ExplainedEvent, { time }: Entry, readings: readonly Reading[]): Role {
  const showsNew = readings.some(({ shows }) => shows === "new" || shows === "either");
  // The majority of an observation may show the old value and some witnesses the new one: it is the
  // first.
  if (time === event.createdAt && showsNew) return "first";
  if (time === event.confirmedAt && showsNew) return "second";
  return time === event.previousSeenAt ? "before" : "between";
}

/**
 * Evidence of a public history's event: all its
 * readings, and the observations on the observed side.
 */
function ofPublicHistory(
  event: ExplainedEvent,
  entries: readonly NamedEntry[],
  ledger: Ledger,
): Evidence[] {
  const withReadings = entries.filter(({ entry }) => readingsOf(entry, event).length > 0);
  const inEpoch = (epoch: number) =>
    withReadings.filter(({ entry }) => "slot" in entry && entry.epoch === epoch);
  const before = inEpoch(event.epoch - 1).at(-1);
  const [first] = inEpoch(event.epoch);
  return withReadings.flatMap((one) => {
    const role =
      one.entry.kind === "history"
        ? "history"
        : one === before
          ? "before"
          : one === first
            ? "first"
            : null;
    return role === null ? [] : [toPiece(role, one, { event, ledger })];
  });
}

function isAbout({ subject }: Ruling, { id }: ExplainedEvent, found: readonly Evidence[]): boolean {
  if (subject.of === "event") return subject.id === id;
  return found.some(({ name }) => subject.first <= name && name <= subject.last);
}

function toPiece(
  role: Role,
  { name, entry }: Pick<NamedEntry, "name" | "entry">,
  { event, ledger }: { event: ExplainedEvent; ledger: Ledger },
): Evidence {
  return {
    role,
    name,
    time: entry.time,
    slot: "slot" in entry ? entry.slot : null,
    epoch: "slot" in entry ? entry.epoch : null,
    endpoint: "endpoint" in entry ? entry.endpoint : entry.kind === "history" ? entry.source : null,
    readings: readingsOf(entry, event),
    refused: whyRefused(name, ledger),
    ruling: null,
  };
}

function whyRefused(name: string, ledger: Ledger): string | null {
  if (isIgnored(ledger, name)) return IGNORED.reason;
  return (
    ledger.acceptance.refusedObservations.find((refusal) => refusal.name === name)?.reason ?? null
  );
}

function toRulingPiece({ name, ruling }: NamedRuling): Evidence {
  const { subject, verdict, reason, ruledAt } = ruling;
  const none = { slot: null, epoch: null, endpoint: null, readings: [], refused: null };
  return {
    role: "ruling",
    name,
    time: ruledAt,
    ...none,
    ruling: { subject, verdict, reason, ruledAt },
  };
}
