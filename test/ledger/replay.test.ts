import fc from "fast-check";
import { expect, test } from "vitest";
import { allReferences } from "../../generator/documents/references.ts";
import { createRenderer } from "../../generator/documents/render.ts";
import { listCheckpoints, loadCheckpoint, saveCheckpoint } from "../../generator/journal/checkpoints.ts";
import type { Entry } from "../../generator/entries/entry.ts";
import { fold } from "../../generator/ledger/fold.ts";
import { createLedger, FOLD_VERSION, type Ledger } from "../../generator/ledger/ledger.ts";
import { openMemoryStore } from "../../generator/store/memory.ts";
import { oddStory } from "./odd-stories.ts";
import { named } from "./story.ts";

test("a ledger that was kept as a checkpoint and read back goes on to the same documents and the same ledger", async () => {
  await fc.assert(
    fc.asyncProperty(oddStory, fc.nat(), async (entries, cut) => {
      const half = 1 + (cut % entries.length);
      const kept = foldAll(createLedger("mainnet"), entries.slice(0, half));
      const resumed = foldAll(await keepAndRead(kept), entries.slice(half));
      const whole = foldAll(createLedger("mainnet"), entries);
      expect(resumed).toEqual(whole);
      expect(renderAll(resumed)).toEqual(renderAll(whole));
    }),
    { numRuns: 100 },
  );
});

test("the order of the rows in an answer changes no document", () => {
  fc.assert(
    fc.property(oddStory, (entries) => {
      const told = foldAll(createLedger("mainnet"), entries);
      const toldBackwards = foldAll(createLedger("mainnet"), entries, backwards);
      expect(renderAll(toldBackwards)).toEqual(renderAll(told));
    }),
    { numRuns: 100 },
  );
});

test("updatedAt moves when, and only when, a field of the list item does that is observed and no rank or share", () => {
  fc.assert(
    fc.property(oddStory, (entries) => {
      let ledger = createLedger("mainnet");
      let before = new Map<string, Item>();
      for (const entry of entries) {
        ledger = fold(ledger, named(entry)).ledger;
        const after = renderItems(ledger);
        for (const [vote, item] of after) {
          const held = before.get(vote);
          if (held === undefined) continue;
          const isSame = held.rest === item.rest;
          expect(item.updatedAt, `${held.rest}\n${item.rest}`).toBe(isSame ? held.updatedAt : entry.time);
        }
        before = after;
      }
    }),
    { numRuns: 100 },
  );
});

/** @param tell changes an entry, but not its name */
function foldAll(ledger: Ledger, entries: readonly Entry[], tell = (entry: Entry) => entry): Ledger {
  return entries.reduce((held, entry) => fold(held, { name: named(entry).name, entry: tell(entry) }).ledger, ledger);
}

async function keepAndRead(ledger: Ledger): Promise<Ledger> {
  const place = { store: openMemoryStore(), network: "mainnet" as const, series: 1 };
  await saveCheckpoint(place, { ledger, foldVersion: FOLD_VERSION, digest: "0".repeat(32) });
  const [head] = await listCheckpoints(place, { foldVersion: FOLD_VERSION, fromDay: null });
  const loaded = await loadCheckpoint<Ledger>(place, { head: head!, foldVersion: FOLD_VERSION });
  if ("unreadable" in loaded) throw new Error(loaded.unreadable);
  return loaded.ledger;
}

function renderAll(ledger: Ledger): Map<string, string> {
  const { render } = createRenderer(ledger);
  const texts = allReferences(ledger).map((reference) => {
    const bytes = render(reference);
    return [JSON.stringify(reference), bytes === null ? "" : new TextDecoder().decode(bytes)] as const;
  });
  return new Map(texts.sort(([a], [b]) => (a < b ? -1 : 1)));
}

function backwards(entry: Entry): Entry {
  if (entry.kind === "ruling") return entry;
  if (entry.kind === "history") return { ...entry, validators: entry.validators.toReversed() };
  // Its rows refer to each other by index.
  if (entry.kind === "transactions") return entry;
  if (entry.kind === "confirm" && "answers" in entry) return entry;
  if (entry.kind === "confirm")
    return { ...entry, accounts: entry.accounts.toReversed(), tips: entry.tips.toReversed() };
  if (entry.kind === "check") return { ...entry, votes: entry.votes.toReversed() };
  return {
    ...entry,
    votes: entry.votes.toReversed(),
    absent: entry.absent.toReversed(),
    nodes: inSection(entry.nodes, (rows) => rows.toReversed()),
    info: inSection(entry.info, (rows) => rows.toReversed()),
    locations: inSection(entry.locations, (rows) => rows.toReversed()),
    production: inSection(entry.production, ({ rows }) => ({ rows: rows.toReversed() })),
    stakeAccounts: inSection(entry.stakeAccounts, (scan) => ({ ...scan, rows: scan.rows.toReversed() })),
    mev: inSection(entry.mev, ({ rows }) => ({ rows: rows.toReversed() })),
    tips: inSection(entry.tips, ({ rows }) => ({ rows: rows.toReversed() })),
    closedMev: inSection(entry.closedMev, (list) => ({ ...list, rows: list.rows.toReversed() })),
    closedTips: inSection(entry.closedTips, (list) =>
      "rows" in list ? { ...list, rows: list.rows.toReversed() } : list,
    ),
  };
}

type Section<Value> =
  { state: "ok"; value: Value } | { state: "failed"; reason: string } | { state: "skipped"; off: boolean };

function inSection<Value>(section: Section<Value>, turn: (value: Value) => Value): Section<Value> {
  return section.state === "ok" ? { state: "ok", value: turn(section.value) } : section;
}

interface Item {
  updatedAt: string | null;
  rest: string;
}

function renderItems(ledger: Ledger): Map<string, Item> {
  const bytes = createRenderer(ledger).render({ kind: "index", names: {} });
  const index = JSON.parse(new TextDecoder().decode(bytes ?? undefined)) as {
    validators: ({ votePubkey: string; updatedAt: string | null; rank: number; stakePercent: number } & object)[];
  };
  return new Map(
    index.validators.map(({ updatedAt, ...item }) => [
      item.votePubkey,
      {
        updatedAt,
        rest: JSON.stringify({ ...item, rank: 0, stakePercent: 0, appliedCommission: null, pattern: null }),
      },
    ]),
  );
}
