import { describe, expect, it } from "vitest";
import type { Entry, SnapshotEntry } from "../../generator/entries/entry.ts";
import { at, closed, crowdRows, list, names, onChain, type Told } from "./mev-facts.ts";
import { all, byPanel, closedBy, endpointOf, read, type Witnessed } from "./panel-story.ts";
import { crowd, eventsOf, eventsTold, FIRST_EPOCH, snapshot, tell, timeAt, validatorOf } from "./story.ts";

const panelAt = (size: number, ...said: Parameters<typeof at>): SnapshotEntry => byPanel(size, at(...said));
const readA = (minute: number, ...said: Witnessed[]) => read(minute, ["A"], ...said);
const settled = (size: number) => [panelAt(size, 0, 800), readA(0.1, ...all(size, { now: 800 }))];
const opened = (size: number) => [...settled(size), panelAt(size, 130, 9500)];
const risen: Witnessed = { now: 9500, before: 800 };
const kept: Witnessed = { now: 800, before: 800 };
const RUG = "MEV RUG 800→9500 in 1";

describe("a change seen in the list, and what the witnesses then read of this epoch and of the one before", () => {
  it.each<[string, Witnessed[], string[]]>([
    ["all read it", all(3, risen), [RUG]],
    ["one alone reads it", [risen], [RUG]],
    ["a majority of three", [risen, risen, kept], [RUG]],
    ["a majority of three, one silent", [risen, risen, "silent"], [RUG]],
    ["one of three", [risen, kept, kept], []],
    ["two of four", [risen, risen, kept, kept], []],
    ["three of four", [risen, risen, risen, kept], [RUG]],
    ["one of two, the other denies", [risen, { now: 800 }], []],
    ["one of two, the other silent for a moment", [risen, "silent"], []],
    ["a majority reads a third share", all(3, { now: 3000, before: 800 }), ["MEV CAUTION 800→3000 in 1"]],
    ["nobody finds an account", all(3, {}), []],
  ])("%s", (_, said, events) => {
    expect(eventsOf(...opened(said.length), readA(130.1, ...said))).toEqual(events);
  });

  it.each<[string, Witnessed, string[]]>([
    ["is filed in the epoch that it was of", { now: 9500, before: 9500 }, [RUG]],
    ["is so too while the running one has no account", { now: "absent", before: 9500 }, [RUG]],
    ["is of this one where the one before held the old share", risen, ["MEV RUG 800→9500 in 2"]],
    ["is of this one where the one before had none", { now: 9500, before: "absent" }, ["MEV RUG 800→9500 in 2"]],
    ["is two of two epochs", { now: 9500, before: 3000 }, ["MEV CAUTION 800→3000 in 1", "MEV RUG 3000→9500 in 2"]],
  ])("of an epoch that nobody saw, the change %s", (_, said, events) => {
    const again = [250.1, 252.2].map((minute) => readA(minute, ...all(3, said)));
    expect(eventsOf(...settled(3), panelAt(3, 250, 9500), ...again)).toEqual(events);
  });

  it("is not dated while no majority tells the epoch before", () => {
    const begin = [...settled(3), panelAt(3, 250, 9500), readA(250.1, { now: 9500, before: 9500 }, risen, "silent")];
    expect(tell(...begin)).toMatchObject({ pending: [{ to: 9500 }], ledger: { events: [] } });
    expect(eventsOf(...begin, readA(251.1, ...all(3, { now: 9500, before: 9500 })))).toEqual([RUG]);
  });

  it("lies between the last observation of the epoch before and the list that showed it", () => {
    const told = tell(...settled(3), panelAt(3, 125, 800), panelAt(3, 130, 9500), readA(130.1, ...all(3, risen)));
    expect(told.ledger.events).toMatchObject([{ previousSeenAt: timeAt(0), createdAt: timeAt(130) }]);
  });

  it("is one event, though two caches of the vendor show both shares in turn", () => {
    const turns = [9500, 800, 9500, 800].flatMap((share, index) => [
      panelAt(3, 130 + index * 10, share),
      readA(130.1 + index * 10, ...all(3, risen)),
    ]);
    expect(eventsOf(...settled(3), ...turns)).toEqual([RUG]);
  });
});

