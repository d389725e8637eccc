import { expect } from "vitest";
import { FORMS } from "../../generator/contract/forms.ts";
import { OBJECTS, toObjectKey, type ObjectReference } from "../../generator/contract/objects.ts";
import { allReferences, touchedReferences } from "../../generator/documents/references.ts";
import { createRenderer } from "../../generator/documents/render.ts";
import type { Entry } from "../../generator/entries/entry.ts";
import { fold } from "../../generator/ledger/fold.ts";
import { createLedger, type Ledger } from "../../generator/ledger/ledger.ts";
import { named } from "../ledger/story.ts";
import { readDocument } from "./fixtures.ts";

/** Feeds cost far more than all else together: all of them are looked at after each so many entries. */
const COSTLY_EVERY = 8;

/** Answers the objects of one state of a ledger by key, each byte as a character; those there are not are left out. */
export type RenderAgain = (references: readonly ObjectReference[]) => [key: string, text: string][];

/**
 * Renders each object once, however often it is asked for: a story has thousands. But for Parquet: it is named wherever the
 * CSV of the same table is, and holds the same (exports.test.ts).
 */
export function createRenderAgain(ledger: Ledger): RenderAgain {
  const { render } = createRenderer(ledger);
  const rendered = new Map<string, string | null>();
  return (references) =>
    references.filter(isNoParquet).flatMap((reference) => {
      const key = toObjectKey(ledger.network, reference.kind, reference.names);
      const text = rendered.get(key) ?? toText(render(reference));
      rendered.set(key, text);
      return text === null ? [] : [[key, text]];
    });
}

/**
 * Folds a story and expects after each entry that the documents, had only those been rendered that the entry touched, were
 * those of rendering all of them; of the costly ones now and then, and at the end. Then each has the shape of its kind.
 */
export function expectTouchedToSuffice(entries: readonly Entry[]): Ledger {
  let ledger = createLedger("mainnet");
  const published = new Map<string, string>();
  for (const [index, entry] of entries.entries()) {
    const folded = fold(ledger, named(entry));
    ledger = folded.ledger;
    const render = createRenderAgain(ledger);
    for (const [key, text] of render(touchedReferences(ledger, folded.touched))) published.set(key, text);
    const isTurn = isTurnOfCostly(index, entries);
    const all = allReferences(ledger).filter((reference) => isTurn || !isCostly(reference));
    for (const [key, text] of render(all)) expect(published.get(key), key).toBe(text);
  }
  const renderer = createRenderer(ledger);
  for (const reference of allReferences(ledger)) {
    const bytes = renderer.render(reference);
    if (bytes !== null) expect(readDocument(reference.kind, bytes)).toBeDefined();
  }
  return ledger;
}

/** Whether the costly objects are looked at after the entry at this place. */
export function isTurnOfCostly(index: number, { length }: readonly Entry[]): boolean {
  return (index + 1) % COSTLY_EVERY === 0 || index === length - 1;
}

export function isCostly({ kind }: ObjectReference): boolean {
  return FORMS[OBJECTS[kind].form].folder === FORMS.atomFeed.folder;
}

export function isNoParquet({ kind }: ObjectReference): boolean {
  return OBJECTS[kind].form !== "parquet";
}

function toText(bytes: Uint8Array | null): string | null {
  return bytes && Buffer.from(bytes).toString("latin1");
}
