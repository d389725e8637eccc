import fc from "fast-check";
import { expect, test } from "vitest";
import type { ObjectReference } from "../../generator/contract/objects.ts";
import { allReferences, touchedReferences } from "../../generator/documents/references.ts";
import { createRenderer } from "../../generator/documents/render.ts";
import type { Entry } from "../../generator/entries/entry.ts";
import { fold } from "../../generator/ledger/fold.ts";
import { createLedger, type Ledger } from "../../generator/ledger/ledger.ts";
import { isCostly, isNoParquet, isTurnOfCostly } from "../documents/rendered.ts";
import { oddStory } from "./odd-stories.ts";
import { named } from "./story.ts";

test("every document that an entry changes, makes or takes away is among those it touched", () => {
  fc.assert(
    fc.property(oddStory, (entries) => {
      let before = new Map<string, string>();
      let costlyBefore = new Map<string, string>();
      const toldSince = new Set<string>();
      for (const { index, ledger, touched } of foldEach(entries)) {
        const told = touchedReferences(ledger, touched).map(toKey);
        for (const key of told) toldSince.add(key);
        const after = renderAll(ledger, (reference) => !isCostly(reference));
        expectAmong(new Set(told), changedBetween(before, after));
        before = after;
        if (!isTurnOfCostly(index, entries)) continue;
        const costlyAfter = renderAll(ledger, isCostly);
        expectAmong(toldSince, changedBetween(costlyBefore, costlyAfter));
        costlyBefore = costlyAfter;
        toldSince.clear();
      }
    }),
    { numRuns: 80 },
  );
});

test("updatedAt moves when, and only when, another field of the list item but rank and stakePercent does", () => {
  fc.assert(
    fc.property(oddStory, (entries) => {
      let before = new Map<string, Item>();
      for (const { ledger, time } of foldEach(entries)) {
        const after = renderItems(ledger);
        for (const [vote, item] of after) {
          const held = before.get(vote);
          if (held === undefined) continue;
          const isSame = held.rest === item.rest;
          expect(item.updatedAt, `${held.rest}\n${item.rest}`).toBe(isSame ? held.updatedAt : time);
        }
        before = after;
      }
    }),
    { numRuns: 100 },
  );
});

function changedBetween(before: ReadonlyMap<string, string>, after: ReadonlyMap<string, string>): string[] {
  return [...before.keys(), ...after.keys()].filter((key) => before.get(key) !== after.get(key));
}

function expectAmong(told: ReadonlySet<string>, changed: readonly string[]): void {
  expect(changed.filter((key) => !told.has(key))).toEqual([]);
}

function* foldEach(entries: readonly Entry[]) {
  let ledger = createLedger("mainnet");
  for (const [index, entry] of entries.entries()) {
    const folded = fold(ledger, named(entry));
    ledger = folded.ledger;
    yield { index, ledger, touched: folded.touched, time: entry.time };
  }
}

function renderAll(ledger: Ledger, isWanted: (reference: ObjectReference) => boolean): Map<string, string> {
  const { render } = createRenderer(ledger);
  const decoder = new TextDecoder();
  return new Map(
    allReferences(ledger)
      .filter((reference) => isNoParquet(reference) && isWanted(reference))
      .flatMap((reference) => {
        const bytes = render(reference);
        return bytes === null ? [] : [[toKey(reference), decoder.decode(bytes)] as const];
      }),
  );
}

function toKey({ kind, names }: ObjectReference): string {
  const parts: unknown[] = Object.values(names);
  return [kind, ...parts].join(" ");
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
      { updatedAt, rest: JSON.stringify({ ...item, rank: 0, stakePercent: 0 }) },
    ]),
  );
}