describe("lists alone", () => {
  it("make no event of a panel, however often they show it", () => {
    const told = tell(...opened(1), panelAt(1, 140, 9500), panelAt(1, 150, 9500));
    expect(eventsTold(told)).toEqual([]);
    expect(told.pending).toMatchObject([{ from: 800, to: 9500 }]);
  });

  it.each<[string, Entry[]]>([
    ["the only witness's", [panelAt(1, 0, 800), panelAt(1, 10, 9500), panelAt(1, 20, 9500)]],
    ["three witnesses'", [panelAt(3, 0, 800), panelAt(3, 10, 9500), panelAt(3, 20, 9500)]],
    ["of three that then read the accounts", [panelAt(3, 0, 800), readA(0.1, ...all(3, risen)), panelAt(3, 10, 9500)]],
  ])("correct a first share that was false and not settled, without an event: %s", (_, entries) => {
    expect(tell(...entries)).toMatchObject({ pending: [], ledger: { events: [] } });
    expect(validatorOf(tell(...entries), "A").mev).toBe(9500);
  });

  it("do not confirm what one reader of the chain tells in the vendor's place", () => {
    const chain = [130, 140, 150].map((minute) => byPanel(3, onChain(minute, 9500)));
    expect(eventsOf(...settled(3), ...chain)).toEqual([]);
  });
});

