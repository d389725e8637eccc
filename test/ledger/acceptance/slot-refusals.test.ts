import { describe, expect, it } from "vitest";
import type { CheckEntry, Entry } from "../../../generator/entries/entry.ts";
import { measureSeenSlotMilliseconds } from "../../../generator/ledger/uptime/slot-time.ts";
import { FIRST_EPOCH, minutes, slotAt, SLOTS_A_MINUTE } from "../../story/clock.ts";
import { foldStory } from "../../story/fold.ts";
import { movedTo, check, snapshot } from "../../story/observations.ts";
import { validatorOf, acceptanceOf } from "../../story/outcome.ts";
import { crowd, type Fact, rest, withA } from "../../story/validators.ts";

const ten = crowd(10);
const first = snapshot(0, ten);
const watched = [first, snapshot(10, ten)];
const long = minutes(0, 10).map((index) => snapshot(index * 10, ten));
const TEN = "-".repeat(10);
const NEVER = "-".repeat(30);
const at = (minute: number, slot: number) => check(minute, ten, { slot });
const away = (last: number) => each(last, (m) => beyond(10 + m, m % 8 ? 1e6 : 0));
const other = (minute: number) => FIRST_EPOCH + (minute % 2) * 7;
const tenAt = (minute: number) => check(minute, ten);
const beyond = (minute: number, slots: number) => at(minute, slotAt(minute) + slots);
const each = (last: number, entry: (minute: number) => Entry) => minutes(1, last).map(entry);
const ELEVEN = "+".repeat(11);
const lagging = (by: number, last: number) => each(last, (m) => at(100 + m, slotAt(100 + m - by)));
const begun = (last: number, entry: (minute: number) => Entry) => [first, ...each(last, entry)];
const inEpoch = (entry: CheckEntry, epoch: number): CheckEntry => ({ ...entry, epoch });
const inEpochFarOff = (minute: number) => ({ ...snapshot(minute, ten), epoch: FIRST_EPOCH + 900 });

it.each<[string, Entry[], string]>([
  ["is refused", [first, at(1, slotAt(0))], "+-"],
  [
    "is a restarted cluster, when it rises from below for ten minutes",
    begun(11, (m) => at(m, 1000 + m)),
    `+${TEN}+`,
  ],
  [
    "is a stuck node, however often it is heard",
    begun(30, (minute) => at(minute, slotAt(0) - 10)),
    `+${NEVER}`,
  ],
  [
    "is nodes behind, one after the other, when it falls",
    begun(30, (m) => at(m, slotAt(0) - m * 100)),
    `+${NEVER}`,
  ],
  [
    "six minutes below after ten is a restarted cluster",
    [...long, ...lagging(17, 11)],
    `${ELEVEN}${TEN}+`,
  ],
  [
    "by less is accepted from where it was on",
    [...long, ...lagging(16, 18)],
    `${ELEVEN}${"-".repeat(16)}++`,
  ],
])("a slot that does not rise %s", (_, entries, taken) => {
  expect(acceptanceOf(...entries)).toBe(taken);
});

