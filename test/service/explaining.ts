import { namesBehind } from "../../generator/service/explain/entry-names.ts";
import { toEvidence } from "../../generator/service/explain/evidence.ts";
import { toExplained } from "../../generator/service/explain/event.ts";
import type { Entry } from "../../generator/entries/entry.ts";
import type { EventRecord } from "../../generator/ledger/event-record.ts";
import { timeAt } from "../story/clock.ts";
import { named, foldStory, inOrder } from "../story/fold.ts";

const isSeen = ({ confirmed }: EventRecord) => confirmed;

export function explainStory(entries: Entry[], pick = isSeen): string[] {
  const { ledger } = foldStory(...entries);
  const event = [...ledger.events, ...ledger.withdrawn].findLast(pick);
  if (event === undefined) throw new Error("the story has no such event");
  const all = inOrder(entries).map(named);
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
