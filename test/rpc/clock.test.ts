import { describe, expect, it } from "vitest";
import { startDating } from "../../generator/rpc/clock.ts";
import { EPOCH_INFO } from "../observe/cluster.ts";
import { createClock } from "../observe/fixtures.ts";
import { entryOf, observe, reasonOf } from "../observe/observing.ts";
import { CLOCK } from "./rpc-server.ts";

const SECOND = 1_000;
const MINUTE = 60 * SECOND;

const clock = createClock();
/** A node whose clock is so far from ours; a minus: behind. */
const off = (milliseconds: number) => ({ [CLOCK]: () => clock.now() + milliseconds });
const options = { now: clock.now, timer: clock.now, sleep: clock.sleep };

describe("the clock of this machine", () => {
  it.each([
    ["14 min ahead of", -14 * MINUTE],
    ["14 min behind", 14 * MINUTE],
    ["60 min ahead of", -60 * MINUTE],
    ["2 min behind", 2 * MINUTE + SECOND],
  ])("is found to be %s that of the only endpoint, and nothing is observed by it", async (found, milliseconds) => {
    const { observer, nodes } = await observe([off(milliseconds)], options);
    const reason = `${nodes[0]?.url ?? ""}#0 getEpochInfo: this machine's clock is ${found} the endpoint's`;
    expect(reasonOf(await observer.check())).toContain(reason);
    const request = { expected: [], scanStakeAccounts: () => false, closedMev: () => null };
    expect(reasonOf(await observer.snapshot(request))).toContain(reason);
    expect(reasonOf(await observer.confirm({ votes: [], tips: [] }))).toContain(reason);
  });

  it.each([
    ["two minutes ahead", 2 * MINUTE],
    ["nearly two minutes behind", -2 * MINUTE + SECOND],
  ])("may differ from an endpoint's that is %s", async (_, milliseconds) => {
    const { observer } = await observe([off(milliseconds)], options);
    await expect(observer.check()).resolves.toMatchObject({ passed: true });
  });

  it("is judged by each endpoint alone: one whose own clock is wrong is passed over", async () => {
    const { observer, nodes } = await observe([off(-20 * MINUTE), off(0)], options);
    expect(entryOf(await observer.check()).endpoint).toBe(`${nodes[1]?.url ?? ""}#1`);
  });

  it("is told of by each endpoint where all of them differ", async () => {
    const { observer } = await observe([off(-20 * MINUTE), off(-20 * MINUTE)], options);
    expect(reasonOf(await observer.check())).toMatch(
      /#0 getEpochInfo: .*20 min ahead.*#1 getEpochInfo: .*20 min ahead/,
    );
  });

  it("is believed where an endpoint tells no time, and beside one that tells another", async () => {
    const { observer, nodes } = await observe([off(-20 * MINUTE), {}], options);
    expect(entryOf(await observer.check()).endpoint).toBe(`${nodes[1]?.url ?? ""}#1`);
  });

  it("dates nothing when the machine slept while it observed", async () => {
    let slept = 0;
    const asleep = { now: () => clock.now() + slept, timer: clock.now, sleep: clock.sleep };
    const node = {
      [CLOCK]: asleep.now,
      getEpochInfo: () => {
        // The first answer is on its way when the lid is closed.
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
  const dating = () => startDating({ now: () => 10 * MINUTE, timer: () => 0 });
  const at = (serverTime: number, sentAt: number, receivedAt: number) => () =>
    dating().assertAgrees({ serverTime, sentAt, receivedAt });

  it("is when it began", () => {
    expect(dating().startedAt).toBe(10 * MINUTE);
  });

  it("agrees with an answer made at any time between its question and its coming", () => {
    expect(at(10 * MINUTE, 0, 40 * SECOND)).not.toThrow();
    expect(at(10 * MINUTE + 40 * SECOND, 0, 40 * SECOND)).not.toThrow();
  });

  it("agrees with what is two minutes before the one or after the other, and with no more", () => {
    expect(at(8 * MINUTE, 0, 40 * SECOND)).not.toThrow();
    expect(at(8 * MINUTE - 1, 0, 40 * SECOND)).toThrow("2 min ahead of the endpoint's");
    expect(at(12 * MINUTE + 40 * SECOND, 0, 40 * SECOND)).not.toThrow();
    expect(at(12 * MINUTE + 40 * SECOND + 1, 0, 40 * SECOND)).toThrow("2 min behind the endpoint's");
  });
});
