import { describe, expect, it } from "vitest";
import type { Entry, SnapshotEntry } from "../../generator/entries/entry.ts";
import { trackedEpochs } from "../../generator/ledger/tracked-epochs.ts";
import { observedMev } from "../../generator/ledger/tips/timeline.ts";
import { tipsToRead } from "../../generator/ledger/tips/tips.ts";
import { FIRST_EPOCH, slotAt, SLOTS_IN_EPOCH, timeAt } from "../story/clock.ts";
import { foldStory } from "../story/fold.ts";
import { check, snapshot, snapshotBy } from "../story/observations.ts";
import { eventsOf, eventsIn, validatorOf } from "../story/outcome.ts";
import { panelSnapshot } from "../story/panels.ts";
import { tipSnapshot, NAMES, producersOf, tipsOf, type TipReading, type Share } from "../story/tips.ts";
import { crowd, keyOf, rest, row, withA, type Fact } from "../story/validators.ts";
import { all } from "../story/witnesses.ts";

const settled = (size: number) => [
  tipSnapshot(0, all<TipReading>(size, { now: 800 })),
  tipSnapshot(110, all<TipReading>(size, { now: 800 })),
];
const risen: TipReading = { now: 9500, before: 800 };
const NOT_READ = { state: "skipped", off: false } as const;
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
    ["nearly all that is shared again", all(3, { now: 3000, before: 800 }), [130], ["MEV CAUTION 800→3000 in 1"]],
    ["nobody finds an account", all(3, {}), [130, 140], []],
    ["accounts that are cut off", all(3, { now: null, before: null }), [130, 140], []],
    ["more than the whole", all(3, { now: 65_535, before: 800 }), [130, 140], []],
  ])("%s", (_, said, at, events) => {
    expect(eventsOf(...settled(said.length), ...at.map((minute) => tipSnapshot(minute, said)))).toEqual(events);
  });

  it("nothing of a check", () => {
    expect(eventsOf(...settled(1), check(130, withA()), check(131, withA()))).toEqual([]);
  });
});

describe("a change", () => {
  it("lies between the last observation of the epoch before and the first that showed it", () => {
    const told = foldStory(...settled(1), tipSnapshot(130, [risen]), tipSnapshot(140, [risen]));
    expect(told.ledger.events).toMatchObject([
      {
        ...{ previousSlot: slotAt(110), previousSeenAt: timeAt(110), slot: slotAt(130), createdAt: timeAt(130) },
        ...{ epoch: FIRST_EPOCH + 1, effectiveEpoch: FIRST_EPOCH + 1, confirmedBy: "account" },
      },
    ]);
  });

  it.each<[string, TipReading, string[]]>([
    ["is of the epoch that nobody saw where its account shows it", { now: 9500, before: 9500 }, [RUG]],
    ["is so too while the running one has no account", { now: "absent", before: 9500 }, [RUG]],
    ["is of the running one where the one before held the old share", risen, ["MEV RUG 800→9500 in 2"]],
    ["is of the running one where the one before had none", { now: 9500 }, ["MEV RUG 800→9500 in 2"]],
    ["is two of two epochs", { now: 9500, before: 3000 }, ["MEV CAUTION 800→3000 in 1", "MEV RUG 3000→9500 in 2"]],
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
    const waiting = [true, false].map((disputed) => ({ source: "MEV", from: 800, to: 9500, disputed }));
    expect(foldStory(...begin)).toMatchObject({ pending: waiting, ledger: { events: [] } });
    expect(eventsOf(...begin, tipSnapshot(260, all(3, { now: 9500, before: 9500 })))).toEqual([RUG]);
  });

  it("that waited for it in vain is of the epoch that showed it first", () => {
    const unread: TipReading[] = [{ now: 9500, before: 9500 }, risen, { now: 9500 }];
    const later = tipSnapshot(370, all<TipReading>(3, { now: 9500, before: 9500 }));
    expect(eventsOf(...settled(3), tipSnapshot(125, all(3, {})), tipSnapshot(250, unread), later)).toEqual([
      "MEV RUG 800→9500 in 2",
    ]);
  });

  it("is disputed while two of them contradict each other, with what each says", () => {
    const { pending } = foldStory(...settled(2), tipSnapshot(130, [risen, kept]));
    const says = [9500, 800].map((commission) => expect.objectContaining({ commission }) as object);
    expect(pending).toMatchObject([{ source: "MEV", from: 800, to: 9500, disputed: true, answers: says }]);
  });

  it("is none from what stood before anybody watched", () => {
    const told = foldStory(tipSnapshot(130, all(3, risen)), tipSnapshot(140, all(3, risen)));
    expect(told.ledger.events).toEqual([]);
    expect(validatorOf(told, "A")).toMatchObject({ mev: 9500, mevEpoch: FIRST_EPOCH + 1 });
  });
});

