import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { SEARCH_MAX_RESULTS, type SearchResult } from "../../../generator/contract/search.ts";
import { search, toSearchTable } from "../../../proxy/cache/search-table.ts";
import { makeIndex, makeUnlisted, makeValidator } from "../fixtures.ts";

/** Few letters, so that texts are found in many names; one with two lower-case forms, one whose case changes its length. */
const LETTERS = ["a", "A", "b", "1", " ", "Σ", "ß", "é"];
const text = (sizes: { minLength: number; maxLength: number }) =>
  fc.array(fc.constantFrom(...LETTERS), sizes).map((letters) => letters.join(""));

const NAMES = fc.array(fc.option(text({ minLength: 0, maxLength: 6 })), { minLength: 0, maxLength: 60, size: "max" });

describe("the search table", () => {
  it("finds what looking at every row finds, in the same order", () => {
    fc.assert(
      fc.property(NAMES, fc.nat(60), text({ minLength: 2, maxLength: 4 }), (names, listedCount, wanted) => {
        const index = toIndex(names, listedCount);
        const table = toSearchTable(index);
        expect(read(search(table, wanted))).toEqual(searchByHand([index.validators, index.unlisted], wanted));
      }),
      { numRuns: 150 },
    );
  });

  it.each([
    ["two letters that all names have", "Mark", "ar"],
    ["a key that is searched for whole", null, makeUnlisted(70).votePubkey],
    ["a text longer than every name and key", "Mark", "x".repeat(100)],
    ["a text of two lines, as a name and its key are kept", "Mark", `mark\n${makeUnlisted(7).votePubkey}`],
  ])("finds by hand and by table the same: %s", (_, name, wanted) => {
    const index = toIndex(new Array<string | null>(90).fill(name), 60);
    const found = read(search(toSearchTable(index), wanted));
    expect(found).toEqual(searchByHand([index.validators, index.unlisted], wanted));
    expect(found.length).toBeLessThanOrEqual(SEARCH_MAX_RESULTS);
  });
});

function toIndex(names: readonly (string | null)[], listedCount: number) {
  const validators = names.slice(0, listedCount).map((name, place) => makeValidator(place + 1, { name }));
  const unlisted = names.slice(listedCount).map((name, place) => makeUnlisted(validators.length + place + 1, { name }));
  return makeIndex({ validators, unlisted });
}

function read({ count, items }: { count: number; items: Uint8Array }): string[] {
  const results = JSON.parse(`[${new TextDecoder().decode(items)}]`) as SearchResult[];
  expect(results).toHaveLength(count);
  return results.map(({ votePubkey }) => votePubkey);
}

/** The rules of the search, without any haste. */
function searchByHand(groups: readonly (readonly SearchResult[])[], wanted: string): string[] {
  const text = fold(wanted);
  const found = groups.flatMap((rows) => {
    const folded = rows.map(({ name, votePubkey }) => ({ votePubkey, texts: [fold(name ?? ""), fold(votePubkey)] }));
    const exact = folded.filter(({ texts }) => texts.includes(text));
    const beginning = folded.filter((row) => !exact.includes(row) && row.texts.some((one) => one.startsWith(text)));
    const part = folded.filter(
      (row) => !exact.includes(row) && !beginning.includes(row) && row.texts.some((one) => one.includes(text)),
    );
    return [...exact, ...beginning, ...part];
  });
  return found.slice(0, SEARCH_MAX_RESULTS).map(({ votePubkey }) => votePubkey);
}

function fold(one: string): string {
  return one.toUpperCase().toLowerCase();
}
