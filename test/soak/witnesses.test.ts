import { describe, expect, it } from "vitest";
import { describeLiars } from "./witnesses/cases.ts";
import { play } from "./witnesses/play.ts";
import type { Record } from "./witnesses/record.ts";
import { drawScenario, type Scenario } from "./witnesses/scenario.ts";
import { judge } from "./witnesses/verdict.ts";

describeLiars("one to four witnesses", { from: 1, seeds: 300 });
describeLiars("two witnesses, of which at times one lies", { from: 30_001, seeds: 200, panel: 2 });

describe("the verdict on what was published", () => {
  const kindsOf = (scenario: Scenario, record: Record) =>
    new Set(judge(scenario, record).faults.map(({ kind }) => kind));
  const scenario = drawScenario(1, { panel: 3, minutesMost: 60 });
  const played = play(scenario);

  async function withEvent(
    change: Partial<Record["events"][number]["event"]>,
  ): Promise<Partial<Record>> {
    const [first, ...others] = (await played).record.events;
    return { events: [{ ...first!, event: { ...first!.event, ...change } }, ...others] };
  }

  it("finds nothing in what was published rightly", async () => {
    const { record } = await played;
    expect(record.events.length).toBeGreaterThan(0);
    expect(kindsOf(scenario, record)).toEqual(new Set());
  });

  it.each([
    ["a rate that never stood", { to: 4_321 }],
    ["from a rate that never stood", { from: 4_321 }],
    ["of another epoch", { epoch: 1 }],
    ["of another slot", { slot: 1 }],
    ["graver than it is", { severity: "RUG" as const, to: 0 }],
  ])("finds an event to be false that is %s", async (_, change) => {
    const { record } = await played;
    expect(kindsOf(scenario, { ...record, ...(await withEvent(change)) })).toEqual(
      new Set(["false event"]),
    );
  });

  it.each([
    ["to what it never was", { to: 4_321 }],
    ["switched off where it was not", { to: "disabled" as const }],
    ["from what it never was", { from: 4_321 }],
    ["of another epoch", { epoch: 1 }],
  ])("finds an event of MEV to be false that is %s", async (_, change) => {
    const { record } = await played;
    const isShare = ({ event }: Record["mevEvents"][number]) => typeof event.to === "number";
    const first = record.mevEvents.find(isShare)!;
    const mevEvents = [{ ...first, event: { ...first.event, ...change } }];
    expect(kindsOf(scenario, { ...record, mevEvents })).toEqual(new Set(["false event"]));
  });

  it("finds changes that were hidden, rates that are not, and that nothing was accepted for long", async () => {
    const { record } = await played;
    const change = <Value>(of: (all: Value[]) => Value[], values: Map<string, Value[]>) =>
      new Map([...values].map(([vote, all]) => [vote, of(all)]));
    const hidden = { ...record, held: change((all) => all.slice(0, 2), record.held) };
    expect(kindsOf(scenario, hidden)).toContain("missed");
    const other = { at: scenario.end, rate: 4_321, isSettled: true };
    const wrong = { ...record, held: change((all) => [...all, other], record.held) };
    expect(kindsOf(scenario, wrong)).toEqual(new Set(["wrong rate"]));
    const stopped = {
      ...record,
      noted: record.noted.filter(({ at }) => at < scenario.begin + 10 * 60_000),
    };
    expect(kindsOf(scenario, stopped)).toEqual(new Set(["stopped"]));
  });
});