describe("given what is read of a closed epoch in which A had blocks, then of A", () => {
  const has: TipReading = kept;
  const hasNot: TipReading = { now: "absent", before: "absent" };
  const OFF = "MEV INFO 800→disabled in 1";
  const open = (size: number, sides: Partial<SnapshotEntry> = {}) => [
    ...settled(size),
    ...[125, 230].map((minute) => tipSnapshot(minute, all<TipReading>(size, { now: "absent", before: 800 }), sides)),
  ];
  const toLed = (name: string): [string, number, number] => [keyOf(`identity of ${name}`), 40, 39];
  type Producers = Parameters<typeof producersOf>[1];
  const others = NAMES.filter((name) => name !== "A");
  const counted = (
    minute: number,
    said: TipReading[],
    producers: readonly Producers[],
    sides: Partial<SnapshotEntry> = {},
  ) => tipSnapshot(minute, said, { closedProduction: producersOf({ minute }, ...producers), ...sides });
  const closing = (said: TipReading[], at: number[] = [245, 247], sides: Partial<SnapshotEntry> = {}) =>
    at.map((minute) => tipSnapshot(minute, said, sides));

  it.each<[string, TipReading[], number[] | undefined, string[]]>([
    ["a majority without it, twice two minutes apart: disabled", [hasNot, hasNot, has], undefined, [OFF]],
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
    const told = foldStory(...open(3), ...closing(all(3, hasNot)));
    const shown = validatorOf(told, "A");
    const points = [0, 1, 2].map((after) => observedMev(shown, FIRST_EPOCH + after));
    expect(points).toEqual([800, "disabled", null]);
    expect(shown).toMatchObject({ mev: "disabled", mevEpoch: FIRST_EPOCH + 1 });
    expect(told.ledger.events).toMatchObject([
      { epoch: FIRST_EPOCH + 1, effectiveEpoch: FIRST_EPOCH + 1, slot: slotAt(245), previousSlot: slotAt(110) },
    ]);
  });

  it("an account after none in the first reading is an account", () => {
    const told = foldStory(...open(3), tipSnapshot(245, all(3, hasNot)), tipSnapshot(247, all(3, has)));
    expect(eventsIn(told)).toEqual([]);
    expect(validatorOf(told, "A")).toMatchObject({ mev: 800, mevEpoch: FIRST_EPOCH + 2 });
  });

  it("none in an answer of before the epoch's end says nothing", () => {
    const early = [241, 243.1].map((minute) =>
      snapshot(minute, withA(), {
        closedProduction: producersOf({ minute }, NAMES),
        tips: tipsOf({ minute, ahead: [-150 - Math.round((minute - 240.5) * 300)] }, () => "absent"),
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
    const told = foldStory(...open(1), ...[245, 247].map((minute) => counted(minute, [hasNot], [others])));
    expect(told.ledger.events).toEqual([]);
    expect(validatorOf(told, "A")).toMatchObject({ mev: 800, tips: { knownTo: FIRST_EPOCH + 1 } });
  });

  it("nothing, if several vote accounts share the identity", () => {
    const sharing = [...crowd(8), { name: "crowd 8", identity: "A" }, { name: "A" }];
    const shot = (minute: number, share: Share) =>
      snapshot(minute, sharing, {
        closedProduction: producersOf({ minute }, NAMES),
        tips: tipsOf({ minute }, (name) => (name === "A" ? share : 800)),
      });
    const shots = [shot(0, 800), shot(125, "absent"), shot(230, "absent"), shot(245, "absent"), shot(247, "absent")];
    expect(eventsOf(...shots)).toEqual([]);
  });

  it("nothing, if it had no stake in it and took over the identity of another", () => {
    const stake = 1_000_000_000n;
    const shot = (minute: number, who: Parameters<typeof snapshot>[1], share: Share, absent: string[] = []) =>
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
    expect(validatorOf(foldStory(...begin), "A")).toMatchObject({ mev: 800, tips: { knownTo: FIRST_EPOCH } });
    expect(eventsOf(...begin, tipSnapshot(310, all(3, hasNot)))).toEqual([OFF]);
    expect(eventsOf(...begin, tipSnapshot(370, all(3, hasNot)), tipSnapshot(372.1, all(3, hasNot)))).toEqual([
      "MEV INFO 800→disabled in 2",
    ]);
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
    expect(validatorOf(foldStory(...never), "A")).toMatchObject({ mev: null, tips: { knownTo: FIRST_EPOCH + 1 } });
  });

  it("counted by one of two while the other lists, and does not count: nothing", () => {
    const alone = (...at: number[]) => at.map((minute) => counted(minute, all(2, hasNot), [NAMES, "silent"]));
    expect(eventsOf(...open(2), ...alone(245, 248, 251))).toEqual([]);
    expect(eventsOf(...open(2), ...alone(245), tipSnapshot(247.9, all(2, hasNot)))).toEqual([OFF]);
  });

  describe("under an identity", () => {
    /** null: its own; "silent": the witness gives no list. */
    type Identity = string | null;
    const listOf = (one: Identity, ofCrowd0: Identity): Fact[] => [
      { name: "crowd 0", ...(ofCrowd0 !== null && { identity: ofCrowd0 }) },
      ...rest.slice(1),
      { name: "A", ...(one !== null && { identity: one }) },
    ];
    const shot = (minute: number, share: Share, identities: readonly Identity[], by = 0, ofCrowd0: Identity = null) => {
      const lists = identities.map((one) => listOf(one, ofCrowd0));
      const size = lists.length;
      const shares = all(size, (name: string, isNow: boolean): Share =>
        name !== "A" ? 800 : isNow ? "absent" : share,
      );
      const ahead = identities.map((one) => (one === "silent" ? null : 0));
      return panelSnapshot(
        minute,
        lists[by] ?? withA(),
        { of: size, by, facts: lists, ahead },
        {
          tips: tipsOf({ minute }, ...(minute < 120 ? all(size, () => 800) : shares)),
          closedProduction: producersOf({ minute, who: [...NAMES, "Z"] }, ...all(size, [...others, "Z"])),
          production: { state: "ok", value: { rows: [...others, "Z"].map(toLed) } },
        },
      );
    };
    /** Of each witness at each minute. A made no block; Z made some. */
    const story = (
      at: (minute: number) => readonly Identity[],
      by = 0,
      ofCrowd0: (minute: number) => Identity = () => null,
    ) =>
      [0, 110, 125, 230, 245, 247].map((minute) =>
        shot(minute, minute < 240 ? 800 : "absent", at(minute), by, ofCrowd0(minute)),
      );
    const sharedUntil = (end: number) => (minute: number) => (minute < end ? "Z" : null);

    it.each<[string, Entry[], string[]]>([
      ["that made blocks, as all list it: disabled", story(() => all(3, "Z")), [OFF]],
      ["of its own, that made none: nothing", story(() => all(3, null)), []],
      ["as one of three lies, whose list is the entry's: nothing", story(() => ["Z", null, null]), []],
      ["as two of three list it: disabled", story(() => ["Z", null, "Z"], 1), [OFF]],
      ["on which no majority agrees: nothing", story(() => ["Z", null, "Y"]), []],
      [
        "that it took before the epoch before began: disabled",
        [
          ...[-60, -30].map((minute) => shot(minute, 800, all(3, minute === -60 ? null : "Z"))),
          ...story(() => all(3, "Z")),
        ],
        [OFF],
      ],
      ["that it took in the epoch before: nothing", story((minute) => all(3, minute < 100 ? null : "Z")), []],
      ["that it took in the closed epoch: nothing", story((minute) => all(3, minute < 200 ? null : "Z")), []],
      ["that it took since: nothing", story((minute) => all(3, minute < 246 ? null : "Z")), []],
      ["that it left since: nothing", story((minute) => all(3, minute < 246 ? "Z" : null)), []],
      [
        "that two share: nothing",
        story(
          () => all(3, "Z"),
          0,
          () => "Z",
        ),
        [],
      ],
      ["that two shared since the epoch before began: nothing", story(() => all(3, "Z"), 0, sharedUntil(100)), []],
      [
        "that two shared before it began: disabled",
        [shot(-60, 800, all(3, "Z"), 0, "Z"), ...story(() => all(3, "Z"))],
        [OFF],
      ],
      [
        "on which no majority agrees since: nothing yet",
        story((minute) => (minute < 240 ? all(3, "Z") : ["Z", null, "Y"])),
        [],
      ],
      [
        "on which a majority agrees later: disabled then",
        [...story((minute) => (minute < 240 ? all(3, "Z") : ["Z", null, "Y"])), shot(255, "absent", all(3, "Z"))],
        [OFF],
      ],
      [
        "as one of two alone lists it, while the other is silent for a moment: nothing yet",
        story((minute) => (minute < 240 ? ["Z", "Z"] : ["Z", "silent"])),
        [],
      ],
      [
        "as one of two alone lists it, three minutes later: disabled",
        [...story((minute) => (minute < 240 ? ["Z", "Z"] : ["Z", "silent"])), shot(248, "absent", ["Z", "silent"])],
        [OFF],
      ],
      ["that one lies it took since: disabled", story((minute) => ["Z", "Z", minute < 246 ? "Z" : null]), [OFF]],
    ])("%s", (_, entries, events) => {
      expect(eventsOf(...entries)).toEqual(events);
    });
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

describe("a mass change", () => {
  const many = crowd(30);
  const who = many.map(({ name }) => name);
  const shot = (minute: number, shareOf: (index: number, isRunning: boolean) => Share): Entry =>
    snapshotBy(minute, all(3, { list: many }), {
      closedProduction: producersOf({ minute, who }, ...all(3, who)),
      tips: tipsOf(
        { minute, who, controls: ["crowd 29"] },
        ...all(3, (name: string, isRunning: boolean) => shareOf(Number(name.replace("crowd ", "")), isRunning)),
      ),
    });
  const begin = [shot(0, () => 800), shot(110, () => 800)];
  const rise = (minute: number, count: number) => shot(minute, (index, isNow) => (isNow && index < count ? 3000 : 800));

  it("waits for two further observations", () => {
    expect(eventsOf(...begin, rise(121, 30), rise(131, 30))).toEqual([]);
    expect(eventsOf(...begin, ...[121, 131, 141].map((minute) => rise(minute, 30)))).toHaveLength(30);
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

describe("what is asked", () => {
  const asked = (minute: number, ...entries: Entry[]) => {
    const { ledger } = foldStory(...entries);
    const { tips, controls } = tipsToRead(ledger, { epoch: FIRST_EPOCH + minute, votes: ["A", "crowd 0"].map(keyOf) });
    const toText = ({ vote, epoch }: { vote: string; epoch: number }) =>
      `${vote === keyOf("A") ? "A" : "crowd 0"} ${epoch - FIRST_EPOCH}`;
    return { tips: tips.map(toText), controls: controls.map(toText) };
  };
  const begin = settled(1);

  it.each<[string, number, Entry[], string[], string[]]>([
    ["both epochs of all, at the beginning", 0, [], ["A -1", "A 0", "crowd 0 -1", "crowd 0 0"], []],
    ["nobody whom the ledger does not know", 0, [snapshot(0, rest.slice(1))], [], []],
    ["nothing that is known", 0, [tipSnapshot(0, [{ now: 800, before: 800 }])], [], []],
    ["the running epoch", 1, begin, ["A 1", "crowd 0 1"], []],
    [
      "the closed one, with those whose account is there",
      2,
      [...begin, ...[125, 126].map((minute) => tipSnapshot(minute, [{ before: 800 }]))],
      ["A 1", "A 2", "crowd 0 2"],
      ["crowd 0 1"],
    ],
    [
      "not the closed one that is known to have none",
      2,
      [
        ...begin,
        ...[125, 126].map((minute) => tipSnapshot(minute, [{ before: 800 }])),
        tipSnapshot(245, [{}]),
        tipSnapshot(247, [{}]),
      ],
      ["A 2"],
      [],
    ],
  ])("is %s", (_, epoch, entries, tips, controls) => {
    expect(asked(epoch, ...entries)).toEqual({ tips, controls });
  });

  const closedOf = (entries: Entry[]) => {
    const { ledger } = foldStory(...entries);
    return tipsToRead(ledger, { epoch: FIRST_EPOCH + 2, votes: ["A", "crowd 0"].map(keyOf) }).closed;
  };
  const withoutTip = [125, 126].map((minute) => tipSnapshot(minute, [{ before: 800 }]));
  const firstSlot = (FIRST_EPOCH + 1) * SLOTS_IN_EPOCH;
  const ofA = {
    ...{ epoch: FIRST_EPOCH + 1, firstSlot, lastSlot: firstSlot + SLOTS_IN_EPOCH - 1 },
    identities: [keyOf("identity of A")],
  };
  const uncounted = (minute: number) => tipSnapshot(minute, [{}], { closedProduction: NOT_READ });
  const took = (minute: number) =>
    tipSnapshot(minute, [{}], { votes: [...rest.map(row), { ...row({ name: "A" }), identity: keyOf("another") }] });

  it.each<[string, Entry[], typeof ofA | null]>([
    ["those of whoever shared tips before", [...begin, ...withoutTip], ofA],
    [
      "nobody's who never shared any",
      [tipSnapshot(0, [{}], { tips: NOT_READ }), tipSnapshot(125, [{}], { tips: NOT_READ })],
      null,
    ],
    ["nobody's whose tip account is there", [...begin, tipSnapshot(125, [{ now: 800, before: 800 }])], null],
    ["also while only the tip account was asked for", [...begin, ...withoutTip, uncounted(245)], ofA],
    ["nobody's that are counted", [...begin, ...withoutTip, tipSnapshot(245, [{}])], null],
    ["nobody's under an identity that changed", [...begin, ...withoutTip, took(245)], null],
  ])("of the blocks of the closed epoch, are %s", (_, entries, closed) => {
    expect(closedOf(entries)).toEqual(closed);
  });
});
