import { describe, expect, it } from "vitest";
import type { SnapshotEntry } from "../../generator/entries/entry.ts";
import { observedMev } from "../../generator/ledger/tips/timeline.ts";
import { FIRST_EPOCH, slotAt } from "../story/clock.ts";
import { foldStory } from "../story/fold.ts";
import { snapshot, snapshotBy } from "../story/observations.ts";
import { eventsOf, eventsIn, validatorOf } from "../story/outcome.ts";
import {
  tipSnapshot,
  NAMES,
  producersOf,
  tipsOf,
  type TipReading,
  type Share,
} from "../story/tips.ts";
import { crowd, keyOf, rest, withA } from "../story/validators.ts";
import { all } from "../story/witnesses.ts";

const settled = (size: number) => [
  tipSnapshot(0, all<TipReading>(size, { now: 800 })),
  tipSnapshot(110, all<TipReading>(size, { now: 800 })),
];
const kept: TipReading = { now: 800, before: 800 };

describe("given what is read of a closed epoch in which A had blocks, then of A", () => {
  const has: TipReading = kept;
  const hasNot: TipReading = { now: "absent", before: "absent" };
  const OFF = "MEV INFO 800→disabled in 1";
  const open = (size: number, sides: Partial<SnapshotEntry> = {}) => [
    ...settled(size),
    ...[125, 230].map((minute) =>
      tipSnapshot(minute, all<TipReading>(size, { now: "absent", before: 800 }), sides),
    ),
  ];
  const toLed = (name: string): [string, number, number] => [keyOf(`identity of ${name}`), 40, 39];
  type Producers = Parameters<typeof producersOf>[1];
  const others = NAMES.filter((name) => name !== "A");
  const counted = (
    minute: number,
    said: TipReading[],
    producers: readonly Producers[],
    sides: Partial<SnapshotEntry> = {},
  ) =>
    tipSnapshot(minute, said, {
      closedProduction: producersOf({ minute }, ...producers),
      ...sides,
    });
  const tipOfA = (name: string): Share => (name === "A" ? "absent" : 800);
  const closing = (
    said: TipReading[],
    at: number[] = [245, 247],
    sides: Partial<SnapshotEntry> = {},
  ) => at.map((minute) => tipSnapshot(minute, said, sides));

  it.each<[string, TipReading[], number[] | undefined, string[]]>([
    [
      "a majority without it, twice two minutes apart: disabled",
      [hasNot, hasNot, has],
      undefined,
      [OFF],
    ],
    ["once: nothing yet", all(3, hasNot), [245], []],
    ["twice within two minutes: nothing yet", all(3, hasNot), [245, 246.9], []],
    ["one that omits an account: nothing", [has, hasNot, has], undefined, []],
    ["of two both", [hasNot, hasNot], undefined, [OFF]],
    ["of two one: nothing", [has, hasNot], undefined, []],
    ["one alone", [hasNot], undefined, [OFF]],
  ])("%s", (_, said, at, events) => {
    expect(eventsOf(...open(said.length), ...closing(said, at))).toEqual(events);
  });

  it("is dated by the first reading without it", () => {
    const outcome = foldStory(...open(3), ...closing(all(3, hasNot)));
    const shown = validatorOf(outcome, "A");
    const points = [0, 1, 2].map((after) => observedMev(shown, FIRST_EPOCH + after));
    expect(points).toEqual([800, "disabled", null]);
    expect(shown).toMatchObject({ mev: "disabled", mevEpoch: FIRST_EPOCH + 1 });
    expect(outcome.ledger.events).toMatchObject([
      {
        epoch: FIRST_EPOCH + 1,
        effectiveEpoch: FIRST_EPOCH + 1,
        slot: slotAt(245),
        previousSlot: slotAt(110),
      },
    ]);
  });

  it("an account after none in the first reading is an account", () => {
    const outcome = foldStory(
      ...open(3),
      tipSnapshot(245, all(3, hasNot)),
      tipSnapshot(247, all(3, has)),
    );
    expect(eventsIn(outcome)).toEqual([]);
    expect(validatorOf(outcome, "A")).toMatchObject({ mev: 800, mevEpoch: FIRST_EPOCH + 2 });
  });

  it("none in an answer of before the epoch's end says nothing", () => {
    const early = [241, 243.1].map((minute) =>
      snapshot(minute, withA(), {
        closedProduction: producersOf({ minute }, NAMES),
        tips: tipsOf(
          { minute, ahead: [-150 - Math.round((minute - 240.5) * 300)] },
          () => "absent",
        ),
      }),
    );
    expect(eventsOf(...open(1), ...early)).toEqual([]);
  });

  it("none by a witness that lacks a control says nothing", () => {
    const lacking = [245, 247].map((minute) =>
      snapshot(minute, withA(), {
        closedProduction: producersOf({ minute }, NAMES),
        tips: tipsOf({ minute }, () => "absent"),
      }),
    );
    expect(eventsOf(...open(1), ...lacking)).toEqual([]);
  });

  it("nothing, if it made no block: the commission before stands", () => {
    const outcome = foldStory(
      ...open(1),
      ...[245, 247].map((minute) => counted(minute, [hasNot], [others])),
    );
    expect(outcome.ledger.events).toEqual([]);
    expect(validatorOf(outcome, "A")).toMatchObject({
      mev: 800,
      tips: { knownTo: FIRST_EPOCH + 1 },
    });
  });

  it("nothing, if several vote accounts share the identity", () => {
    const sharing = [...crowd(8), { name: "crowd 8", identity: "A" }, { name: "A" }];
    const shot = (minute: number, share: Share) =>
      snapshot(minute, sharing, {
        closedProduction: producersOf({ minute }, NAMES),
        tips: tipsOf({ minute }, (name) => (name === "A" ? share : 800)),
      });
    const shots = [
      shot(0, 800),
      shot(125, "absent"),
      shot(230, "absent"),
      shot(245, "absent"),
      shot(247, "absent"),
    ];
    expect(eventsOf(...shots)).toEqual([]);
  });

  it("nothing, if it had no stake in it and took over the identity of another", () => {
    const stake = 1_000_000_000n;
    const shot = (
      minute: number,
      who: Parameters<typeof snapshot>[1],
      share: Share,
      absent: string[] = [],
    ) =>
      snapshot(minute, who, {
        closedProduction: producersOf({ minute }, NAMES),
        absent: absent.map(keyOf),
        tips: tipsOf({ minute }, (name) => (name === "A" ? share : 800)),
      });
    const heir = (active: bigint) => [...rest, { name: "A", identity: "A", stake: active }];
    const story = [
      shot(0, [...rest, { name: "old", identity: "A", stake }], 800),
      ...[50, 60].map((minute) => shot(minute, heir(0n), 800, ["old"])),
      shot(125, heir(0n), "absent"),
      shot(230, heir(0n), "absent"),
      ...[245, 247].map((minute) => shot(minute, heir(stake), "absent")),
    ];
    expect(eventsOf(...story)).toEqual([]);
  });

  const nobody = others;
  it.each<[string, Producers[], string[]]>([
    ["a majority counted a block of it: disabled", [NAMES, NAMES, nobody], [OFF]],
    ["two of three counted one, the third is silent: disabled", [NAMES, NAMES, "silent"], [OFF]],
    ["one of three lies that it made one: nothing", [NAMES, nobody, nobody], []],
    ["one lies that it made one, another is silent: nothing", [NAMES, nobody, "silent"], []],
    ["one alone answers: nothing", [NAMES, "silent", "silent"], []],
    ["what one counts cannot be read: by the others", [NAMES, NAMES, "unreadable"], [OFF]],
    ["three of four counted one: disabled", [NAMES, NAMES, NAMES, nobody], [OFF]],
    ["two of four counted one: nothing", [NAMES, NAMES, nobody, nobody], []],
    ["of two both counted one: disabled", [NAMES, NAMES], [OFF]],
    ["of two one counted one: nothing", [NAMES, nobody], []],
    ["the only one counted one: disabled", [NAMES], [OFF]],
  ])("whose tip account nobody finds, and %s", (_, producers, events) => {
    const size = producers.length;
    const sides = { production: { state: "ok" as const, value: { rows: NAMES.map(toLed) } } };
    const closed = [245, 247].map((minute) => counted(minute, all(size, hasNot), producers, sides));
    expect(eventsOf(...open(size, sides), ...closed)).toEqual(events);
  });

  it("waits for the blocks to be counted, as long as its epoch was the last one", () => {
    const nothing = all<Producers>(3, "silent");
    const uncounted = [245, 247, 300].map((minute) => counted(minute, all(3, hasNot), nothing));
    const begin = [...open(3), ...uncounted];
    expect(eventsIn(foldStory(...begin))).toEqual([]);
    expect(validatorOf(foldStory(...begin), "A")).toMatchObject({
      mev: 800,
      tips: { knownTo: FIRST_EPOCH },
    });
    expect(eventsOf(...begin, tipSnapshot(310, all(3, hasNot)))).toEqual([OFF]);
    expect(
      eventsOf(...begin, tipSnapshot(370, all(3, hasNot)), tipSnapshot(372.1, all(3, hasNot))),
    ).toEqual(["MEV INFO 800→disabled in 2"]);
  });

  it("is disabled by what was agreed first, whatever is counted later", () => {
    const closed = [NAMES, nobody].map((producers, index) =>
      counted(245 + 2 * index, all(3, hasNot), all(3, producers)),
    );
    expect(eventsOf(...open(3), ...closed)).toEqual([OFF]);
  });

  it("does not wait for blocks that would say nothing: of one that never shared tips", () => {
    const nothing = all<Producers>(3, "silent");
    const never = [0, 125, 245, 247].map((minute) => counted(minute, all(3, hasNot), nothing));
    expect(validatorOf(foldStory(...never), "A")).toMatchObject({
      mev: null,
      tips: { knownTo: FIRST_EPOCH + 1 },
    });
  });

  it("counted by one of two while the other lists, and does not count: nothing", () => {
    const alone = (...at: number[]) =>
      at.map((minute) => counted(minute, all(2, hasNot), [NAMES, "silent"]));
    expect(eventsOf(...open(2), ...alone(245, 248, 251))).toEqual([]);
    expect(eventsOf(...open(2), ...alone(245), tipSnapshot(247.9, all(2, hasNot)))).toEqual([OFF]);
  });

  it.each([
    ["while the other is silent for a moment: nothing yet", [247, 249.9], []],
    ["three minutes after the other fell silent: disabled", [247, 250.1], [OFF]],
  ])("counted by one of two, %s", (_, minutes, events) => {
    const uncounted = counted(245, all(2, hasNot), all<Producers>(2, "silent"));
    const alone = minutes.map((minute) =>
      snapshotBy(minute, [{ list: withA() }, { list: null }], {
        tips: tipsOf({ minute }, ...all(2, tipOfA)),
        closedProduction: producersOf({ minute }, NAMES, "silent"),
      }),
    );
    expect(eventsOf(...open(2), uncounted, ...alone)).toEqual(events);
  });

  it("off and nearly all again is a caution, never without the first", () => {
    const again: TipReading = { now: 9500 };
    const NEARLY_ALL = "MEV CAUTION disabled→9500 in 2";
    expect(eventsOf(...open(3), tipSnapshot(245, all(3, again)))).toEqual([]);
    expect(eventsOf(...open(3), ...closing(all(3, again)))).toEqual([OFF, NEARLY_ALL]);
  });

  it("nothing of an epoch that is not the last one", () => {
    expect(eventsOf(...open(3), ...closing(all(3, hasNot), [370, 372.1]))).toEqual([]);
  });
});
