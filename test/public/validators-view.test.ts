import { describe, expect, it } from "vitest";
import * as contract from "../../generator/contract/search.ts";
import * as search from "../../public/pages/validators/Search.tsx";
import { isByRank, readView, toOrderParameters, toSortParameters } from "../../public/pages/validators/view.ts";

describe("the view of the list of validators", () => {
  it("is the first page by stake where the address says nothing, or nothing that it knows", () => {
    const usual = { page: 1, limit: 50, sort: "stake", order: "desc" };
    expect(readView({})).toEqual(usual);
    expect(readView({ page: "0", limit: "1000", sort: "luck", order: "up" })).toEqual(usual);
    expect(isByRank(readView({}))).toBe(true);
  });

  it("is what the address says", () => {
    const view = readView({ page: "7", limit: "100", sort: "name", order: "desc" });
    expect(view).toEqual({ page: 7, limit: 100, sort: "name", order: "desc" });
    expect(isByRank(view)).toBe(false);
    expect(isByRank(readView({ order: "asc" }))).toBe(false);
  });

  it("sorts by another column from what people look for first, and the other way round when asked again", () => {
    expect(toSortParameters(readView({}), "commission")).toEqual({ sort: "commission", order: null, page: null });
    expect(toSortParameters(readView({ sort: "commission" }), "commission")).toMatchObject({ order: "asc" });
    expect(toSortParameters(readView({ sort: "commission", order: "asc" }), "commission")).toMatchObject({
      order: null,
    });
    expect(toSortParameters(readView({}), "stake")).toEqual({ sort: null, order: "asc", page: null });
  });

  it("leaves its defaults out of the address, and reads back what it wrote", () => {
    expect(toOrderParameters("stake", "desc")).toEqual({ sort: null, order: null, page: null });
    const { sort, order } = toOrderParameters("name", "desc");
    expect(readView({ sort: sort ?? "", order: order ?? "" })).toMatchObject({ sort: "name", order: "desc" });
  });
});

describe("what is searched for", () => {
  it("has the bounds of the API", () => {
    expect(search.SEARCH_MIN_CODE_POINTS).toBe(contract.SEARCH_MIN_CODE_POINTS);
    expect(search.SEARCH_MAX_CODE_POINTS).toBe(contract.SEARCHED_MAX_CODE_POINTS);
  });

  it("is trimmed, composed and counted by code points", () => {
    expect(search.toSearched("  labs ")).toBe("labs");
    expect(search.toSearched("Z\u0061\u0308")).toBe("Z\u00e4");
    expect(search.toSearched("\u{1F9CA}\u{1F9CA}")).toBe("\u{1F9CA}\u{1F9CA}");
    for (const text of ["", "a", " a ", "\u{1F9CA}", "\u0061\u0308", "x".repeat(101)])
      expect(search.toSearched(text), text).toBeNull();
  });
});
