import { describe, expect, it } from "vitest";
import type { Entry, SnapshotEntry } from "../../generator/entries/entry.ts";
import { trackedEpochs } from "../../generator/ledger/tracked-epochs.ts";
import { observedMev } from "../../generator/ledger/tips/timeline.ts";
import { tipsToRead } from "../../generator/ledger/tips/tips.ts";
import { facts, led, look, names, production, tipsOf, type Says, type Share } from "./mev-facts.ts";
import { all, byPanel } from "./panel-story.ts";
import {
  check,
  crowd,
  eventsOf,
  eventsTold,
  FIRST_EPOCH,
  keyOf,
  rest,
  slotAt,
  snapshot,
  tell,
  timeAt,
  validatorOf,
} from "./story.ts";

const settled = (size: number) => [look(0, all<Says>(size, { now: 800 })), look(110, all<Says>(size, { now: 800 }))];
const risen: Says = { now: 9500, before: 800 };
const kept: Says = { now: 800, before: 800 };
const RUG = "MEV RUG 800→9500 in 1";

describe("given what the witnesses read in the next epoch after a share of 8 %, then these MEV events", () => {
  it.each<[string, Says[], number[], string[]]>([
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
    expect(eventsOf(...settled(said.length), ...at.map((minute) => look(minute, said)))).toEqual(events);
  });

  it("nothing of a check", () => {
    expect(eventsOf(...settled(1), check(130, facts), check(131, facts))).toEqual([]);
  });
});

describe("a change", () => {
  it("lies between the last observation of the epoch before and the first that showed it", () => {
    const told = tell(...settled(1), look(130, [risen]), look(140, [risen]));
    expect(told.ledger.events).toMatchObject([
      {
        ...{ previousSlot: slotAt(110), previousSeenAt: timeAt(110), slot: slotAt(130), createdAt: timeAt(130) },
        ...{ epoch: FIRST_EPOCH + 1, effectiveEpoch: FIRST_EPOCH + 1, confirmedBy: "account" },
      },
    ]);
  });

  it.each<[string, Says, string[]]>([
    ["is of the epoch that nobody saw where its account shows it", { now: 9500, before: 9500 }, [RUG]],
    ["is so too while the running one has no account", { now: "absent", before: 9500 }, [RUG]],
    ["is of the running one where the one before held the old share", risen, ["MEV RUG 800→9500 in 2"]],
    ["is of the running one where the one before had none", { now: 9500 }, ["MEV RUG 800→9500 in 2"]],
    ["is two of two epochs", { now: 9500, before: 3000 }, ["MEV CAUTION 800→3000 in 1", "MEV RUG 3000→9500 in 2"]],
  ])("after an epoch that nobody saw %s", (_, said, events) => {
    const again = [250, 252.1].map((minute) => look(minute, all(3, said)));
    expect(eventsOf(...settled(3), ...again)).toEqual(events);
  });

  it("makes an epoch known that nobody saw", () => {
    const { ledger, touched } = tell(...settled(3), look(250, all<Says>(3, { now: 800, before: 800 })));
    expect(trackedEpochs(ledger).map((epoch) => epoch - FIRST_EPOCH)).toEqual([0, 1, 2]);
    expect(touched.epochs).toContain(FIRST_EPOCH + 1);
  });

  it("waits until a majority tells what the epoch before had, and is pending so long", () => {
    const begin = [
      ...settled(3),
      look(125, all(3, {})),
      look(250, [{ now: 9500, before: 9500 }, risen, { now: 9500 }]),
    ];
    const waiting = [true, false].map((disputed) => ({ source: "MEV", from: 800, to: 9500, disputed }));
    expect(tell(...begin)).toMatchObject({ pending: waiting, ledger: { events: [] } });
    expect(eventsOf(...begin, look(260, all(3, { now: 9500, before: 9500 })))).toEqual([RUG]);
  });

  it("that waited for it in vain is of the epoch that showed it first", () => {
    const unread: Says[] = [{ now: 9500, before: 9500 }, risen, { now: 9500 }];
    const later = look(370, all<Says>(3, { now: 9500, before: 9500 }));
    expect(eventsOf(...settled(3), look(125, all(3, {})), look(250, unread), later)).toEqual(["MEV RUG 800→9500 in 2"]);
  });

  it("is disputed while two of them contradict each other, with what each says", () => {
    const { pending } = tell(...settled(2), look(130, [risen, kept]));
    const says = [9500, 800].map((commission) => expect.objectContaining({ commission }) as object);
    expect(pending).toMatchObject([{ source: "MEV", from: 800, to: 9500, disputed: true, says }]);
  });

  it("is none from what stood before anybody watched", () => {
    const told = tell(look(130, all(3, risen)), look(140, all(3, risen)));
    expect(told.ledger.events).toEqual([]);
    expect(validatorOf(told, "A")).toMatchObject({ mev: 9500, mevEpoch: FIRST_EPOCH + 1 });
  });
});

