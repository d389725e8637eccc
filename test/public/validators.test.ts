import { describe, expect, it } from "vitest";
import * as contract from "../../generator/contract/search.ts";
import type { Validator } from "../../generator/contract/validator.ts";
import * as search from "../../public/parts/Search.tsx";
import { toRates } from "../../public/parts/PaidThenNext.tsx";
import { findKeeping } from "../../generator/contract/keeping.ts";
import { isWithin, readFilter } from "../../public/pages/validators/filter.ts";
import { SORTS, sortValidators } from "../../public/pages/validators/sorting.ts";
import type { Order, Sort } from "../../public/pages/validators/sorting.ts";
import {
  isByRank,
  readView,
  toOrderParameters,
  toSortParameters,
} from "../../public/pages/validators/view.ts";
import { toValidator } from "./told.ts";

describe("all validators, sorted", () => {
  const place = { country: null, countryCode: null, city: null, dataCenter: null };
  const germany = { ...place, country: "Germany" };
  const since = (day: number) => ({
    delinquent: true,
    delinquentSince: `2026-10-0${day}T00:00:00.000Z`,
  });
  const toRanks = (validators: Validator[]) => validators.map(({ rank }) => rank);

  it.each<[string, Sort, Partial<Validator>[], Partial<Record<Order, number[]>>]>([
    ["stake decides", "stake", [{}, {}, {}], { desc: [1, 2, 3], asc: [3, 2, 1] }],
    [
      "what is not known comes last in either order, and 0 is known",
      "commission",
      [{ commission: null }, { commission: 100 }, { commission: 0 }, { commission: 7.5 }],
      { desc: [2, 4, 3, 1], asc: [3, 4, 2, 1] },
    ],
    [
      "what is paid now counts, whatever is announced",
      "applied",
      [
        { commission: 0, appliedCommission: 100 },
        { commission: 9 },
        { commission: 5, appliedCommission: 5 },
      ],
      { desc: [1, 3, 2], asc: [3, 1, 2] },
    ],
    [
      "the worst verdict is the most",
      "verdict",
      [{ verdict: "good" }, { verdict: "unknown" }, { verdict: "bad" }, { verdict: "caution" }],
      { desc: [3, 4, 1, 2], asc: [1, 4, 3, 2] },
    ],
    [
      "names are in the order of people: numbers by value, whatever the case",
      "name",
      [
        { name: "Node 10" },
        { name: "node 9" },
        { name: null },
        { name: "Ägir" },
        { name: "alpha" },
      ],
      { asc: [4, 5, 2, 1, 3], desc: [1, 2, 5, 4, 3] },
    ],
    [
      "clients go before the numbers of versions",
      "client",
      [
        { client: "Agave", version: "4.10.0" },
        { client: "Agave", version: "4.9.0" },
        { client: "Firedancer", version: "1.0.0" },
        { version: "4.0.0" },
      ],
      { asc: [2, 1, 3, 4] },
    ],
    [
      "countries go before cities, and an empty place is none",
      "location",
      [
        { location: { ...germany, city: "Falkenstein" } },
        { location: { ...place, country: "France", city: "Roubaix" } },
        { location: place },
        { location: { ...germany, city: "Berlin" } },
        {},
      ],
      { asc: [2, 4, 1, 3, 5] },
    ],
    [
      "delinquent for longest is the most",
      "delinquent",
      [{}, since(2), { delinquent: true }, since(1), {}],
      { desc: [4, 2, 3, 1, 5], asc: [1, 5, 3, 2, 4] },
    ],
  ])("%s", (_, sort, told, expected) => {
    const validators = told
      .map((one, index) => toValidator({ ...one, rank: index + 1 }))
      .toReversed();
    for (const [order, ranks] of Object.entries(expected) as [Order, number[]][])
      expect(toRanks(sortValidators(validators, { sort, order }))).toEqual(ranks);
  });

  it("keep the order of rank among equals, both ways", () => {
    const validators = [3, 1, 2].map((rank) => toValidator({ rank, name: "same", commission: 5 }));
    const ways = SORTS.filter((sort) => sort !== "stake").flatMap((sort) => [
      { sort, order: "asc" as const },
      { sort, order: "desc" as const },
    ]);
    for (const way of ways)
      expect(toRanks(sortValidators(validators, way)), way.sort).toEqual([1, 2, 3]);
  });
});

const NO_STAKE = { lamports: "0", sol: 0 };

