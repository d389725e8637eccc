import { describe, expect, it } from "vitest";
import type { CheckEntry, Entry } from "../../generator/entries/entry.ts";
import { measureSeenSlotMilliseconds } from "../../generator/ledger/slot-time.ts";
import { check, crowd, SLOTS_A_MINUTE, slotAt, snapshot, tell } from "./story.ts";

/*
 * The story's slots take 200 ms. Four times as fast, and 150 slots for nodes that differ, are 1,350 slots in a minute.
 */
const LEAST_LEAP_IN_A_MINUTE = 4 * SLOTS_A_MINUTE + 150 + 1;

const ten = crowd(10, { bps: 500 });
/** Two snapshots, by which the pace is measured; the story goes on from minute 10. */
const watched = [snapshot(0, ten), snapshot(10, ten)];
const accepted = (...entries: Entry[]) => tell(...entries).outcomes.map((outcome) => outcome.accepted);
const times = (count: number) => Array.from({ length: count }, (_, index) => index + 1);
const refused = (count: number) => Array<boolean>(count).fill(false);
/** A check that tells of a slot so many beyond where the cluster is. */
const beyond = (minute: number, slots: number): CheckEntry => check(minute, ten, { slot: slotAt(minute) + slots });

describe("a slot that rises", () => {
  it("four times as fast as slots were seen to pass is accepted, and no faster, with the reason", () => {
    const at = (slots: number) => check(11, ten, { slot: slotAt(10) + slots });
    expect(accepted(...watched, at(LEAST_LEAP_IN_A_MINUTE - 1))).toEqual([true, true, true]);
    const told = tell(...watched, at(LEAST_LEAP_IN_A_MINUTE));
    expect(told.outcomes.at(-1)).toEqual({
      accepted: false,
      reason: `slot ${slotAt(10) + 1351} is more than 1350 slots after ${slotAt(10)}, the last accepted one: so many cannot have passed`,
    });
  });

  it("far too high shuts out no true one that follows", () => {
    expect(accepted(...watched, check(11, ten, { slot: 2 ** 52 }), check(12, ten), check(13, ten))).toEqual([
      true,
      true,
      false,
      true,
      true,
    ]);
  });

  it("is not judged before the pace was measured", () => {
    expect(accepted(snapshot(0, ten), beyond(1, 1_000_000))).toEqual([true, true]);
  });

  it("is not judged by what a node says of its own pace", () => {
    const sides = { slotSamples: { state: "ok" as const, value: [[slotAt(0), 1, 60] as [number, number, number]] } };
    expect(accepted(snapshot(0, ten, sides), beyond(1, 1_000))).toEqual([true, true]);
  });

  it("is that of a cluster watched again after days", () => {
    expect(accepted(...watched, check(5 * 24 * 60, ten))).toEqual([true, true, true]);
  });

  it("is that of a cluster which ran at once four times as fast while nobody watched it", () => {
    expect(accepted(...watched, beyond(100, 3 * 90 * SLOTS_A_MINUTE))).toEqual([true, true, true]);
  });

  it("is that of a cluster which limped, and runs as usual again", () => {
    const limping = [0, 1, 2].map((index) => ({ ...snapshot(index * 10, ten), slot: slotAt(0) + index * 60 }));
    const slow = limping.map((entry) => ({ ...entry, absoluteSlot: entry.slot, slotIndex: entry.slot - slotAt(0) }));
    const { ledger } = tell(...slow);
    expect(measureSeenSlotMilliseconds(ledger.slotTimeAnchors)).toBe(10_000);
    const [, , last] = slow;
    const recovered = check(21, ten, { slot: last!.slot + SLOTS_A_MINUTE });
    expect(accepted(...slow, recovered)).toEqual([true, true, true, true]);
  });
});

describe("slots that leapt and go on from there", () => {
  it("for ten observations over ten minutes are where the cluster is", () => {
    const leapt = times(12).map((minute) => beyond(10 + minute, 1_000_000));
    expect(accepted(...watched, ...leapt)).toEqual([true, true, ...refused(10), true, true]);
  });

  it("are forgotten when the cluster is seen where it was", () => {
    const leapt = times(20).map((minute) => beyond(10 + minute, minute % 8 === 0 ? 0 : 1_000_000));
    expect(accepted(...watched, ...leapt).filter(Boolean)).toHaveLength(2 + 2);
  });

  it("are not believed while they leap on each time", () => {
    const leaping = times(30).map((minute) => beyond(10 + minute, minute * 1_000_000));
    expect(accepted(...watched, ...leaping)).toEqual([true, true, ...refused(30)]);
  });

  it("are not believed while they fall back", () => {
    const falling = times(30).map((minute) => beyond(10 + minute, 100_000_000 - minute * 1_000_000));
    expect(accepted(...watched, ...falling)).toEqual([true, true, ...refused(30)]);
  });

  it("are not believed while they stand still", () => {
    const stuck = times(30).map((minute) => check(10 + minute, ten, { slot: slotAt(500) }));
    expect(accepted(...watched, ...stuck)).toEqual([true, true, ...refused(30)]);
  });
});

describe("slots that went back", () => {
  const back = (minutes: number, count: number) =>
    times(count).map((minute) => check(100 + minute, ten, { slot: slotAt(100 - minutes + minute) }));
  const long = times(11).map((index) => snapshot((index - 1) * 10, ten));
  const longAccepted = long.map(() => true);

  it("and are still six minutes below after ten are a restarted cluster", () => {
    expect(accepted(...long, ...back(17, 11))).toEqual([...longAccepted, ...refused(10), true]);
  });

  it("by less are accepted again from where they were on: a generator whose clock runs ahead looks the same", () => {
    expect(accepted(...long, ...back(16, 18))).toEqual([...longAccepted, ...refused(16), true, true]);
  });
});
