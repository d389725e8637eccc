import { isDeepStrictEqual } from "node:util";
import type { CommissionEvent } from "../../generator/contract/event.ts";
import {
  OBJECTS,
  toObjectKey,
  type DocumentOf,
  type NamesOf,
  type ObjectKind,
} from "../../generator/contract/objects.ts";
import { dayOf } from "../../generator/journal/names.ts";
import type { CheckEntry, Entry, SnapshotEntry } from "../../generator/ledger/entry.ts";
import { openStores, type Stores } from "./forked-store.ts";
import type { Traces } from "./rivals.ts";
import { startProcess } from "./process.ts";

const STATUS_KEY = toObjectKey("mainnet", "status", {});

/** What is looked at of an event: what it says, not which observation happened to show it first. */
export type Told = Pick<
  CommissionEvent,
  "id" | "votePubkey" | "source" | "severity" | "epoch" | "fromCommission" | "toCommission"
>;

/** Everything that is wrong with what generators left behind, each a line; none: all is well. */
export async function findFaults(traces: Traces, expected: { events: Told[]; now: number }): Promise<string[]> {
  const rebuilt = await rebuild(traces.stores, expected.now);
  const { events } = await readDocument(traces.stores, "index", {});
  const kept = new Set(rebuilt.entries.map(({ name }) => name));
  return [
    ...traces.complaints.map((reason) => `a last run complained: ${reason}`),
    ...traces.appended.filter((name) => !kept.has(name)).map((name) => `${name} was appended and is lost`),
    ...compareSites(traces.stores, rebuilt.stores),
    ...compareEvents(events, expected.events),
    ...events.flatMap((event) => judgeCreation(event, rebuilt.entries)),
    ...(await judgeUptime(traces.stores, rebuilt.entries)),
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

/** Everything from the journal alone, into stores that hold nothing else. */
async function rebuild(from: Stores, now: number): Promise<{ stores: Stores; entries: Accepted[] }> {
  const isOfJournal = (key: string) => !/^(?:manifest|lease|checkpoints)\//.test(key);
  const stores = { ...openStores(), stateStore: from.stateStore.fork(isOfJournal) };
  const offline = () => Promise.reject(new Error("a rebuild observes nothing"));
  const observer = { check: offline, snapshot: offline, confirm: offline, close: () => Promise.resolve() };
  const { station, ...process } = await startProcess({ ...stores, observer, now: () => now, holder: "rebuild" });
  const outcomes = await station.keeper.refresh();
  await process.publish();
  const { names } = await station.journal.names();
  const entries: Accepted[] = [];
  for await (const read of station.journal.read(names)) {
    if (!("entry" in read)) throw new Error(`${read.name}: ${read.unreadable}`);
    entries.push({ ...read, accepted: outcomes.get(read.name)?.accepted === true });
  }
  return { stores, entries };
}

function compareSites(found: Stores, expected: Stores): string[] {
  const [ours, theirs] = [found.publicStore.etags(), expected.publicStore.etags()];
  const keys = [...new Set([...ours.keys(), ...theirs.keys()])].filter((key) => key !== STATUS_KEY);
  return keys.filter((key) => ours.get(key) !== theirs.get(key)).map((key) => `${key} is not as a rebuild makes it`);
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
