import { expect } from "vitest";
import { FORMS } from "../../generator/contract/forms.ts";
import { toObjectKey } from "../../generator/contract/object-keys.ts";
import { OBJECTS, type ObjectReference } from "../../generator/contract/objects.ts";
import { allReferences, touchedReferences } from "../../generator/documents/references.ts";
import { createRenderer } from "../../generator/documents/render.ts";
import { createLedger, type Ledger } from "../../generator/ledger/ledger.ts";
import { entriesOf, foldInSteps, type StoryItem } from "../story/fold.ts";
import { readDocument } from "./read.ts";

/** Feeds cost more than all else, so they are compared only after this many entries. */
const COSTLY_EVERY = 8;

/**
 * A ledger's objects by key, one character a byte; null: none.
 * Memoised. Leaves out Parquet, which equals its CSV (exports.test.ts).
 */
export function createRenderAgain(ledger: Ledger) {
  const { render } = createRenderer(ledger);
  const rendered = new Map<string, string | null>();
  return (references: readonly ObjectReference[]): [key: string, text: string | null][] =>
    references
      .filter(({ kind }) => OBJECTS[kind].form !== "parquet")
      .map((reference) => {
        const key = toObjectKey(ledger.network, reference.kind, reference.names);
        const held = rendered.get(key);
        const text = held === undefined ? toText(render(reference)) : held;
        rendered.set(key, text);
        return [key, text];
      });
}

/**
 * Folds a story and expects after each entry that rendering only the touched documents
 * equals rendering all; costly ones now and then. At the end checks their schemas.
 */
export function expectTouchedToSuffice(items: readonly StoryItem[]): Ledger {
  let ledger = createLedger("mainnet");
  // What is published first is all.
  const published = new Map(createRenderAgain(ledger)(allReferences(ledger)));
  let left = entriesOf(items).length;
  for (const folded of foldInSteps(ledger, items)) {
    ledger = folded.ledger;
    left -= 1;
    const render = createRenderAgain(ledger);
    for (const [key, text] of render(touchedReferences(ledger, folded.touched)))
      published.set(key, text);
    const isTurnOfCostly = left % COSTLY_EVERY === 0;
    const all = new Map(
      render(allReferences(ledger).filter((one) => isTurnOfCostly || !isCostly(one))),
    );
    for (const [key, text] of all) expect(published.get(key) ?? null, key).toBe(text);
    if (!isTurnOfCostly) continue;
    const gone = [...published]
      .filter(([key, text]) => text !== null && !all.has(key))
      .map(([key]) => key);
    expect(gone, "what there is no more").toEqual([]);
  }
  const { render } = createRenderer(ledger);
  for (const reference of allReferences(ledger)) {
    const bytes = render(reference);
    if (bytes !== null) expect(readDocument(reference.kind, bytes)).toBeDefined();
  }
  return ledger;
}

function isCostly({ kind }: ObjectReference): boolean {
  return FORMS[OBJECTS[kind].form].folder === FORMS.atomFeed.folder;
}

function toText(bytes: Uint8Array | null): string | null {
  return bytes && Buffer.from(bytes).toString("latin1");
}
