import { describe, expect, it } from "vitest";
import type { Entry } from "../../generator/entries/entry.ts";
import { panelCheck, panelSnapshot } from "./panel-story.ts";
import { check, crowd, slotAt, snapshot, tell, type Fact } from "./story.ts";

/*
 * What stops being believed for a moment must not stop for good. Snapshots have rows of dead accounts, delinquent and
 * without stake, which the checks of some nodes leave out.
 */

const hundred = crowd(100, { bps: 500 });
const dead = (fact: Fact): Fact => ({ ...fact, stake: 0n, delinquent: true });
const isLiving = (fact: Fact) => fact.stake !== 0n || fact.delinquent !== true;

/** A check each minute and a snapshot each ten of a set that is another one from minute 10 on. */
function watch(
  minutes: number,
  { before, after }: { before: Fact[]; after: Fact[] },
  change: (entry: Entry) => Entry = (entry) => entry,
): Entry[] {
  return Array.from({ length: minutes }, (_, minute) => {
    const facts = minute < 10 ? before : after;
    const entry = minute % 10 === 0 ? snapshot(minute, facts) : check(minute, facts.filter(isLiving));
    return minute < 10 ? entry : change(entry);
  });
}

/** How long nothing was accepted, in minutes, and how often something was after minute 30. */
function judge(entries: Entry[]) {
  const { outcomes } = tell(...entries);
  const refused = outcomes.map(({ accepted }, minute) => (accepted ? -1 : minute)).filter((minute) => minute >= 0);
  return { until: refused.at(-1) ?? 0, late: outcomes.slice(30).filter(({ accepted }) => !accepted).length };
}

describe("a set that shrinks for good is believed within a quarter of an hour", () => {
  const table: [string, Entry[]][] = [
    [
      "30 of 100 that lose their stake and stop voting",
      watch(60, { before: hundred, after: hundred.map((fact, index) => (index < 30 ? dead(fact) : fact)) }),
    ],
    [
      "30 % of the stake that leaves, with three dead accounts among them",
      watch(60, {
        before: hundred.map((fact, index) => (index < 3 ? dead(fact) : fact)),
        after: hundred.map((fact, index) => (index < 3 ? dead(fact) : { ...fact, stake: 700_000_000n })),
      }),
    ],
    [
      "a restart with fewer validators",
      watch(
        60,
        { before: hundred, after: [...hundred.slice(0, 60), ...hundred.slice(60).map(dead)] },
        (entry) =>
          ({
            ...entry,
            slot: slotAt(0) - 100_000 + Math.round((Date.parse(entry.time) / 60_000) % 1000) * 10,
          }) as Entry,
      ),
    ],
    [
      "commissions that vanish from the lists",
      watch(60, {
        before: hundred.map((fact, index) => (index < 5 ? dead(fact) : fact)),
        after: hundred
          .map((fact, index) => (index < 40 ? { ...fact, bps: null } : fact))
          .map((fact, index) => (index < 5 ? dead(fact) : fact)),
      }),
    ],
  ];
  it.each(table)("%s", (_, entries) => {
    expect(judge(entries)).toEqual({
      until: expect.toSatisfy((minute: number) => minute >= 10 && minute <= 25) as number,
      late: 0,
    });
  });
});

describe("among three witnesses of whom one goes on showing the old set", () => {
  const thirty = hundred.map((fact, index) => (index < 30 ? dead(fact) : fact));

  it("the new one is believed within a quarter of an hour", () => {
    const entries = Array.from({ length: 60 }, (_, minute) => {
      const by = minute % 3;
      const facts = minute < 10 || by === 2 ? hundred : thirty;
      return minute % 10 === 0 ? panelSnapshot(minute, facts, { of: 3, by }) : panelCheck(minute, facts, { of: 3, by });
    });
    const { outcomes } = tell(...entries);
    const honest = outcomes.flatMap(({ accepted }, minute) => (minute % 3 === 2 ? [] : [{ minute, accepted }]));
    expect(honest.filter(({ minute, accepted }) => minute >= 10 && minute < 20 && accepted)).toEqual([]);
    expect(honest.filter(({ minute, accepted }) => minute > 25 && !accepted)).toEqual([]);
    const liars = outcomes.flatMap(({ accepted }, minute) => (minute % 3 === 2 && minute > 25 ? [accepted] : []));
    expect(new Set(liars)).toEqual(new Set([false]));
  });
});
