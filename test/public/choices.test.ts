import { afterEach, describe, expect, it, vi } from "vitest";
import { readVotes } from "../../public/format/url.ts";
import { addStake, toZoned } from "../../public/format/values.ts";
import { countSeverities, isToBlame, toPlaceText } from "../../public/pages/compare/compared.ts";
import {
  getWatched,
  keepWatched,
  toWatchlistAddress,
  WATCHED_MAX,
} from "../../public/parts/watchlist.ts";
import { toEvents } from "./told.ts";

const [ONE, TWO] = ["1".repeat(32), "2".repeat(44)];

describe("a watchlist", () => {
  afterEach(() => vi.unstubAllGlobals());

  it("reads vote accounts from an address, each once, and nothing else", () => {
    expect(readVotes(`${ONE},${TWO},${ONE},,0OIl,<b>,${ONE.repeat(2)}`, 4)).toEqual([ONE, TWO]);
    expect(readVotes(`${ONE},${TWO}`, 1)).toEqual([ONE]);
    expect(readVotes(undefined, 4)).toEqual([]);
  });

  it("is kept by network, in the browser where that is allowed, and in the address", () => {
    const kept = new Map<string, string>();
    vi.stubGlobal("localStorage", {
      setItem: (key: string, value: string) => kept.set(key, value),
    });
    keepWatched("testnet", [ONE, TWO]);
    expect([...kept.values()]).toEqual([`${ONE},${TWO}`]);
    vi.stubGlobal("localStorage", undefined);
    const many = Array.from({ length: WATCHED_MAX + 3 }, (_, index) => String(index));
    keepWatched("mainnet", many);
    expect(getWatched("mainnet")).toHaveLength(WATCHED_MAX);
    expect(getWatched("testnet")).toEqual([ONE, TWO]);
    expect(toWatchlistAddress("testnet")).toBe(`/watchlist?votes=${ONE}%2C${TWO}&network=testnet`);
    expect(toWatchlistAddress("alpenglow")).toBe("/watchlist?network=alpenglow");
  });
});

describe("a comparison", () => {
  it("counts changes by severity, the worst first, steps in place of what they make", () => {
    const events = toEvents({}, { severity: "RUG" }, {}, { severity: "RUG", replacedBy: "step" });
    const counted = countSeverities(events).map(({ severity, count }) => `${severity} ${count}`);
    expect(counted).toEqual(["RUG 1", "INFO 2"]);
  });

  it("tells a place by what is known of it", () => {
    const place = { city: "Roubaix", country: null, countryCode: null, dataCenter: "OVH" };
    expect(toPlaceText(place)).toBe("Roubaix, OVH");
    expect(toPlaceText({ ...place, city: null, dataCenter: null })).toBeNull();
    expect(toPlaceText(null)).toBeNull();
  });
});

it.each([
  [330, "2026-11-21 04:45 UTC+05:30"],
  [-180, "2026-11-20 20:15 UTC−03:00"],
  [0, "2026-11-20 23:15 UTC+00:00"],
])("a time is told by a clock %i minutes ahead of UTC", (offset, text) => {
  expect(toZoned("2026-11-20T23:15:59.000Z", offset)).toBe(text);
});

it("stake is added to the lamport", () => {
  expect(addStake(["9007199254740993", "1"])).toBe("9007199254740994");
  expect(addStake([])).toBe("0");
});

describe("a rate in a comparison is to blame", () => {
  it.each<[string, Parameters<typeof isToBlame>[0], boolean]>([
    ["nearly everything", { level: "bad", rate: 90, before: null }, true],
    ["nearly everything, as before", { level: "caution", rate: 95, before: 95 }, true],
    ["a rise", { level: "caution", rate: 21, before: 20 }, true],
    ["not the same as now", { level: "bad", rate: 20, before: 20 }, false],
    ["not less than now", { level: "bad", rate: 5, before: 100 }, false],
    ["not below 90 %, where that is paid", { level: "bad", rate: 89.99, before: null }, false],
    ["not a rise beside a good verdict", { level: "good", rate: 6, before: 5 }, false],
    ["not what nobody knows", { level: "bad", rate: null, before: 5 }, false],
  ])("%s", (_, of, expected) => {
    expect(isToBlame(of)).toBe(expected);
  });
});
