import { describe, expect, it } from "vitest";
import type { Entry } from "../../generator/entries/entry.ts";
import { trackedEpochs } from "../../generator/ledger/tracked-epochs.ts";
import { FIRST_EPOCH, slotAt, timeAt } from "../story/clock.ts";
import { foldStory } from "../story/fold.ts";
import { check, snapshotBy } from "../story/observations.ts";
import { eventsOf, validatorOf } from "../story/outcome.ts";
import { tipSnapshot, producersOf, tipsOf, type TipReading, type Share } from "../story/tips.ts";
import { crowd, withA } from "../story/validators.ts";
import { all } from "../story/witnesses.ts";

const settled = (size: number) => [
  tipSnapshot(0, all<TipReading>(size, { now: 800 })),
  tipSnapshot(110, all<TipReading>(size, { now: 800 })),
];
const risen: TipReading = { now: 9500, before: 800 };
const kept: TipReading = { now: 800, before: 800 };
const RUG = "MEV RUG 800→9500 in 1";

describe("given what the witnesses read in the next epoch after a share of 8 %, then these MEV events", () => {
  it.each<[string, TipReading[], number[], string[]]>([
    ["all: at once", all(3, risen), [130], [RUG]],
    ["one alone: not at once", [risen], [130], []],
    ["one alone: 30 s later", [risen], [130, 130.5], [RUG]],
    ["a majority of three", [risen, risen, kept], [130], [RUG]],
    ["a majority of three, one silent", [risen, risen, "silent"], [130], [RUG]],
    ["one of three, however often", [risen, kept, kept], [130, 140, 150], []],
    ["two of four", [risen, risen, kept, kept], [130, 140], []],
    ["three of four", [risen, risen, risen, kept], [130], [RUG]],
    ["two: both", [risen, risen], [130], [RUG]],
    ["one of two, the other denies", [risen, kept], [130, 140, 150], []],
    ["one of two, the other silent for a moment", [risen, "silent"], [130, 132.9], []],
    ["one of two, the other silent for three minutes", [risen, "silent"], [130, 133], [RUG]],
    ["one of two, the other answers in between", [risen, "silent"], [130], []],
    [
      "nearly all that is shared again",
      all(3, { now: 3000, before: 800 }),
      [130],
      ["MEV CAUTION 800→3000 in 1"],
    ],
    ["nobody finds an account", all(3, {}), [130, 140], []],
    ["accounts that are cut off", all(3, { now: null, before: null }), [130, 140], []],
    ["more than the whole", all(3, { now: 65_535, before: 800 }), [130, 140], []],
  ])("%s", (_, said, at, events) => {
    expect(
      eventsOf(...settled(said.length), ...at.map((minute) => tipSnapshot(minute, said))),
    ).toEqual(events);
  });

  it("nothing of a check", () => {
    expect(eventsOf(...settled(1), check(130, withA()), check(131, withA()))).toEqual([]);
  });
});

