import fc from "fast-check";
import { expect, test } from "vitest";
import { countToSuperminority } from "../../generator/documents/concentration.ts";
import type { Location } from "../../generator/ledger/records.ts";
import { ledgerOf, location, voteOf, type ValidatorFacts } from "./fixtures.ts";
import { documentOf, read } from "./read.ts";

const stakes = (...amounts: (number | bigint)[]) => amounts.map(BigInt);
const spreadOf = (...validators: ValidatorFacts[]) =>
  read(ledgerOf({ validators }), "stakeConcentration", {}).data;

/** A third of 10^19, beyond 2^53: one lamport less each is too little. */
const third = 3333n * 10n ** 15n;

test.each([
  { held: [], needs: 0 },
  { held: [0, 0], needs: 0 },
  { held: [100], needs: 1 },
  { held: [25, 25, 25, 25], needs: 2 },
  { held: [40, 30, 30], needs: 1 },
  { held: [34, 33, 33], needs: 1 },
  { held: [3334, 3333, 3333], needs: 1 },
  { held: [3333, 3333, 3332, 2], needs: 1 },
  { held: [3332, 3332, 3332, 4], needs: 2 },
  { held: Array<number>(10).fill(10), needs: 4 },
  { held: Array<number>(1000).fill(1), needs: 334 },
  { held: [third, third, 10n ** 19n - 2n * third], needs: 1 },
  { held: [third - 1n, third - 1n, third - 1n, 10n ** 19n - 3n * third + 3n], needs: 2 },
])("$needs of the entities hold 33.33 % together", ({ held, needs }) => {
  const entities = stakes(...held);
  const whole = entities.reduce((sum, lamports) => sum + lamports, 0n);
  expect(countToSuperminority(entities, whole)).toBe(needs);
});

test("stake whose entity is not known counts for the whole", () => {
  expect(countToSuperminority(stakes(30, 10), 100n)).toBe(2);
  expect(countToSuperminority(stakes(20, 10), 100n)).toBe(2);
});

test("shares of places are of the located stake, whether or not its country is known", () => {
  const { byCountry, byAsn, nakamotoCoefficients } = spreadOf(
    {
      name: "one",
      activeStake: sol(30),
      location: location({ country: "Japan", countryCode: "JP" }),
    },
    {
      name: "two",
      activeStake: sol(10),
      location: location({ country: "Chile", countryCode: "CL" }),
    },
    {
      name: "three",
      activeStake: sol(60),
      location: location({ country: null, countryCode: null, ...OVH }),
    },
    { name: "four", activeStake: sol(900) },
  );
  expect(byCountry.map(({ name, stakePercent }) => [name, stakePercent])).toEqual([
    ["Japan", 30],
    ["Chile", 10],
  ]);
  expect(byAsn.map(({ stakePercent }) => stakePercent)).toContain(60);
  expect(nakamotoCoefficients).toMatchObject({ byCountry: 2 });
});

const sol = (amount: number) => BigInt(amount) * 1_000_000_000n;
const OVH = { asn: 16276, asnOrganization: "OVH SAS", dataCenter: "OVH" };
const inParis = location({ country: "France", countryCode: "FR", city: "Paris", ...OVH });
const SPREAD: ValidatorFacts[] = [
  { name: "frankfurt", activeStake: sol(40), clientId: 1, location: location() },
  {
    name: "berlin",
    activeStake: sol(10),
    clientId: 5,
    location: location({ city: "Berlin", ...OVH }),
  },
  { name: "paris", activeStake: sol(20), clientId: 99, location: inParis },
  { name: "nowhere", activeStake: sol(30), clientId: 1, location: null },
];

test("stake is spread over places, systems, validators and clients, largest first", () => {
  const { byCountry, byDataCenter, byCity, byAsn, byValidator, byClient, summary } = spreadOf(
    ...SPREAD,
  );
  const rows = (list: typeof byCountry) =>
    list.map(
      (one) =>
        `${one.name}: ${one.validatorCount}, ${one.activeStake.sol} SOL, ${one.stakePercent} %`,
    );
  expect(rows(byCountry)).toEqual([
    "Germany: 2, 50 SOL, 71.4286 %",
    "France: 1, 20 SOL, 28.5714 %",
  ]);
  expect(rows(byDataCenter)).toEqual([
    "Hetzner: 1, 40 SOL, 57.1429 %",
    "OVH: 2, 30 SOL, 42.8571 %",
  ]);
  expect(byCity.map(({ name }) => name)).toEqual([
    "Frankfurt, Germany",
    "Paris, France",
    "Berlin, Germany",
  ]);
  expect(byAsn.map(({ name }) => name)).toEqual(["AS24940 Hetzner Online GmbH", "AS16276 OVH SAS"]);
  const names = ["frankfurt", "nowhere", "paris", "berlin"];
  expect(byValidator.map(({ name }) => name)).toEqual(names);
  expect(byValidator.map(({ votePubkey }) => votePubkey)).toEqual(names.map(voteOf));
  expect(rows(byClient)).toEqual([
    ...["Jito Labs: 2, 70 SOL, 70 %", "Unknown: 1, 20 SOL, 20 %", "Firedancer: 1, 10 SOL, 10 %"],
  ]);
  expect(summary).toEqual({
    ...{
      uniqueCountries: 2,
      uniqueDataCenters: 2,
      uniqueCities: 3,
      uniqueAsns: 2,
      uniqueClients: 3,
    },
    ...{ validatorCount: 4, totalStake: { lamports: "100000000000", sol: 100 } },
    ...{ locatedStake: { lamports: "70000000000", sol: 70 }, geoCoveragePercent: 70 },
  });
});

