import fc from "fast-check";
import { expect, test } from "vitest";
import { allReferences, touchedReferences } from "../../generator/documents/references.ts";
import { createRenderer } from "../../generator/documents/render.ts";
import { fold } from "../../generator/ledger/fold.ts";
import { createLedger } from "../../generator/ledger/ledger.ts";
import { named } from "../ledger/story.ts";
import { readDocument } from "./fixtures.ts";
import { anyStory } from "./made-up-stories.ts";
import { createRenderAgain } from "./rendered.ts";

test("rendering only what an entry touched leaves the bytes of rendering everything", () => {
  fc.assert(
    fc.property(anyStory, (entries) => {
      let ledger = createLedger("mainnet");
      const published = new Map<string, string>();
      for (const entry of entries) {
        const folded = fold(ledger, named(entry));
        ledger = folded.ledger;
        const render = createRenderAgain(ledger);
        for (const [key, text] of render(touchedReferences(ledger, folded.touched))) published.set(key, text);
        for (const [key, text] of render(allReferences(ledger))) expect(published.get(key), key).toBe(text);
      }
    }),
    { numRuns: 200 },
  );
}, 120_000);

test("every document of a told story has the shape of its kind", () => {
  fc.assert(
    fc.property(anyStory, (entries) => {
      let ledger = createLedger("mainnet");
      for (const entry of entries) ledger = fold(ledger, named(entry)).ledger;
      const renderer = createRenderer(ledger);
      for (const reference of allReferences(ledger)) {
        const bytes = renderer.render(reference);
        if (bytes !== null) expect(readDocument(reference.kind, bytes)).toBeDefined();
      }
    }),
    { numRuns: 50 },
  );
});
