import { gzipSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import type { Concentration } from "../../generator/contract/stats.ts";
import { toByEpochText } from "../../public/pages/concentration/ByEpoch.tsx";
import { createFindShare } from "../../public/pages/concentration/countries.ts";
import { toStopSentence, toUnknownText } from "../../public/pages/concentration/ranking.ts";
import { readWorld } from "../../public/vite-world.config.ts";

const MAP_BYTES_MAX = 30_000;

const share = (name: string) => ({
  name,
  validatorCount: 1,
  activeStake: { lamports: "1", sol: 0 },
  stakePercent: 1,
});

it("the map of the world is small, and stays in its box but for what crosses the date line", async () => {
  const world = await readWorld();
  expect(gzipSync(JSON.stringify(world)).byteLength).toBeLessThan(MAP_BYTES_MAX);
  expect(world.countries.length).toBeGreaterThan(170);
  for (const { name, path } of world.countries) {
    expect(path, name).toMatch(/^(?:M-?\d+ -?\d+(?:l-?\d+[ -]\d+)+z)+$/);
    const steps = path.matchAll(/l(-?\d+)/g);
    for (const [, step] of steps)
      expect(Math.abs(Number(step)), name).toBeLessThan(world.width / 4);
  }
});

it.each([
  ["United States", "United States of America"],
  ["The Netherlands", "Netherlands"],
  ["Singapore", "Singapore"],
  ["Hong Kong", "Hong Kong"],
  ["Türkiye", "Turkey"],
  ["Turkey", "Turkey"],
  ["Czech Republic", "Czechia"],
  ["Republic of Lithuania", "Lithuania"],
])("the map has a place for %s", async (name, outline) => {
  const { countries, dots } = await readWorld();
  expect([...countries, ...dots].map((each) => each.name)).toContain(outline);
  expect(createFindShare([share(name)])(outline)?.name).toBe(name);
  expect(createFindShare([share(name)])("Nowhere")).toBeNull();
});

const SUMMARY = {
  uniqueCountries: 1,
  uniqueDataCenters: 1,
  uniqueCities: 0,
  uniqueAsns: 0,
  uniqueClients: 0,
  validatorCount: 1,
  totalStake: { lamports: "1", sol: 0 },
  geoCoveragePercent: 100,
};

describe("who could stop the network, told in a sentence", () => {
  const COUNTS = {
    byCountry: 2,
    byDataCenter: 3,
    byCity: 4,
    byAsn: 5,
    byClient: 6,
    byValidator: 20,
  } as const;
  const SOME = [share("A")];

  const told = (counts: Partial<Record<keyof typeof COUNTS, number>>, of = SOME, located = 1) =>
    toStopSentence({
      ...{ byCountry: of, byDataCenter: of, byCity: of, byAsn: of, byClient: of },
      byValidator: of as unknown as Concentration["byValidator"],
      summary: { ...SUMMARY, locatedStake: { lamports: String(located), sol: 0 } },
      nakamotoCoefficients: { ...COUNTS, ...counts },
    });

  it.each([
    [{}, "Two countries could stop the network."],
    [{ byClient: 1 }, "One client could stop the network."],
    [{ byValidator: 1 }, "One validator could stop the network."],
    [
      { byDataCenter: 1, byAsn: 1, byClient: 1 },
      "One data center, autonomous system or client could stop the network.",
    ],
    [{ byCity: 2 }, "Two countries or cities could stop the network."],
    [
      { byCountry: 12, byDataCenter: 12, byCity: 12, byAsn: 12, byClient: 11 },
      "11 clients could stop the network.",
    ],
  ])("names the fewest of all, %j: %s", (counts, text) => expect(told(counts)).toBe(text));

  it("leaves out of what too little is known", () => {
    expect(told({}, [])).toBeNull();
    // The place of the others is not known; of clients and validators all is.
    expect(told({}, SOME, 4)).toBe("Six clients could stop the network.");
    expect(told({ byClient: 1, byValidator: 1 }, [share("Unknown")], 4)).toBe(
      "One validator could stop the network.",
    );
  });
});

it.each([
  [[20], null],
  [[20, null, 19], "By validator: 20 in epoch 7, 19 in epoch 9."],
  [[20, 24, 19], "By validator: 20 in epoch 7, 19 in epoch 9, 19 to 24 between."],
  [[20, 20, 20], "By validator: 20 in every epoch from 7 to 9."],
])("how the coefficient of validators went, %j, is told in a line", (counts, text) => {
  const rows = counts.map((nakamotoCoefficient, at) => ({ epoch: 7 + at, nakamotoCoefficient }));
  expect(toByEpochText(rows)).toBe(text);
});

it.each([
  [true, 100, 96.79, "The located stake is 96.79 % of all stake."],
  [
    true,
    83.8,
    96.79,
    "The located stake is 96.79 % of all stake. The country of 16.20 % of it is not known.",
  ],
  [true, 83.8, 100, "The country of the other 16.20 % is not known."],
  [true, 100, 100, null],
  [false, 100, 96.79, null],
])(
  "what is not known of the stake is one sentence (a place: %j, known: %d, located: %d)",
  (isOfPlaces, known, geoCoveragePercent, text) =>
    expect(
      toUnknownText({ one: "country", isOfPlaces }, known, { geoCoveragePercent })?.replaceAll(
        "\u00a0",
        " ",
      ) ?? null,
    ).toBe(text),
);
