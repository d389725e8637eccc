import { describe, expect, it } from "vitest";
import type { Validator } from "../../generator/contract/validator.ts";
import { type Order, type Sort, SORTS, sortValidators, toMarks } from "../../public/pages/validators/sorting.ts";
import { toEvents } from "./events.ts";
import { toValidator } from "./validator.ts";

const place = { country: null, countryCode: null, city: null, dataCenter: null };

function toRanks(validators: Validator[], sort: Sort, order: Order): number[] {
  return sortValidators(validators, { sort, order }).map(({ rank }) => rank);
}

describe("all validators, sorted", () => {
  it("are by rank where stake decides, and the other way round", () => {
    const validators = [2, 3, 1].map((rank) => toValidator({ rank }));
    expect(toRanks(validators, "stake", "desc")).toEqual([1, 2, 3]);
    expect(toRanks(validators, "stake", "asc")).toEqual([3, 2, 1]);
  });

  it("have what is not known last in either order, and a commission of 0 is known", () => {
    const validators = [null, 100, 0, 7.5].map((commission, index) => toValidator({ rank: index + 1, commission }));
    expect(toRanks(validators, "commission", "desc")).toEqual([2, 4, 3, 1]);
    expect(toRanks(validators, "commission", "asc")).toEqual([3, 4, 2, 1]);
  });

  it("have names in the order of people: numbers by value, whatever the case", () => {
    const validators = ["Node 10", "node 9", null, "Ägir", "alpha"].map((name, index) =>
      toValidator({ rank: index + 1, name }),
    );
    expect(toRanks(validators, "name", "asc")).toEqual([4, 5, 2, 1, 3]);
    expect(toRanks(validators, "name", "desc")).toEqual([1, 2, 5, 4, 3]);
  });

  it("are by client and then by the number of the version", () => {
    const validators = [
      toValidator({ rank: 1, client: "Agave", version: "4.10.0" }),
      toValidator({ rank: 2, client: "Agave", version: "4.9.0" }),
      toValidator({ rank: 3, client: "Firedancer", version: "1.0.0" }),
      toValidator({ rank: 4, version: "4.0.0" }),
    ];
    expect(toRanks(validators, "client", "asc")).toEqual([2, 1, 3, 4]);
  });

  it("are by country and then by city; a place of which nothing is known is none", () => {
    const validators = [
      toValidator({ rank: 1, location: { ...place, country: "Germany", city: "Falkenstein" } }),
      toValidator({ rank: 2, location: { ...place, country: "France", city: "Roubaix" } }),
      toValidator({ rank: 3, location: place }),
      toValidator({ rank: 4, location: { ...place, country: "Germany", city: "Berlin" } }),
      toValidator({ rank: 5 }),
    ];
    expect(toRanks(validators, "location", "asc")).toEqual([2, 4, 1, 3, 5]);
  });

  it("have those first that are delinquent for longest", () => {
    const validators = [
      toValidator({ rank: 1 }),
      toValidator({ rank: 2, delinquent: true, delinquentSince: "2026-10-02T00:00:00.000Z" }),
      toValidator({ rank: 3, delinquent: true }),
      toValidator({ rank: 4, delinquent: true, delinquentSince: "2026-10-01T00:00:00.000Z" }),
      toValidator({ rank: 5 }),
    ];
    expect(toRanks(validators, "delinquent", "desc")).toEqual([4, 2, 3, 1, 5]);
    expect(toRanks(validators, "delinquent", "asc")).toEqual([1, 5, 3, 2, 4]);
  });

  it("are by how many changes their marks count", () => {
    const validators = [toValidator({ rank: 1 }), toValidator({ rank: 2 }), toValidator({ rank: 3 })];
    const marks = toMarks(toEvents({ votePubkey: "vote 3" }, { votePubkey: "vote 3" }, { votePubkey: "vote 2" }));
    const ranks = sortValidators(validators, { sort: "changes", order: "desc" }, marks).map(({ rank }) => rank);
    expect(ranks).toEqual([3, 2, 1]);
  });

  it("keep the order of rank among equals, both ways", () => {
    const validators = [3, 1, 2].map((rank) => toValidator({ rank, name: "same", commission: 5 }));
    for (const sort of SORTS.filter((sort) => sort !== "stake"))
      for (const order of ["asc", "desc"] as const) expect(toRanks(validators, sort, order), sort).toEqual([1, 2, 3]);
  });
});