describe("given what is read of a closed epoch in which A had blocks, then of A", () => {
  const has: Says = kept;
  const hasNot: Says = { now: "absent", before: "absent" };
  const OFF = "MEV INFO 800→disabled in 1";
  const open = (size: number, sides: Partial<SnapshotEntry> = {}) => [
    ...settled(size),
    ...[125, 230].map((minute) => look(minute, all<Says>(size, { now: "absent", before: 800 }), sides)),
  ];
  const closing = (said: Says[], at: number[] = [245, 247], sides: Partial<SnapshotEntry> = {}) =>
    at.map((minute) => look(minute, said, sides));

  it.each<[string, Says[], number[] | undefined, string[]]>([
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
    const told = tell(...open(3), ...closing(all(3, hasNot)));
    const shown = validatorOf(told, "A");
    const points = [0, 1, 2].map((after) => observedMev(shown, FIRST_EPOCH + after));
    expect(points).toEqual([800, "disabled", null]);
    expect(shown).toMatchObject({ mev: "disabled", mevEpoch: FIRST_EPOCH + 1 });
    expect(told.ledger.events).toMatchObject([
      { epoch: FIRST_EPOCH + 1, effectiveEpoch: FIRST_EPOCH + 1, slot: slotAt(245), previousSlot: slotAt(110) },
    ]);
  });

  it("an account after none in the first reading is an account", () => {
    const told = tell(...open(3), look(245, all(3, hasNot)), look(247, all(3, has)));
    expect(eventsTold(told)).toEqual([]);
    expect(validatorOf(told, "A")).toMatchObject({ mev: 800, mevEpoch: FIRST_EPOCH + 2 });
  });

  it("none in an answer of before the epoch's end says nothing", () => {
    const early = [241, 243.1].map((minute) =>
      byPanel(1, {
        ...snapshot(minute, facts, { production: led }),
        tips: tipsOf({ minute, ahead: [-150 - Math.round((minute - 240.5) * 300)] }, () => "absent"),
      }),
    );
    expect(eventsOf(...open(1), ...early)).toEqual([]);
  });

  it("none by a witness that lacks a control says nothing", () => {
    const lacking = [245, 247].map((minute) =>
      byPanel(1, { ...snapshot(minute, facts, { production: led }), tips: tipsOf({ minute }, () => "absent") }),
    );
    expect(eventsOf(...open(1), ...lacking)).toEqual([]);
  });

  it.each<[string, Partial<SnapshotEntry>]>([
    ["that led no slots", { production: production([]) }],
    ["that made no block", { production: production(names, 0) }],
  ])("nothing, %s: the commission before stands", (_, sides) => {
    const begin = [look(0, [{ now: 800 }], sides), look(110, [{ now: 800 }], sides)];
    const told = tell(...begin, look(125, [{ before: 800 }], sides), ...closing([hasNot], undefined, sides));
    expect(told.ledger.events).toEqual([]);
    expect(validatorOf(told, "A")).toMatchObject({ mev: 800, tips: { knownTo: FIRST_EPOCH + 1 } });
  });

  it("nothing, if several vote accounts share the identity", () => {
    const sharing = [...crowd(8), { name: "crowd 8", identity: "A" }, { name: "A" }];
    const shot = (minute: number, share: Share) =>
      byPanel(1, {
        ...snapshot(minute, sharing, { production: led }),
        tips: tipsOf({ minute }, (name) => (name === "A" ? share : 800)),
      });
    const shots = [shot(0, 800), shot(125, "absent"), shot(230, "absent"), shot(245, "absent"), shot(247, "absent")];
    expect(eventsOf(...shots)).toEqual([]);
  });

  it("nothing, if it had no stake in it and took over the identity of another", () => {
    const stake = 1_000_000_000n;
    const shot = (minute: number, who: Parameters<typeof snapshot>[1], share: Share, absent: string[] = []) =>
      byPanel(1, {
        ...snapshot(minute, who, { production: led, absent: absent.map(keyOf) }),
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

  it("off and nearly all again is a caution, never without the first", () => {
    const again: Says = { now: 9500 };
    const NEARLY_ALL = "MEV CAUTION disabled→9500 in 2";
    expect(eventsOf(...open(3), look(245, all(3, again)))).toEqual([]);
    expect(eventsOf(...open(3), ...closing(all(3, again)))).toEqual([OFF, NEARLY_ALL]);
  });

  it("nothing of an epoch that is not the last one", () => {
    expect(eventsOf(...open(3), ...closing(all(3, hasNot), [370, 372.1]))).toEqual([]);
  });
});

describe("a mass change", () => {
  const many = crowd(30);
  const shot = (minute: number, tell: (index: number, isNow: boolean) => Share): Entry =>
    byPanel(3, {
      ...snapshot(minute, many, { production: production(many.map(({ name }) => name)) }),
      tips: tipsOf(
        { minute, who: many.map(({ name }) => name), controls: ["crowd 29"] },
        ...all(3, (name: string, isNow: boolean) => tell(Number(name.replace("crowd ", "")), isNow)),
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
    const { ledger } = tell(...entries);
    const { tips, controls } = tipsToRead(ledger, { epoch: FIRST_EPOCH + minute, votes: ["A", "crowd 0"].map(keyOf) });
    const toText = ({ vote, epoch }: { vote: string; epoch: number }) =>
      `${vote === keyOf("A") ? "A" : "crowd 0"} ${epoch - FIRST_EPOCH}`;
    return { tips: tips.map(toText), controls: controls.map(toText) };
  };
  const begin = settled(1);

  it.each<[string, number, Entry[], string[], string[]]>([
    ["both epochs of all, at the beginning", 0, [], ["A -1", "A 0", "crowd 0 -1", "crowd 0 0"], []],
    ["nobody whom the ledger does not know", 0, [snapshot(0, rest.slice(1))], [], []],
    ["nothing that is known", 0, [look(0, [{ now: 800, before: 800 }])], [], []],
    ["the running epoch", 1, begin, ["A 1", "crowd 0 1"], []],
    [
      "the closed one, with those whose account is there",
      2,
      [...begin, ...[125, 126].map((minute) => look(minute, [{ before: 800 }]))],
      ["A 1", "A 2", "crowd 0 2"],
      ["crowd 0 1"],
    ],
    [
      "not the closed one that is known to have none",
      2,
      [...begin, ...[125, 126].map((minute) => look(minute, [{ before: 800 }])), look(245, [{}]), look(247, [{}])],
      ["A 2"],
      [],
    ],
  ])("is %s", (_, epoch, entries, tips, controls) => {
    expect(asked(epoch, ...entries)).toEqual({ tips, controls });
  });
});
