import { expect, it } from "vitest";
import { toBlocks, toSpans } from "../../public/pages/api/Prose.tsx";

it("makes headings, paragraphs and code of what the description says", () => {
  expect(toBlocks("One `a` two.\n\n## Limits\n\n\nThree.\n")).toEqual([
    {
      kind: "paragraph",
      spans: [
        { kind: "text", text: "One " },
        { kind: "code", text: "a" },
        { kind: "text", text: " two." },
      ],
    },
    { kind: "heading", spans: [{ kind: "text", text: "Limits" }] },
    { kind: "paragraph", spans: [{ kind: "text", text: "Three." }] },
  ]);
});

it("shows everything else as it is written", () => {
  expect(toSpans("<b>2 * 3</b> and a lone ` tick")).toEqual([{ kind: "text", text: "<b>2 * 3</b> and a lone ` tick" }]);
  expect(toBlocks("")).toEqual([]);
});
