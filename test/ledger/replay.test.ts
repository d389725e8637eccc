import fc from "fast-check";
import { expect, test } from "vitest";
import { allReferences } from "../../generator/documents/references.ts";
import { createRenderer } from "../../generator/documents/render.ts";
import {
  listCheckpoints,
  loadCheckpoint,
  saveCheckpoint,
} from "../../generator/journal/checkpoints.ts";
import type { Entry } from "../../generator/entries/entry.ts";
import { foldEntry } from "../../generator/service/projection/fold-entry.ts";
import { createLedger, FOLD_VERSION, type Ledger } from "../../generator/ledger/ledger.ts";
import { createRenderAgain } from "../documents/rendered.ts";
import { openMemoryStore } from "../../generator/store/memory.ts";
import { numberOf } from "../../generator/journal/names.ts";
import { entriesOf, foldInSteps, numbered } from "../story/fold.ts";
import { oddStory } from "../story/random/stories.ts";
import { SOAK } from "../soak/soak.ts";

test("a ledger that was kept as a checkpoint and read back goes on to the same documents and the same ledger", async () => {
  await fc.assert(
    fc.asyncProperty(oddStory, fc.nat(), async (items, cut) => {
      const entries = entriesOf(items);
      const half = 1 + (cut % entries.length);
      const kept = foldAll(createLedger("mainnet"), entries.slice(0, half));
      const resumed = foldAll(await keepAndRead(kept), entries.slice(half));
      const whole = foldAll(createLedger("mainnet"), entries);
      expect(resumed).toEqual(whole);
      expect(renderAll(resumed)).toEqual(renderAll(whole));
    }),
    { numRuns: 6 * SOAK },
  );
});

test("the order of the rows in an answer changes no document", () => {
  fc.assert(
    fc.property(oddStory, (items) => {
      const entries = entriesOf(items);
      const forwards = foldAll(createLedger("mainnet"), entries);
      expect(renderAll(foldAll(createLedger("mainnet"), entries, backwards))).toEqual(
        renderAll(forwards),
      );
    }),
    { numRuns: 6 * SOAK },
  );
});

test("updatedAt moves when, and only when, a field of the list item does that is observed and no rank or share", () => {
  fc.assert(
    fc.property(oddStory, (items) => {
      let before = new Map<string, Item>();
      for (const { ledger, entry } of foldInSteps(createLedger("mainnet"), items)) {
        const after = renderItems(ledger);
        for (const [vote, item] of after) {
          const held = before.get(vote);
          if (held === undefined) continue;
          const isSame = held.rest === item.rest;
          expect(item.updatedAt, `${held.rest}\n${item.rest}`).toBe(
            isSame ? held.updatedAt : entry.time,
          );
        }
        before = after;
      }
    }),
    { numRuns: 6 * SOAK },
  );
});

/** @param change of an entry, but not of its number and hash */
function foldAll(
  ledger: Ledger,
  entries: readonly Entry[],
  change = (entry: Entry) => entry,
): Ledger {
  const named = numbered(entries, numberOf(ledger.position?.name ?? null));
  return named.reduce(
    (before, one) => foldEntry(before, { ...one, entry: change(one.entry) }).ledger,
    ledger,
  );
}

async function keepAndRead(ledger: Ledger): Promise<Ledger> {
  const place = { store: openMemoryStore(), network: "mainnet" as const, series: 1 };
  await saveCheckpoint(place, { ledger, foldVersion: FOLD_VERSION, digest: "0".repeat(32) });
  const [head] = await listCheckpoints(place, { foldVersion: FOLD_VERSION });
  const loaded = await loadCheckpoint<Ledger>(place, { head: head!, foldVersion: FOLD_VERSION });
  if ("unreadable" in loaded) throw new Error(loaded.unreadable);
  return loaded.ledger;
}

const renderAll = (ledger: Ledger) => new Map(createRenderAgain(ledger)(allReferences(ledger)));

const ROWS = new Set([
  ...[
    "votes",
    "absent",
    "accounts",
    "validators",
    "nodes",
    "info",
    "production",
    "stakeAccounts",
    "locations",
  ],
  ...["mev", "priorityFees", "value", "rows", "unclear", "panel", "list", "lacks"],
]);

function backwards(entry: Entry): Entry {
  // Their rows refer to each other by index.
  if (entry.kind === "transactions") return entry;
  return turn(entry) as Entry;
}

function turn(rows: unknown): unknown {
  if (Array.isArray(rows)) return rows.every(isAnswer) ? rows.map(turn) : rows.toReversed();
  if (typeof rows !== "object" || rows === null) return rows;
  return Object.fromEntries(
    Object.entries(rows).map(([name, part]) => [name, ROWS.has(name) ? turn(part) : part]),
  );
}

/** A witness's: its place is the witness's. */
function isAnswer(row: unknown): boolean {
  return typeof row === "object" && row !== null && "endpoint" in row;
}

interface Item {
  updatedAt: string | null;
  rest: string;
}

/** Computed from more than the validator's own row. */
const NOT_OBSERVED = {
  rank: 0,
  stakePercent: 0,
  appliedCommission: null,
  nextAppliedCommission: null,
  appliedCommissions: null,
  mevCommission: null,
  pattern: null,
  verdict: null,
  verdictReason: null,
};

function renderItems(ledger: Ledger): Map<string, Item> {
  const bytes = createRenderer(ledger).render({ kind: "index", names: {} });
  const index = JSON.parse(new TextDecoder().decode(bytes ?? undefined)) as {
    validators: ({
      votePubkey: string;
      updatedAt: string | null;
      rank: number;
      stakePercent: number;
    } & object)[];
  };
  return new Map(
    index.validators.map(({ updatedAt, ...item }) => [
      item.votePubkey,
      { updatedAt, rest: JSON.stringify({ ...item, ...NOT_OBSERVED }) },
    ]),
  );
}
