import { findEntriesBehind } from "../../generator/service/explain/entries-behind.ts";
import { toEvidence } from "../../generator/service/explain/evidence.ts";
import { toExplained } from "../../generator/service/explain/event.ts";
import type { EventRecord } from "../../generator/ledger/event-record.ts";
import { timeAt } from "../story/clock.ts";
import {
  entriesOf,
  foldStory,
  inOrder,
  numbered,
  type StoryItem,
  toRulingName,
  toRulings,
} from "../story/fold.ts";

const isSeen = ({ confirmed }: EventRecord) => confirmed;

export function explainStory(items: StoryItem[], pick = isSeen): string[] {
  const { ledger } = foldStory(...items);
  const event = [...ledger.events, ...ledger.withdrawn].findLast(pick);
  if (event === undefined) throw new Error("the story has no such event");
  const all = numbered(entriesOf(inOrder(items)));
  const explained = toExplained(ledger, event);
  const { names, isWanted } = findEntriesBehind(explained, ledger);
  const read = all.filter(({ name, entry }) => names.includes(name) && isWanted(entry));
  const rulings = toRulings(items, all).map((ruling, index) => ({
    name: toRulingName(index),
    ruling,
  }));
  const kinds = new Map(all.map(({ name, entry }) => [name, entry.kind]));
  const evidence = toEvidence(explained, { read, rulings }, ledger);
  return evidence.map(({ role, name, time, readings, refused, ruling }) =>
    [
      role,
      kinds.get(name) ?? "ruling",
      Math.round((Date.parse(time) - Date.parse(timeAt(0))) / 600) / 100,
      ...readings.map(({ of, shows }) => `${of}: ${shows}`),
      ...(refused === null ? [] : [`(${refused})`]),
      ...(ruling === null ? [] : [ruling.verdict]),
    ].join(" "),
  );
}
