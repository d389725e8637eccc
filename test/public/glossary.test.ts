import glossary from "virtual:glossary";
import tooltips from "virtual:tooltips";
import { describe, expect, it } from "vitest";
import { GROUPS } from "../../public/pages/glossary/groups.ts";
import { TERMS } from "../../public/parts/terms.ts";

/** About five lines on a narrow screen. */
const TOOLTIP_MAX = 160;

describe("the glossary", () => {
  it("is in the order of the alphabet, each term with an anchor of its own and a text", () => {
    const names = glossary.map(({ name }) => name);
    expect(names).toEqual(names.toSorted((one, other) => one.localeCompare(other, "en")));
    expect(new Set(glossary.map(({ anchor }) => anchor)).size).toBe(names.length);
    for (const { anchor, nodes } of glossary) {
      expect(anchor).toMatch(/^[a-z-]+$/);
      expect(nodes[0]).toMatchObject({ type: "paragraph" });
    }
  });

  it.each(TERMS)("has «%s», which the site explains in one short sentence", (term) => {
    expect(glossary.map(({ name, anchor }) => [name, anchor])).toContainEqual([
      term,
      tooltips[term].anchor,
    ]);
    expect(tooltips[term].text).toMatch(/^[A-Z].*\.$/);
    expect(tooltips[term].text.length).toBeLessThanOrEqual(TOOLTIP_MAX);
  });

  it("shows each term in one group, and no other", () => {
    const grouped = GROUPS.flatMap(({ terms }) => terms);
    expect(grouped.toSorted()).toEqual(glossary.map(({ name }) => name).toSorted());
  });

  it("gives the pages no more than these sentences", () =>
    expect(Object.keys(tooltips)).toEqual([...TERMS]));
});
