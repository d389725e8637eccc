import { namesBehind } from "../../generator/service/explain/entry-names.ts";
import { toEvidence } from "../../generator/service/explain/evidence.ts";
import { toExplained } from "../../generator/service/explain/event.ts";
import type { CheckEntry, CheckRow, Entry, PanelRow, SnapshotEntry } from "../../generator/entries/entry.ts";
import type { EventRecord } from "../../generator/ledger/event-record.ts";
import { endpointOf } from "../ledger/panel-story.ts";
import { keyOf, named, tell, timeAt, toListing, toSilentWitness } from "../ledger/story.ts";

const isSeen = ({ confirmed }: EventRecord) => confirmed;

export function explainStory(entries: Entry[], pick = isSeen): string[] {
  const { ledger } = tell(...entries);
  const event = [...ledger.events, ...ledger.withdrawn].findLast(pick);
  if (event === undefined) throw new Error("the story has no such event");
  const all = entries.map(named).sort((a, b) => (a.name < b.name ? -1 : 1));
  const explained = toExplained(ledger, event);
  const wanted = new Set(
    namesBehind(
      all.map(({ name }) => name),
      explained,
      ledger,
    ),
  );
  const evidence = toEvidence(
    explained,
    all.filter(({ name }) => wanted.has(name)),
    ledger,
  );
  return evidence.map(({ role, name, time, readings, refused, ruling }) =>
    [
      role,
      name.split("-").at(-2),
      Math.round((Date.parse(time) - Date.parse(timeAt(0))) / 600) / 100,
      ...readings.map(({ of, shows }) => `${of}: ${shows}`),
      ...(refused === null ? [] : [`(${refused})`]),
      ...(ruling === null ? [] : [ruling.verdict]),
    ].join(" "),
  );
}

/** What a witness's list shows of A. */
export type Listed = number | { percent: number } | "lacks" | "silent";

/** The same observation by several witnesses, the first of whom lists A as the entry does. */
export function byWitnesses<Observation extends CheckEntry | SnapshotEntry>(
  entry: Observation,
  lists: readonly Listed[],
): Observation {
  const panel = [null, ...lists].map((listed, witness) => toWitness(entry, { listed, witness }));
  return { ...entry, endpoint: endpointOf(0), panel };
}

/** @param by.listed null: as the entry does */
function toWitness(
  { slot, epoch, votes }: CheckEntry | SnapshotEntry,
  { listed, witness }: { listed: Listed | null; witness: number },
): PanelRow {
  const endpoint = endpointOf(witness);
  if (listed === "silent") return toSilentWitness(endpoint);
  const lacks = listed === "lacks" ? [keyOf("A")] : [];
  const own = votes.find(({ vote }) => vote === keyOf("A"));
  const rows = listed === null || listed === "lacks" || own === undefined ? [] : [toRow(own, listed)];
  const listing = toListing(endpoint, { slot, epoch });
  return { ...listing, list: listing.list && { ...listing.list, lacks, rows } };
}

function toRow({ vote, delinquent, activeStake }: CheckRow, listed: number | { percent: number }) {
  const basisPoints = typeof listed === "number" ? listed : null;
  const percent = typeof listed === "number" ? null : listed.percent;
  return {
    vote,
    basisPoints,
    percent,
    delinquent,
    activeStake,
    identity: keyOf("identity of A"),
    inValidatorSet: true,
  };
}
