import { expect, it } from "vitest";
import { judgeClock } from "../../../generator/service/doctor/clock.ts";
import { CLOCK } from "../../rpc/rpc-server.ts";
import { examineNodes, judge, told, wellNode } from "./node.ts";

const NOW = Date.UTC(2026, 10, 20, 12);

/** By endpoints whose Date headers say that we are so far ahead (null: no header). */
async function judgeOf(ahead: (number | null)[], age: number | null = 15_000): Promise<string> {
  const getBlockTime = age === null ? undefined : (NOW - age) / 1000;
  const nodes = ahead.map((off) => ({
    ...wellNode({ getBlockTime }),
    // Half a second further on average.
    ...(off !== null && { [CLOCK]: () => NOW - off - 500 }),
  }));
  return told(judgeClock("mainnet", judge(await examineNodes(nodes, () => NOW)).panel.usable));
}

it.each<[(number | null)[], RegExp]>([
  [[4_500], /^ok clock: 4\.\d s ahead of the endpoints, 15\.0 s after the newest finalized block$/],
  [[9_500], /^warning clock: 9\.\d s ahead of .* → Set this machine's clock by NTP/],
  [[-60_500], /^problem clock: 6\d\.\d s behind the endpoints/],
  [[500, -900_500, 500], /^ok /],
  [[500, null, 90_500, 90_500], /^problem clock: 9\d\.\d s ahead/],
  [[null], /^ok clock: no endpoint tells its time, 15\.0 s after/],
])("%j ms ahead of the endpoints is judged by most of them", async (ahead, expected) => {
  expect(await judgeOf(ahead)).toMatch(expected);
});

it.each<[number | null, RegExp]>([
  [35_000, /^ok clock: .*, 35\.0 s after the newest finalized block$/],
  [36_000, /^warning .*, 36\.0 s after .* → .* mainnet or its endpoint stands still/],
  [91_000, /^problem /],
  [-4_000, /^ok .*, 4\.0 s behind the newest finalized block$/],
  [-6_000, /^warning /],
  [-61_000, /^problem /],
  [null, /^ok clock: no endpoint tells its time$/],
])("a newest finalized block %s ms ago is judged: finality takes half a minute at most", async (age, expected) => {
  expect(await judgeOf([null], age)).toMatch(expected);
});
