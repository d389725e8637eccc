import { describe, expect, it } from "vitest";
import type { Entry, SnapshotEntry } from "../../generator/entries/entry.ts";
import { at, closed, crowdRows, tips, type Told } from "./mev-facts.ts";
import { crowd, eventsOf, FIRST_EPOCH, keyOf, snapshot, tell, timeAt, validatorOf } from "./story.ts";

/* What neither one list nor the lack of a row in it says of the MEV commission. */

describe("a list", () => {
  it("that is told again within 30 s is no second reading", () => {
    const told = tell(at(0, 800), at(10, 3000), at(10.4, 3000));
    expect(eventsOf(told)).toEqual([]);
    expect(told.pending).toHaveLength(1);
  });

  it("with the old value ends the wait: the same new value later is seen for the first time", () => {
    const told = tell(at(0, 800), at(10, 3000), at(20, 800), at(30, 3000));
    expect(eventsOf(told)).toEqual([]);
    expect(told.pending).toMatchObject([{ first: { time: timeAt(30) } }]);
    expect(told.ledger.dropped).toBe(1);
  });

  it("without a row leaves the rate as it was, and one with the row again is no change", () => {
    const told = tell(at(0, 800), at(10, "absent"), at(20, 800), at(30, 800));
    expect(eventsOf(told)).toEqual([]);
    expect(validatorOf(told, "A").mev).toBe(800);
    expect(validatorOf(tell(at(0, 800), at(10, "absent")), "A").mev).toBe(800);
  });

  it("of the vendor is believed before the accounts on chain, where an entry has both", () => {
    const told = tell(at(0, 800), at(10, 800, { tips: tips(FIRST_EPOCH, ...crowdRows, ["A", 9500]) }));
    expect(told.pending).toEqual([]);
  });
});

describe("a rate that was first shown after the closed epoch", () => {
  it("is not lost by the closed epoch's list", () => {
    const missing = { closedMev: closed(FIRST_EPOCH, ...crowdRows) };
    const told = tell(at(0, "absent"), at(110, "absent"), at(121, 800), at(131, 800, missing));
    expect(eventsOf(told)).toEqual([]);
    expect(validatorOf(told, "A").mev).toBe(800);
  });
});

describe("the list of a closed epoch", () => {
  /** So many validators that all share tips and lead, of whom the first ones are missing from the closed list. */
  const among = (count: number) => {
    const rows = crowd(count).map(({ name }): Told => [name, 800]);
    const sides = (more: Partial<SnapshotEntry> = {}): Partial<SnapshotEntry> => ({
      production: { state: "ok", value: { rows: rows.map(([name]) => [keyOf(`identity of ${name}`), 40, 39]) } },
      mev: { state: "ok", value: { rows: rows.map(([name]) => toRow(name)) } },
      ...more,
    });
    const shot = (minute: number, more?: Partial<SnapshotEntry>) => snapshot(minute, crowd(count), sides(more));
    return {
      shot,
      without: (missing: number, epoch: number) => ({ closedMev: closed(epoch, ...rows.slice(missing)) }),
    };
  };
  const disabledIn = (...entries: Entry[]) =>
    eventsOf(tell(...entries)).filter((event) => event.includes("→disabled")).length;

  it("without 21 of 419 is believed when three answers agree, without 21 of 420 at once", () => {
    const doubted = among(419);
    const begin = [doubted.shot(0), doubted.shot(110)];
    const missing = doubted.without(21, FIRST_EPOCH);
    expect(disabledIn(...begin, doubted.shot(121, missing), doubted.shot(131, missing))).toBe(0);
    expect(
      disabledIn(...begin, doubted.shot(121, missing), doubted.shot(131, missing), doubted.shot(141, missing)),
    ).toBe(21);
    const { shot, without } = among(420);
    expect(disabledIn(shot(0), shot(110), shot(121, without(21, FIRST_EPOCH)))).toBe(21);
  });

  it("without too many is doubted anew in each epoch", () => {
    const { shot, without } = among(150);
    const [first, second] = [without(21, FIRST_EPOCH), without(21, FIRST_EPOCH + 1)];
    const entries = [shot(0), shot(110), shot(221, first), shot(231, first), shot(241, second)];
    expect(disabledIn(...entries)).toBe(0);
    expect(disabledIn(...entries, shot(251, second), shot(261, second))).toBe(21);
  });

  it("of 80 % of the one before is believed, of fewer it is not", () => {
    const { shot, without } = among(10);
    const whole = [shot(0), shot(110), shot(121, without(0, FIRST_EPOCH)), shot(230)];
    expect(disabledIn(...whole, shot(241, without(2, FIRST_EPOCH + 1)))).toBe(2);
    expect(disabledIn(...whole, shot(241, without(3, FIRST_EPOCH + 1)))).toBe(0);
  });
});

function toRow(name: string) {
  return { vote: keyOf(name), mevBasisPoints: 800, priorityFeeBasisPoints: null, runningBam: null };
}
