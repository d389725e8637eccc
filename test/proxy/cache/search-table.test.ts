import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { SEARCH_MAX_RESULTS, type SearchResult } from "../../../generator/contract/search.ts";
import { search, toSearchTable } from "../../../proxy/cache/search-table.ts";
import { makeIndex, makeUnlisted, makeValidator } from "../fixtures.ts";

/**
 * Few letters, so many names match; one with two
 * lower-case forms, one whose case changes its length.
 */
const LETTERS = ["a", "A", "b", "1", " ", "Σ", "ß", "é"];
const text = (sizes: { minLength: number; maxLength: number }) =>
  fc.array(fc.constantFrom(...LETTERS), sizes).map((letters) => letters.join(""));
const NAMES = fc.array(fc.option(text({ minLength: 0, maxLength: 6 })), {
  minLength: 0,
  maxLength: 60,
  size: "max",
});

/** Finds what the table must find, in the same order, by looking at every row. */
function expectSame(names: readonly (string | null)[], listedCount: number, wanted: string): void {
  const validators = names
    .slice(0, listedCount)
    .map((name, place) => makeValidator(place + 1, { name }));
  const unlisted = names
    .slice(listedCount)
    .map((name, place) => makeUnlisted(validators.length + place + 1, { name }));
  const found = search(toSearchTable(makeIndex({ validators, unlisted })), wanted);
  const keys = found.map((json) => (JSON.parse(json) as SearchResult).votePubkey);
  expect(keys).toEqual(searchByHand([validators, unlisted], wanted));
}

/** The rules of the search, without any haste. */
function searchByHand(groups: readonly (readonly SearchResult[])[], wanted: string): string[] {
  // The engine's own case folding.
  const rules = [`^${wanted}$`, `^${wanted}`, wanted].map((pattern) => new RegExp(pattern, "iu"));
  const found = groups.flatMap((rows) =>
    rules.flatMap((rule) =>
      rows.filter(({ name, votePubkey, identityPubkey }) =>
        [name ?? "", votePubkey, identityPubkey ?? ""].some((one) => rule.test(one)),
      ),
    ),
  );
  return [...new Set(found.map(({ votePubkey }) => votePubkey))].slice(0, SEARCH_MAX_RESULTS);
}

describe("the search table", () => {
  it("finds what looking at every row finds, in the same order", () => {
    fc.assert(fc.property(NAMES, fc.nat(60), text({ minLength: 2, maxLength: 4 }), expectSame), {
      numRuns: 150,
    });
  });

  it.each([
    ["two letters that all names have", "Mark", "ar"],
    ["a key that is searched for whole", null, makeUnlisted(70).votePubkey],
    ["an identity that is searched for whole", null, makeValidator(7).identityPubkey ?? ""],
    [
      "the beginning of an identity, in other letters",
      "Mark",
      makeValidator(7).identityPubkey?.slice(0, 9).toLowerCase() ?? "",
    ],
    ["a text longer than every name and key", "Mark", "x".repeat(100)],
    [
      "a text of two lines, as a name and its key are kept",
      "Mark",
      `mark\n${makeUnlisted(7).votePubkey}`,
    ],
  ])("finds by hand and by table the same: %s", (_, name, wanted) => {
    expectSame(new Array<string | null>(90).fill(name), 60, wanted);
  });
});