describe("the validators that one wants", () => {
  const rates = { commission: 5, appliedCommission: 5, nextAppliedCommission: 5, mevCommission: 8 };
  const activeStake = { lamports: "1", sol: 0 };
  const one = toValidator({
    rank: 1,
    verdict: "good",
    mevVendorEnabled: true,
    activeStake,
    ...rates,
  });

  it.each<[Record<string, string>, Partial<Validator>, boolean]>([
    [{}, {}, true],
    [{ verdict: "good,caution" }, {}, true],
    [{ verdict: "bad" }, {}, false],
    [{ verdict: "luck" }, {}, true],
    [{ commissionMax: "5" }, {}, true],
    [{ commissionMax: "4", appliedMin: "1" }, {}, false],
    [{ appliedMin: "6" }, {}, false],
    ...["NaN", "1e1", "-1", "5.5", "101"].map(
      (appliedMin): [Record<string, string>, Partial<Validator>, boolean] => [
        { appliedMin },
        {},
        true,
      ],
    ),
    [{ commissionMax: "5" }, { appliedCommission: 95.5 }, false],
    [{ commissionMax: "5" }, { nextAppliedCommission: 100 }, false],
    [{ commissionMax: "5" }, { commission: 10 }, false],
    [{ commissionMax: "5" }, { appliedCommission: null }, true],
    [{ commissionMax: "100" }, { commission: null }, false],
    [{ commissionMax: "-1" }, { commission: 100 }, true],
    [{ mevMax: "8" }, {}, true],
    [{ mevMax: "5" }, {}, false],
    [{ mevMax: "5" }, { mevCommission: null }, false],
    [{ mevMax: "0" }, { mevCommission: null, mevVendorEnabled: false }, true],
    [{ appliedMin: "90" }, {}, false],
    [{ appliedMin: "90" }, { appliedCommission: 90 }, true],
    [{ appliedMin: "90" }, { appliedCommission: null }, false],
    [{ appliedMin: "90" }, { nextAppliedCommission: 100, commission: 100 }, false],
    [{ appliedMin: "90" }, { appliedCommission: 100, activeStake: NO_STAKE }, false],
    [{ mevMin: "90" }, { appliedCommission: 100 }, false],
    [{ mevMin: "90" }, { mevCommission: 100 }, true],
    [{ mevMin: "90" }, { mevCommission: null }, false],
    [{ mevMin: "90" }, { mevCommission: 100, activeStake: NO_STAKE }, false],
  ])("with %j and %j: %j", (query, changes, isWanted) => {
    expect(isWithin({ ...one, ...changes }, readFilter(query))).toBe(isWanted);
  });

  it("with 90 % or more are exactly those that the front page counts", () => {
    const all = [null, 0, 89.99, 90, 100].flatMap((rate) =>
      [NO_STAKE, activeStake].flatMap((stake) => [
        { ...one, activeStake: stake, appliedCommission: rate },
        { ...one, activeStake: stake, mevCommission: rate },
      ]),
    );
    const count = (query: Record<string, string>) =>
      all.filter((validator) => isWithin(validator, readFilter(query))).length;
    const { inflation, mev } = findKeeping(all);
    expect([inflation.validators, mev.validators]).toEqual([2, 2]);
    expect([count({ appliedMin: "90" }), count({ mevMin: "90" })]).toEqual([2, 2]);
  });
});

describe("what a row says of inflation commission", () => {
  it.each<[(number | null)[], ReturnType<typeof toRates>]>([
    [
      [5, 5, 5],
      [5, null],
    ],
    [
      [95.5, 5, 5],
      [95.5, 5],
    ],
    [
      [5, 100, 5],
      [5, 100],
    ],
    [
      [5, 5, 100],
      [5, 100],
    ],
    [
      [5, null, 100],
      [5, 100],
    ],
    [
      [null, null, 10],
      [10, null],
    ],
    [
      [0, 0, 0],
      [0, null],
    ],
    [[null, null, null], null],
  ])("is, paid, next and announced being %j: %j", ([paid, next, announced], told) => {
    const rates = {
      appliedCommission: paid!,
      nextAppliedCommission: next!,
      commission: announced!,
    };
    expect(toRates(rates)).toEqual(told);
  });
});

describe("the view of the list", () => {
  const usual = { page: 1, limit: 50, sort: "stake", order: "desc" };

  it.each([
    [{}, usual, true],
    [{ page: "0", limit: "1000", sort: "luck", order: "up" }, usual, true],
    [{ order: "asc" }, { ...usual, order: "asc" }, false],
    [
      { page: "7", limit: "100", sort: "name" },
      { ...usual, page: 7, limit: 100, sort: "name", order: "asc" },
      false,
    ],
  ])("of %j is %j", (query, view, isRanked) => {
    expect(readView(query)).toEqual(view);
    expect(isByRank(readView(query))).toBe(isRanked);
  });

  it("sorts by another column from what people look for first, and the other way round when asked again", () => {
    const page = null;
    expect(toSortParameters(readView({}), "commission")).toEqual({
      sort: "commission",
      order: null,
      page,
    });
    expect(toSortParameters(readView({ sort: "commission" }), "commission")).toMatchObject({
      order: "asc",
    });
    const again = toSortParameters(readView({ sort: "commission", order: "asc" }), "commission");
    expect(again).toMatchObject({ order: null });
    expect(toSortParameters(readView({}), "stake")).toEqual({ sort: null, order: "asc", page });
  });

  it("leaves its defaults out of the address, and reads back what it wrote", () => {
    expect(toOrderParameters("stake", "desc")).toEqual({ sort: null, order: null, page: null });
    const { sort, order } = toOrderParameters("name", "desc");
    expect(readView({ sort: sort ?? "", order: order ?? "" })).toMatchObject({
      sort: "name",
      order: "desc",
    });
  });
});

describe("what is searched for", () => {
  it("has the bounds of the API", () => {
    expect(search.SEARCH_MIN_CODE_POINTS).toBe(contract.SEARCH_MIN_CODE_POINTS);
    expect(search.SEARCH_MAX_CODE_POINTS).toBe(contract.SEARCHED_MAX_CODE_POINTS);
  });

  it("is trimmed, composed and counted by code points", () => {
    const texts = ["  labs ", "Z\u0061\u0308", "\u{1F9CA}\u{1F9CA}"];
    expect(texts.map(search.toSearched)).toEqual(["labs", "Z\u00e4", "\u{1F9CA}\u{1F9CA}"]);
    for (const text of ["", "a", " a ", "\u{1F9CA}", "\u0061\u0308", "x".repeat(101)])
      expect(search.toSearched(text), text).toBeNull();
  });
});
