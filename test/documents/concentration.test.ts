import fc from "fast-check";
import { expect, test } from "vitest";
import { countToSuperminority } from "../../generator/documents/concentration.ts";
import { documentOf, ledgerOf, location, type LedgerFacts, type ValidatorFacts, voteOf } from "./fixtures.ts";

const stakes = (...amounts: (number | bigint)[]) => amounts.map((amount) => ({ activeStake: BigInt(amount) }));
const concentrationOf = (facts: LedgerFacts) => documentOf(ledgerOf(facts), "stakeConcentration", {})?.data;

test.each([
  { held: [], needs: 0 },
  { held: [0, 0], needs: 0 },
  { held: [100], needs: 1 },
  { held: [25, 25, 25, 25], needs: 2 },
  { held: [40, 30, 30], needs: 1 },
  { held: [33, 33, 34].toSorted((a, b) => b - a), needs: 1 },
  { held: [3333, 3333, 3334].toSorted((a, b) => b - a), needs: 1 },
  { held: [3333, 3333, 3332, 2], needs: 1 },
  { held: [3332, 3332, 3332, 4], needs: 2 },
  { held: Array.from({ length: 10 }, () => 10), needs: 4 },
  { held: Array.from({ length: 1000 }, () => 1), needs: 334 },
])("$needs of the entities hold 33.33 % together", ({ held, needs }) => {
  expect(countToSuperminority(stakes(...held))).toBe(needs);
});

test("stakes beyond 2^53 are compared to the lamport", () => {
  const whole = 10_000n * 10n ** 15n;
  const third = 3333n * 10n ** 15n;
  expect(countToSuperminority(stakes(third, third, whole - 2n * third))).toBe(1);
  expect(countToSuperminority(stakes(third - 1n, third - 1n, third - 1n, whole - 3n * third + 3n))).toBe(2);
});

test("what the largest holds more makes the coefficient no larger", () => {
  const amount = fc.bigInt({ min: 0n, max: 2n ** 60n });
  fc.assert(
    fc.property(fc.array(amount, { minLength: 1, maxLength: 40 }), amount, (amounts, more) => {
      const [largest = 0n, ...rest] = amounts.toSorted((a, b) => Number(b > a) - Number(b < a));
      const before = countToSuperminority(stakes(largest, ...rest));
      const after = countToSuperminority(stakes(largest + more, ...rest));
      // Where nobody held anything before, one holds all now.
      expect(after).toBeLessThanOrEqual(Math.max(before, 1));
      expect(before).toBeLessThanOrEqual(amounts.length);
    }),
  );
});

const sol = (amount: number) => BigInt(amount) * 1_000_000_000n;
const SPREAD: ValidatorFacts[] = [
  { name: "frankfurt", activeStake: sol(40), clientId: 1, location: location() },
  {
    name: "berlin",
    activeStake: sol(10),
    clientId: 5,
    location: location({ city: "Berlin", asn: 16276, asnOrganization: "OVH SAS", dataCenter: "OVH" }),
  },
  {
    name: "paris",
    activeStake: sol(20),
    clientId: 99,
    location: location({
      country: "France",
      countryCode: "FR",
      city: "Paris",
      asn: 16276,
      asnOrganization: "OVH SAS",
      dataCenter: "OVH",
    }),
  },
  { name: "nowhere", activeStake: sol(30), clientId: 1, location: null },
];

test("stake is spread over places, systems, validators and clients, largest first", () => {
  const spread = concentrationOf({ validators: SPREAD });
  const rows = (
    list: { name: string; validatorCount: number; activeStake: { sol: number }; stakePercent: number }[] = [],
  ) =>
    list.map(({ name, validatorCount, activeStake, stakePercent }) => [
      name,
      validatorCount,
      activeStake.sol,
      stakePercent,
    ]);
  expect(rows(spread?.byCountry)).toEqual([
    ["Germany", 2, 50, 71.4286],
    ["France", 1, 20, 28.5714],
  ]);
  expect(rows(spread?.byDataCenter)).toEqual([
    ["Hetzner", 1, 40, 57.1429],
    ["OVH", 2, 30, 42.8571],
  ]);
  expect(rows(spread?.byCity)).toEqual([
    ["Frankfurt, Germany", 1, 40, 57.1429],
    ["Paris, France", 1, 20, 28.5714],
    ["Berlin, Germany", 1, 10, 14.2857],
  ]);
  expect(rows(spread?.byAsn)).toEqual([
    ["AS24940 Hetzner Online GmbH", 1, 40, 57.1429],
    ["AS16276 OVH SAS", 2, 30, 42.8571],
  ]);
  expect(rows(spread?.byValidator)).toEqual([
    ["frankfurt", 1, 40, 40],
    ["nowhere", 1, 30, 30],
    ["paris", 1, 20, 20],
    ["berlin", 1, 10, 10],
  ]);
  expect(rows(spread?.byClient)).toEqual([
    ["Jito Labs", 2, 70, 70],
    ["Unknown", 1, 20, 20],
    ["Firedancer", 1, 10, 10],
  ]);
});