test("only listed validators of the set with stake count", () => {
  const others = [
    { name: "outside", activeStake: sol(500), inValidatorSet: false, location: location() },
    { name: "empty", activeStake: 0n, location: location() },
    { name: "gone", activeStake: sol(500), listed: false, location: location() },
  ];
  expect(spreadOf(...SPREAD, ...others)).toEqual(spreadOf(...SPREAD));
});

test("two cities of one name are two, two validators of one name are two, one country of two names is one", () => {
  const at = (name: string, amount: number, place: Partial<Location>) => {
    return { name, vote: voteOf(`${amount}`), activeStake: sol(amount), location: location(place) };
  };
  const { byCity, byValidator, byCountry } = spreadOf(
    at("a", 3, { city: "Paris", country: "France", countryCode: "FR" }),
    at("a", 2, { city: "Paris", country: "United States", countryCode: "US" }),
    at("b", 1, { city: "Dallas", country: "USA", countryCode: "US" }),
  );
  expect(byCity.map(({ name }) => name)).toEqual([
    "Paris, France",
    "Paris, United States",
    "Dallas, USA",
  ]);
  expect(byValidator.map(({ name }) => name)).toEqual(["a", "a", "b"]);
  expect(byCountry.map((one) => `${one.validatorCount} in ${one.name}`)).toEqual([
    "1 in France",
    "2 in United States",
  ]);
});

test("a part of a place that is not known is no entity", () => {
  const unknown = {
    country: null,
    countryCode: null,
    city: null,
    asn: null,
    asnOrganization: null,
    dataCenter: null,
  };
  const spread = spreadOf(
    { name: "one", activeStake: sol(1), location: location({ city: null, asnOrganization: null }) },
    { name: "two", activeStake: sol(9), location: { ...unknown, asn: 1 } },
  );
  expect(spread.byCity).toEqual([]);
  expect(spread.nakamotoCoefficients).toMatchObject({
    byCity: 0,
    byCountry: 1,
    byAsn: 1,
    byValidator: 1,
  });
  expect(spread.byCountry).toMatchObject([{ name: "Germany", stakePercent: 10 }]);
  expect(spread.byAsn.map(({ name }) => name)).toEqual(["AS1", "AS24940"]);
});

test("entities of equal stake are ordered by name, in code units", () => {
  const { byValidator } = spreadOf(
    ...["b", "Ä", "a", "Z"].map((name) => ({ name, location: location() })),
  );
  expect(byValidator.map(({ name }) => name)).toEqual(["Z", "a", "b", "Ä"]);
});

test.each<ValidatorFacts[][]>([
  [[]],
  [[{ name: "one" }]],
  [[{ name: "one", inValidatorSet: false, location: location() }]],
])("nothing located is no document: %j", (validators) => {
  expect(documentOf(ledgerOf({ validators }), "stakeConcentration", {})).toBeNull();
});

test("every list holds all the stake it speaks of", () => {
  const validator = fc.record({
    activeStake: fc.bigInt({ min: 1n, max: 2n ** 58n }),
    clientId: fc.option(fc.integer({ min: 0, max: 20 })),
    location: fc.constantFrom(null, ...SPREAD.flatMap((each) => each.location ?? [])),
  });
  fc.assert(
    fc.property(fc.array(validator, { minLength: 1, maxLength: 30 }), (facts) => {
      fc.pre(facts.some((each) => each.location !== null));
      const spread = spreadOf(...facts.map((each, index) => ({ ...each, name: `${index}` })));
      const { summary, byCountry, byDataCenter, byCity, byAsn, byValidator, byClient } = spread;
      const lists = { byCountry, byDataCenter, byCity, byAsn, byValidator, byClient };
      for (const [name, list] of Object.entries(lists)) {
        const whole =
          name === "byValidator" || name === "byClient" ? summary.totalStake : summary.locatedStake;
        const held = list.reduce((sum, { activeStake }) => sum + BigInt(activeStake.lamports), 0n);
        expect(held).toBe(BigInt(whole.lamports));
        const percent = list.reduce((sum, { stakePercent }) => sum + stakePercent, 0);
        expect(Math.abs(percent - 100)).toBeLessThanOrEqual(0.00005 * list.length + 1e-9);
      }
    }),
    // Thirty large stakes shrink for minutes without saying more.
    { endOnFailure: true },
  );
});