describe("a slot that leaps", () => {
  // Four times the story's pace of 200 ms, and 150 slots between nodes.
  const MOST_IN_A_MINUTE = 4 * SLOTS_A_MINUTE + 150;
  const samples = {
    slotSamples: { state: "ok" as const, value: [[slotAt(0), 1, 60] as [number, number, number]] },
  };

  it.each<[string, Entry[], string]>([
    [
      "four times as fast as slots were seen to pass",
      [...watched, at(11, slotAt(10) + MOST_IN_A_MINUTE)],
      "+++",
    ],
    ["and no faster", [...watched, at(11, slotAt(10) + MOST_IN_A_MINUTE + 1)], "++-"],
    [
      "far too high shuts out no true one",
      [...watched, at(11, 2 ** 52), check(12, ten), check(13, ten)],
      "++-++",
    ],
    ["is not judged before the pace was measured", [first, beyond(1, 1_000_000)], "++"],
    [
      "nor by what a node says of its own pace",
      [snapshot(0, ten, samples), beyond(1, 1_000)],
      "++",
    ],
    ["is that of a cluster watched again after days", [...watched, check(5 * 24 * 60, ten)], "+++"],
    [
      "or one that ran faster while nobody watched",
      [...watched, beyond(100, 3 * 90 * SLOTS_A_MINUTE)],
      "+++",
    ],
    [
      "is believed after ten minutes",
      [...watched, ...each(12, (m) => beyond(10 + m, 1_000_000))],
      `++${TEN}++`,
    ],
    ["is forgotten when the old is seen", [...watched, ...away(20)], "++-------+-------+----"],
    [
      "each time is none",
      [...watched, ...each(30, (m) => beyond(10 + m, m * 1_000_000))],
      `++${NEVER}`,
    ],
    [
      "and falls back is none",
      [...watched, ...each(30, (m) => beyond(10 + m, (100 - m) * 1_000_000))],
      `++${NEVER}`,
    ],
    [
      "and stands still is none",
      [...watched, ...each(30, (m) => at(10 + m, slotAt(500)))],
      `++${NEVER}`,
    ],
  ])("%s", (_, entries, taken) => {
    expect(acceptanceOf(...entries)).toBe(taken);
  });

  it("too far is refused with the slots and how many can have passed", () => {
    const outcome = foldStory(...watched, at(11, slotAt(10) + 1351));
    const reason = `slot ${slotAt(10) + 1351} is more than 1350 slots after ${slotAt(10)}, the last accepted one: so many cannot have passed`;
    expect(outcome.accepted.at(-1)).toEqual({ accepted: false, reason });
  });

  it("is that of a cluster which limped, and runs as usual again", () => {
    const slow = [0, 1, 2].map((index) =>
      movedTo(snapshot(index * 10, ten), slotAt(0) + index * 60),
    );
    expect(measureSeenSlotMilliseconds(foldStory(...slow).ledger.slotTimeAnchors)).toBe(10_000);
    expect(acceptanceOf(...slow, at(21, slotAt(0) + 120 + SLOTS_A_MINUTE))).toBe("++++");
  });
});

describe("an epoch", () => {
  it.each<[string, Entry[], string]>([
    [
      "may begin slots after the one before",
      [first, at(119.99, slotAt(120) - 3), at(120.01, slotAt(120) + 2)],
      "+++",
    ],
    [
      "that the slots do not reach is none",
      begun(30, (m) => inEpoch(tenAt(m), 1_000_000_000)),
      `+${NEVER}`,
    ],
    [
      "below a false one is, also when it ends",
      [inEpochFarOff(114), ...minutes(115, 125).map(tenAt)],
      `+${TEN}+`,
    ],
    [
      "that is another each time never is",
      [inEpochFarOff(0), ...each(30, (m) => inEpoch(tenAt(m), other(m)))],
      `+${NEVER}`,
    ],
  ])("%s", (_, entries, taken) => {
    expect(acceptanceOf(...entries)).toBe(taken);
  });

  it("that was false leaves no trace once the true ones are believed", () => {
    const outcome = foldStory(inEpochFarOff(0), ...each(12, tenAt), snapshot(20, ten));
    expect(outcome.ledger.epochs.map(({ epoch }) => epoch)).toEqual([FIRST_EPOCH]);
    expect([...outcome.ledger.stakes.keys()]).toEqual([FIRST_EPOCH]);
    expect(
      validatorOf(outcome, "crowd 0").rates.runs.map(({ from, until }) => [
        from.epoch,
        until.epoch,
      ]),
    ).toEqual([[FIRST_EPOCH, FIRST_EPOCH]]);
    expect(validatorOf(outcome, "crowd 0").firstEpoch).toBe(FIRST_EPOCH);
  });
});

describe("a cluster that restarted", () => {
  it("confirms no change of the chain that is no more", () => {
    const risen = (minute: number, options?: { slot: number }) =>
      check(minute, withA(10_000), options);
    const back = minutes(2, 12).map((minute) =>
      risen(minute, { slot: slotAt(0) - 50_000 + minute }),
    );
    const outcome = foldStory(snapshot(0, withA(500)), risen(1), ...back);
    expect(outcome).toMatchObject({ pending: [], ledger: { events: [] } });
  });

  it("is none where slots stand still for a quarter of an hour, which accuses nobody", () => {
    const standing = minutes(1, 15).map((minute) => check(minute, withA(), { slot: slotAt(0) }));
    const outcome = foldStory(
      snapshot(0, withA()),
      ...standing,
      check(16, withA(), { slot: slotAt(0) + 1 }),
    );
    expect(outcome.accepted.filter(({ accepted }) => accepted)).toHaveLength(2);
    expect(outcome.ledger.epochs.map(({ epoch }) => epoch)).toEqual([FIRST_EPOCH]);
    const names = [...rest, { name: "A" } satisfies Fact].map(({ name }) => name);
    for (const name of names)
      expect(validatorOf(outcome, name)).toMatchObject({ listed: true, delinquent: false });
  });
});
