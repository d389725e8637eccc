import fc from "fast-check";
import { expect, test } from "vitest";
import { allReferences } from "../../generator/documents/references.ts";
import { createRenderer } from "../../generator/documents/render.ts";
import { fold } from "../../generator/ledger/fold.ts";
import { createLedger } from "../../generator/ledger/ledger.ts";
import { named } from "../ledger/story.ts";
import { readDocument } from "./fixtures.ts";
import { anyStory } from "./made-up-stories.ts";
import { expectTouchedToSuffice } from "./rendered.ts";

test("rendering only what an entry touched leaves the bytes of rendering everything", () => {
  fc.assert(
    fc.property(anyStory, (entries) => {
      expectTouchedToSuffice(entries);
    }),
    { numRuns: 60 },
  );
});

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