describe("a change", () => {
  it("lies between the last observation of the epoch before and the first that showed it", () => {
    const outcome = foldStory(...settled(1), tipSnapshot(130, [risen]), tipSnapshot(140, [risen]));
    expect(outcome.ledger.events).toMatchObject([
      {
        ...{
          previousSlot: slotAt(110),
          previousSeenAt: timeAt(110),
          slot: slotAt(130),
          createdAt: timeAt(130),
        },
        ...{ epoch: FIRST_EPOCH + 1, effectiveEpoch: FIRST_EPOCH + 1, confirmedBy: "account" },
      },
    ]);
  });

  it.each<[string, TipReading, string[]]>([
    [
      "is of the epoch that nobody saw where its account shows it",
      { now: 9500, before: 9500 },
      [RUG],
    ],
    ["is so too while the running one has no account", { now: "absent", before: 9500 }, [RUG]],
    [
      "is of the running one where the one before held the old share",
      risen,
      ["MEV RUG 800→9500 in 2"],
    ],
    [
      "is of the running one where the one before had none",
      { now: 9500 },
      ["MEV RUG 800→9500 in 2"],
    ],
    [
      "is two of two epochs",
      { now: 9500, before: 3000 },
      ["MEV CAUTION 800→3000 in 1", "MEV RUG 3000→9500 in 2"],
    ],
  ])("after an epoch that nobody saw %s", (_, said, events) => {
    const again = [250, 252.1].map((minute) => tipSnapshot(minute, all(3, said)));
    expect(eventsOf(...settled(3), ...again)).toEqual(events);
  });

  it("makes an epoch known that nobody saw", () => {
    const { ledger, touched } = foldStory(
      ...settled(3),
      tipSnapshot(250, all<TipReading>(3, { now: 800, before: 800 })),
    );
    expect(trackedEpochs(ledger).map((epoch) => epoch - FIRST_EPOCH)).toEqual([0, 1, 2]);
    expect(touched.epochs).toContain(FIRST_EPOCH + 1);
  });

  it("waits until a majority tells what the epoch before had, and is pending so long", () => {
    const begin = [
      ...settled(3),
      tipSnapshot(125, all(3, {})),
      tipSnapshot(250, [{ now: 9500, before: 9500 }, risen, { now: 9500 }]),
    ];
    const waiting = [true, false].map((disputed) => ({
      source: "MEV",
      from: 800,
      to: 9500,
      disputed,
    }));
    expect(foldStory(...begin)).toMatchObject({ pending: waiting, ledger: { events: [] } });
    expect(eventsOf(...begin, tipSnapshot(260, all(3, { now: 9500, before: 9500 })))).toEqual([
      RUG,
    ]);
  });

  it("that waited for it in vain is of the epoch that showed it first", () => {
    const unread: TipReading[] = [{ now: 9500, before: 9500 }, risen, { now: 9500 }];
    const later = tipSnapshot(370, all<TipReading>(3, { now: 9500, before: 9500 }));
    expect(
      eventsOf(...settled(3), tipSnapshot(125, all(3, {})), tipSnapshot(250, unread), later),
    ).toEqual(["MEV RUG 800→9500 in 2"]);
  });

  it("is disputed while two of them contradict each other, with what each says", () => {
    const { pending } = foldStory(...settled(2), tipSnapshot(130, [risen, kept]));
    const says = [9500, 800].map((commission) => expect.objectContaining({ commission }) as object);
    expect(pending).toMatchObject([
      { source: "MEV", from: 800, to: 9500, disputed: true, answers: says },
    ]);
  });

  it("is none from what stood before anybody watched", () => {
    const outcome = foldStory(tipSnapshot(130, all(3, risen)), tipSnapshot(140, all(3, risen)));
    expect(outcome.ledger.events).toEqual([]);
    expect(validatorOf(outcome, "A")).toMatchObject({ mev: 9500, mevEpoch: FIRST_EPOCH + 1 });
  });
});

describe("a mass change", () => {
  const many = crowd(30);
  const who = many.map(({ name }) => name);
  const shot = (minute: number, shareOf: (index: number, isRunning: boolean) => Share): Entry =>
    snapshotBy(minute, all(3, { list: many }), {
      closedProduction: producersOf({ minute, who }, ...all(3, who)),
      tips: tipsOf(
        { minute, who, controls: ["crowd 29"] },
        ...all(3, (name: string, isRunning: boolean) =>
          shareOf(Number(name.replace("crowd ", "")), isRunning),
        ),
      ),
    });
  const begin = [shot(0, () => 800), shot(110, () => 800)];
  const rise = (minute: number, count: number) =>
    shot(minute, (index, isNow) => (isNow && index < count ? 3000 : 800));

  it("waits for two further observations", () => {
    expect(eventsOf(...begin, rise(121, 30), rise(131, 30))).toEqual([]);
    expect(eventsOf(...begin, ...[121, 131, 141].map((minute) => rise(minute, 30)))).toHaveLength(
      30,
    );
  });

  it("is none of twenty", () => {
    expect(eventsOf(...begin, rise(121, 20))).toHaveLength(20);
  });

  it("is one of those that disable it, too", () => {
    const off = (minute: number) => shot(minute, (index) => (index > 23 ? 800 : "absent"));
    const open = [125, 230].map((minute) => shot(minute, (_, isNow) => (isNow ? "absent" : 800)));
    const twice = [245, 247].map(off);
    expect(eventsOf(...begin, ...open, ...twice)).toEqual([]);
    expect(eventsOf(...begin, ...open, ...twice, off(255))).toHaveLength(24);
  });
});
