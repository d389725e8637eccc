import { describe, expect, it } from "vitest";
import { readServerTime, startDating } from "../../generator/rpc/clock.ts";
import { EPOCH_INFO } from "../observe/cluster.ts";
import { createClock } from "../observe/fixtures.ts";
import { entryOf, observe, reasonOf, SMALL } from "../observe/observing.ts";
import { CLOCK } from "./rpc-server.ts";

const SECOND = 1_000;
const MINUTE = 60 * SECOND;

const clock = createClock();
const off = (milliseconds: number) => ({ [CLOCK]: () => clock.now() + milliseconds });
const options = { now: clock.now, timer: clock.now, sleep: clock.sleep };

describe("the clock of this machine", () => {
  it.each([
    ["14 min ahead of", -14 * MINUTE],
    ["14 min behind", 14 * MINUTE],
    ["60 min ahead of", -60 * MINUTE],
    ["2 min behind", 2 * MINUTE + SECOND],
  ])(
    "is found to be %s that of the only endpoint, and nothing is observed by it",
    async (found, milliseconds) => {
      const { observer, nodes } = await observe([off(milliseconds)], options);
      const reason = `${nodes[0]?.url ?? ""}#0 getEpochInfo: this machine's clock is ${found} the endpoint's`;
      expect(reasonOf(await observer.check())).toContain(reason);
      expect(reasonOf(await observer.snapshot(SMALL))).toContain(reason);
    },
  );

  it.each([
    ["one that is two minutes ahead", [off(2 * MINUTE)], "#0"],
    ["one that is nearly two minutes behind", [off(-2 * MINUTE + SECOND)], "#0"],
    ["the second, where the first's own clock is wrong", [off(-20 * MINUTE), off(0)], "#1"],
    ["one that gives no time, beside one that gives another", [off(-20 * MINUTE), {}], "#1"],
  ])("agrees with %s", async (_, nodes, position) => {
    const { observer } = await observe(nodes, options);
    expect(entryOf(await observer.check()).endpoint).toContain(position);
  });

  it("is named for each endpoint where all of them differ", async () => {
    const { observer } = await observe([off(-20 * MINUTE), off(-20 * MINUTE)], options);
    const reason = /#0 getEpochInfo: .*20 min ahead.*#1 getEpochInfo: .*20 min ahead/;
    expect(reasonOf(await observer.check())).toMatch(reason);
  });

  it("dates nothing when the machine slept while it observed", async () => {
    let slept = 0;
    const asleep = { now: () => clock.now() + slept, timer: clock.now, sleep: clock.sleep };
    const node = {
      [CLOCK]: asleep.now,
      getEpochInfo: () => {
        queueMicrotask(() => (slept = 59 * MINUTE));
        return EPOCH_INFO;
      },
    };
    const { observer } = await observe([node], asleep);
    expect(reasonOf(await observer.check())).toContain("59 min behind the endpoint's");
    await expect(observer.check()).resolves.toMatchObject({ passed: true });
  });
});

describe("an observation's date", () => {
  const dating = startDating({ now: () => 10 * MINUTE, timer: () => 0 });

  it.each<[number, string | null]>([
    [8 * MINUTE - 1, "2 min ahead of the endpoint's"],
    [8 * MINUTE, null],
    [10 * MINUTE, null],
    [10 * MINUTE + 40 * SECOND, null],
    [12 * MINUTE + 40 * SECOND, null],
    [12 * MINUTE + 40 * SECOND + 1, "2 min behind the endpoint's"],
  ])(
    "agrees with an answer of 40 s made at most two minutes before or after it: at %i ms %s",
    (serverTime, said) => {
      const judge = () => dating.assertAgrees({ serverTime, sentAt: 0, receivedAt: 40 * SECOND });
      if (said === null) expect(judge).not.toThrow();
      else expect(judge).toThrow(said);
    },
  );
});

it.each([
  [{ date: "Fri, 20 Nov 2026 12:00:00 GMT" }, 0],
  [{ date: "Fri, 20 Nov 2026 12:00:00 GMT", age: "300" }, 300 * SECOND],
  [{ date: "Fri, 20 Nov 2026 12:00:00 GMT", age: "soon" }, 0],
  [{ date: "Friday, 20-Nov-26 12:00:00 GMT" }, 0],
  [{ date: "Fri Nov 20 12:00:00 2026" }, 0],
  [{ date: "2026" }, NaN],
  [{}, NaN],
  [{ date: "yesterday" }, NaN],
])("the server's time by %j counts a cache's age", (headers, later) => {
  const time = Date.UTC(2026, 10, 20, 12) + later;
  expect(readServerTime(headers)).toBe(Number.isNaN(time) ? null : time);
});
