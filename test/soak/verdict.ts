import { isDeepStrictEqual } from "node:util";
import type { CommissionEvent } from "../../generator/contract/event.ts";
import {
  OBJECTS,
  toObjectKey,
  type DocumentOf,
  type NamesOf,
  type ObjectKind,
} from "../../generator/contract/objects.ts";
import { allReferences } from "../../generator/documents/references.ts";
import { createRenderer } from "../../generator/documents/render.ts";
import { openJournal } from "../../generator/journal/journal.ts";
import { dayOf } from "../../generator/journal/names.ts";
import type { CheckEntry, Entry, SnapshotEntry } from "../../generator/entries/entry.ts";
import { fold } from "../../generator/ledger/fold.ts";
import { createLedger, type Ledger } from "../../generator/ledger/ledger.ts";
import { compareWithPublished, toDifferenceLine } from "../../generator/publish/compare.ts";
import type { Stores } from "./forked-store.ts";
import type { Traces } from "./rivals.ts";

/** What is looked at of an event: what it says, not which observation happened to show it first. */
export type Told = Pick<
  CommissionEvent,
  "id" | "votePubkey" | "source" | "severity" | "epoch" | "fromCommission" | "toCommission"
>;

/** Everything that is wrong with what generators left behind, each a line; none: all is well. */
export async function findFaults(traces: Traces, expected: Told[]): Promise<string[]> {
  const { ledger, entries } = await foldAll(traces.stores);
  const { events } = await readDocument(traces.stores, "index", {});
  const kept = new Set(entries.map(({ name }) => name));
  return [
    ...traces.complaints.map((reason) => `a last run complained: ${reason}`),
    ...traces.appended.filter((name) => !kept.has(name)).map((name) => `${name} was appended and is lost`),
    ...(await compareSite(traces.stores, ledger)),
    ...compareEvents(events, expected),
    ...events.flatMap((event) => judgeCreation(event, entries)),
    ...(await judgeUptime(traces.stores, entries)),
  ];
}

/** The events in the index, in the order of their ids. */
export async function readEvents(stores: Stores): Promise<Told[]> {
  const { events } = await readDocument(stores, "index", {});
  return events.map(toTold).sort((one, other) => (one.id < other.id ? -1 : 1));
}

interface Accepted {
  name: string;
  entry: Entry;
  accepted: boolean;
}

/** The ledger that the journal alone brings about, and what the fold said of each entry. */
async function foldAll({ stateStore }: Stores): Promise<{ ledger: Ledger; entries: Accepted[] }> {
  const journal = openJournal({ store: stateStore, network: "mainnet", series: 1 });
  let ledger = createLedger("mainnet", 1);
  const entries: Accepted[] = [];
  for await (const read of journal.read((await journal.names()).names)) {
    if (!("entry" in read)) throw new Error(`${read.name}: ${read.unreadable}`);
    const folded = fold(ledger, read);
    ledger = folded.ledger;
    entries.push({ ...read, accepted: folded.outcome.accepted });
  }
  return { ledger, entries };
}

/** Every document of a ledger, byte by byte, with what is published. */
async function compareSite({ publicStore }: Stores, ledger: Ledger): Promise<string[]> {
  const references = allReferences(ledger);
  const { render } = createRenderer(ledger);
  const differences = await compareWithPublished({ publicStore, network: "mainnet", references, render });
  return differences.map((difference) => `not as a rebuild makes it: ${toDifferenceLine(difference)}`);
}

function compareEvents(found: CommissionEvent[], expected: Told[]): string[] {
  const sorted = found.map(toTold).sort((one, other) => (one.id < other.id ? -1 : 1));
  if (isDeepStrictEqual(sorted, expected)) return [];
  const isIn = (all: Told[], one: Told) => all.some((other) => isDeepStrictEqual(one, other));
  return [
    ...sorted.filter((one) => !isIn(expected, one)).map((one) => `${JSON.stringify(one)} never happened`),
    ...expected.filter((one) => !isIn(sorted, one)).map((one) => `${JSON.stringify(one)} is missing`),
    ...(sorted.length === expected.length ? [] : [`there are ${sorted.length} events and not ${expected.length}`]),
  ];
}

function toTold({ id, votePubkey, source, severity, epoch, fromCommission, toCommission }: CommissionEvent): Told {
  return { id, votePubkey, source, severity, epoch, fromCommission, toCommission };
}

/** An inflation event is dated by the first accepted observation that showed the new value after the old one. */
function judgeCreation(event: CommissionEvent, entries: readonly Accepted[]): string[] {
  const { toCommission } = event;
  if (event.source !== "COMMISSION" || toCommission === null) return [];
  const observations = entries.flatMap(({ entry, accepted }) => (accepted && isObservation(entry) ? [entry] : []));
  const shown = observations.find(
    ({ slot, votes }) =>
      slot > (event.previousSlot ?? 0) &&
      votes.some((row) => row.vote === event.votePubkey && row.basisPoints === toCommission * 100),
  );
  return shown?.time === event.createdAt
    ? []
    : [`${event.id} is of ${event.createdAt ?? "no time"}, first shown ${shown?.time ?? "never"}`];
}

/** Of a validator that is always there, each minute with an accepted observation counts once, up to the last full hour. */
async function judgeUptime(stores: Stores, entries: readonly Accepted[]): Promise<string[]> {
  const { validators } = await readDocument(stores, "index", {});
  const observations = entries.flatMap(({ entry, accepted }) => (accepted && isObservation(entry) ? [entry] : []));
  const votes = observations.map((entry) => new Set(entry.votes.map(({ vote }) => vote)));
  const hour = observations.at(-1)?.time.slice(0, "YYYY-MM-DDTHH".length) ?? "";
  const minutes = new Set(observations.map(({ time }) => time.slice(0, "YYYY-MM-DDTHH:MM".length)));
  const full = [...minutes].filter((minute) => !minute.startsWith(hour));
  const expected = Map.groupBy(full, dayOf)
    .entries()
    .map(([date, all]) => [date, all.length]);
  const days = [...expected];
  const faults: string[] = [];
  for (const { votePubkey } of validators.filter(({ votePubkey: vote }) => votes.every((all) => all.has(vote)))) {
    const { data } = await readDocument(stores, "uptime", { votePubkey });
    const found = data.map(({ date, uptimeChecks }) => [date, uptimeChecks]);
    if (!isDeepStrictEqual(found, days)) faults.push(`uptime of ${votePubkey}: ${JSON.stringify({ found, days })}`);
  }
  return faults;
}

function isObservation(entry: Entry): entry is CheckEntry | SnapshotEntry {
  return entry.kind === "check" || entry.kind === "snapshot";
}

async function readDocument<Kind extends ObjectKind>(
  { publicStore }: Stores,
  kind: Kind,
  names: NamesOf<Kind>,
): Promise<DocumentOf<Kind>> {
  const object = await publicStore.get(toObjectKey("mainnet", kind, names));
  const document: unknown = JSON.parse(new TextDecoder().decode(object?.body));
  OBJECTS[kind].schema.parse(document);
  return document as DocumentOf<Kind>;
}