describe("of two witnesses", () => {
  const one: Witnessed[] = [risen, "silent"];

  it("one decides when the other has been silent, and is kept as such, for three minutes", () => {
    const begin = [...opened(2), readA(130.1, ...one), readA(132.1, ...one)];
    expect(eventsOf(...begin)).toEqual([]);
    const words = validatorOf(tell(...begin), "A").pendingMev?.testimony;
    expect(words?.get(0)).toMatchObject({ value: 9500, of: "account" });
    expect(words?.get(1)).toMatchObject({ value: null });
    expect(eventsOf(...begin, readA(133.1, ...one))).toEqual([RUG]);
  });

  it("that contradict each other none decides, and both are kept with what they say", () => {
    const told = tell(...opened(2), readA(130.1, risen, kept), panelAt(2, 140, 9500), readA(140.1, risen, kept));
    expect(eventsTold(told)).toEqual([]);
    const words = [...(validatorOf(told, "A").pendingMev?.testimony ?? [])];
    expect(words.map(([witness, { value }]) => [told.ledger.witnesses[witness]?.origin, value])).toEqual([
      [endpointOf(0).replace(/#\d$/, ""), 9500],
      [endpointOf(1).replace(/#\d$/, ""), 800],
    ]);
  });
});

describe("what a closed epoch had, as the witnesses read it", () => {
  const has = () => 800 as const;
  const hasNot = (name: string) => (name === "A" ? "absent" : 800);
  const failed: Partial<SnapshotEntry> = { closedMev: { state: "failed", reason: "no answer" } };
  const listed = (...rows: Told[]) => ({ closedMev: closed(FIRST_EPOCH + 1, ...crowdRows, ...rows) });
  const [withA, without] = [listed(["A", 800]), listed()];
  const late = (size: number) => [...settled(size), panelAt(size, 125, 800), panelAt(size, 230, 800)];
  type Said = Parameters<typeof closedBy>[2];
  const closing = (sides: Partial<SnapshotEntry>, said: Said[], minute = 245, share = 800) =>
    panelAt(said.length, minute, share, { closedTips: closedBy(minute, names, ...said), ...sides });
  const OFF = "MEV INFO 800→disabled in 1";
  const RUG_LATER = "MEV RUG 800→9500 in 2";
  const none = all(3, hasNot);
  const NEARLY_ALL = "MEV CAUTION disabled→9500 in 2";
  const offAndOn: Witnessed = { now: 9500, before: "absent" };
  const rising = (minute: number, said = offAndOn, sides: Partial<SnapshotEntry> = {}): Entry[] => [
    panelAt(3, minute, 9500, sides),
    readA(minute + 0.1, ...all(3, said)),
  ];
  const waiting = rising(245, offAndOn, failed);

  it.each<[string, Partial<SnapshotEntry>, Said[], string[]]>([
    ["one that omits an account disables nobody", withA, [has, hasNot, has], []],
    ["nor where the vendor fails", failed, [has, hasNot, has], []],
    ["a majority without it does", withA, [hasNot, hasNot, has], [OFF]],
    ["of two both must say so", withA, [hasNot, has], []],
    ["one of two and the list against the other decide nothing", without, [hasNot, has], []],
    ["both do", withA, [hasNot, hasNot], [OFF]],
    ["accounts that nobody could read leave it to the list", without, ["silent", "silent"], [OFF]],
    ["an account denies a gap in the list", without, [has, has, "silent"], []],
    ["a witness without any accounts is none", without, [() => "absent", has, has], []],
    ["they tell of a change that no list has shown", failed, [...all(2, toRisen), has], [RUG]],
  ])("%s", (_, sides, said, events) => {
    expect(eventsOf(...late(said.length), closing(sides, said), closing(sides, said, 247.1))).toEqual(events);
  });

  it("no account in one reading, and one two minutes later, is an account", () => {
    const told = tell(...late(3), closing(failed, none), closing(failed, all(3, has), 247.1));
    expect(eventsTold(told)).toEqual([]);
    expect(validatorOf(told, "A").mevSettledEpoch).toBe(FIRST_EPOCH + 1);
  });

  it("no account in two readings within two minutes says nothing yet", () => {
    const twice = [245, 246.9].map((minute) => closing(failed, none, minute));
    expect(eventsOf(...late(3), ...twice)).toEqual([]);
  });

  function toRisen(name: string) {
    return name === "A" ? 9500 : 800;
  }

  it.each<[string, Entry[], string[]]>([
    [
      "undecided is decided by a later answer",
      [closing(withA, [has, hasNot, "silent"]), ...rising(255, risen)],
      [RUG_LATER],
    ],
    ["off and nearly all again is a caution", [closing(without, none), ...rising(255)], [OFF, NEARLY_ALL]],
    ["is decided before a rise after it", [...waiting, closing(failed, none, 255, 9500)], [OFF, NEARLY_ALL]],
    ["keeps the rise waiting until then", waiting, []],
  ])("%s", (_, entries, events) => {
    expect(eventsOf(...late(3), ...entries)).toEqual(events);
  });

  it("settles the first shares of all, and of a share that nobody settled is no event", () => {
    const begin = [panelAt(3, 0, 800), readA(0.1, ...all(3, "silent" as const)), panelAt(3, 110, 800)];
    const held = tell(...begin, closing({}, all(3, has), 125));
    expect(validatorOf(held, "A")).toMatchObject({ mev: 800, mevSettledEpoch: FIRST_EPOCH });
    const off = tell(...begin, ...[125, 135].map((minute) => closing({}, [hasNot, hasNot, has], minute)));
    expect(eventsTold(off)).toEqual([]);
    expect(validatorOf(off, "A").mev).toBe("disabled");
  });
});

describe("a mass change", () => {
  const many = crowd(30).map(({ name }) => name);
  /** The first `count` rose from one share to the next. */
  const told = (minute: number, count: number, from: number, to: number): Entry => {
    const rows = many.map((name, index): Told => [name, index < count ? to : from]);
    return byPanel(3, snapshot(minute, crowd(30), { mev: list(...rows) }));
  };
  const accounts = (minute: number, before: number, now: number, who = many) =>
    read(minute, who, ...all(3, { now, before }));
  const begin = [told(0, 0, 800, 800), read(0.1, many, ...all(3, { now: 800 }))];

  it("waits for two further lists beside the accounts", () => {
    const rise = [told(121, 30, 800, 3000), accounts(121.1, 800, 3000), told(131, 30, 800, 3000)];
    expect(eventsOf(...begin, ...rise)).toEqual([]);
    expect(eventsOf(...begin, ...rise, told(141, 30, 800, 3000))).toHaveLength(30);
  });

  it("of those that had changed the epoch before, one after the other, is published", () => {
    const changed = [
      ...[told(121, 15, 800, 3000), accounts(121.1, 800, 3000, many.slice(0, 15))],
      ...[told(131, 30, 800, 3000), accounts(131.1, 800, 3000, many.slice(15))],
      ...[told(250, 30, 3000, 9500), accounts(250.1, 3000, 9500), told(260, 30, 3000, 9500)],
    ];
    expect(eventsOf(...begin, ...changed)).toHaveLength(30);
    const rugs = eventsOf(...begin, ...changed, told(270, 30, 3000, 9500)).slice(30);
    expect(rugs).toEqual(all(30, "MEV RUG 3000→9500 in 2 of another"));
  });
});