test("the summary says how much of the stake is located", () => {
  expect(concentrationOf({ validators: SPREAD })?.summary).toEqual({
    uniqueCountries: 2,
    uniqueDataCenters: 2,
    uniqueCities: 3,
    uniqueAsns: 2,
    uniqueClients: 3,
    validatorCount: 4,
    totalStake: { lamports: "100000000000", sol: 100 },
    locatedStake: { lamports: "70000000000", sol: 70 },
    geoCoveragePercent: 70,
  });
});

test("only listed validators of the set with stake count", () => {
  const validators = [
    ...SPREAD,
    { name: "outside", activeStake: sol(500), inValidatorSet: false, location: location() },
    { name: "empty", activeStake: 0n, location: location() },
    { name: "gone", activeStake: sol(500), listed: false, location: location() },
  ];
  expect(concentrationOf({ validators })).toEqual(concentrationOf({ validators: SPREAD }));
});

test("two cities of one name are two, two validators of one name are two, one country of two names is one", () => {
  const validators = [
    {
      name: "a",
      vote: voteOf("1"),
      activeStake: sol(3),
      location: location({ city: "Paris", country: "France", countryCode: "FR" }),
    },
    {
      name: "a",
      vote: voteOf("2"),
      activeStake: sol(2),
      location: location({ city: "Paris", country: "United States", countryCode: "US" }),
    },
    {
      name: "b",
      vote: voteOf("3"),
      activeStake: sol(1),
      location: location({ city: "Dallas", country: "USA", countryCode: "US" }),
    },
  ];
  const spread = concentrationOf({ validators });
  expect(spread?.byCity.map(({ name }) => name)).toEqual(["Paris, France", "Paris, United States", "Dallas, USA"]);
  expect(spread?.byValidator.map(({ name }) => name)).toEqual(["a", "a", "b"]);
  expect(spread?.byCountry.map(({ name, validatorCount }) => [name, validatorCount])).toEqual([
    ["France", 1],
    ["United States", 2],
  ]);
});

test("a part of a place that is not known is no entity, and takes nothing from the others", () => {
  const unknown = { country: null, countryCode: null, city: null, asn: null, asnOrganization: null, dataCenter: null };
  const validators = [
    { name: "one", activeStake: sol(1), location: location({ city: null, asnOrganization: null }) },
    { name: "two", activeStake: sol(9), location: { ...unknown, asn: 1 } },
  ];
  const spread = concentrationOf({ validators });
  expect(spread?.byCity).toEqual([]);
  expect(spread?.nakamotoCoefficients).toMatchObject({ byCity: 0, byCountry: 1, byAsn: 1, byValidator: 1 });
  expect(spread?.byCountry).toMatchObject([{ name: "Germany", stakePercent: 100 }]);
  expect(spread?.byAsn.map(({ name }) => name)).toEqual(["AS1", "AS24940"]);
});

test("entities of equal stake are ordered by name, in code units", () => {
  const validators = ["b", "Ä", "a", "Z"].map((name) => ({ name, location: location() }));
  expect(concentrationOf({ validators })?.byValidator.map(({ name }) => name)).toEqual(["Z", "a", "b", "Ä"]);
});

test("nothing located is no document", () => {
  expect(concentrationOf({})).toBeUndefined();
  expect(concentrationOf({ validators: [{ name: "one" }] })).toBeUndefined();
  expect(
    concentrationOf({ validators: [{ name: "one", inValidatorSet: false, location: location() }] }),
  ).toBeUndefined();
});

test("every list holds all the stake it speaks of", () => {
  const validator = fc.record({
    activeStake: fc.bigInt({ min: 1n, max: 2n ** 58n }),
    clientId: fc.option(fc.integer({ min: 0, max: 20 })),
    place: fc.constantFrom(null, ...SPREAD.flatMap((each) => each.location ?? [])),
  });
  fc.assert(
    fc.property(fc.array(validator, { minLength: 1, maxLength: 30 }), (facts) => {
      fc.pre(facts.some(({ place }) => place !== null));
      const spread = concentrationOf({
        validators: facts.map(({ place, ...each }, index) => ({ ...each, name: `${index}`, location: place })),
      });
      if (spread === undefined) throw new Error("something is located");
      const { summary, byCountry, byDataCenter, byCity, byAsn, byValidator, byClient } = spread;
      const lists = { byCountry, byDataCenter, byCity, byAsn, byValidator, byClient };
      for (const [name, list] of Object.entries(lists)) {
        const whole = name === "byValidator" || name === "byClient" ? summary.totalStake : summary.locatedStake;
        expect(list.reduce((sum, { activeStake }) => sum + BigInt(activeStake.lamports), 0n)).toBe(
          BigInt(whole.lamports),
        );
        const percent = list.reduce((sum, { stakePercent }) => sum + stakePercent, 0);
        expect(Math.abs(percent - 100)).toBeLessThanOrEqual(0.00005 * list.length + 1e-9);
      }
    }),
    // Thirty large stakes shrink for minutes, and the first counterexample says as much.
    { endOnFailure: true },
  );
});
