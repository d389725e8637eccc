import { describe, expect, it } from "vitest";
import type { Entry, SnapshotEntry } from "../../generator/entries/entry.ts";
import { at, closed, crowdRows, facts, list, of, onChain, type Told } from "./mev-facts.ts";
import { byPanel, closedBy, endpointOf, read, type Witnessed } from "./panel-story.ts";
import { crowd, eventsOf, FIRST_EPOCH, keyOf, snapshot, tell, timeAt, validatorOf } from "./story.ts";

/* What tip accounts, as a majority of the panel reads them, decide about MEV commissions. */

const names = facts.map(({ name }) => name);
const panelAt = (size: number, ...said: Parameters<typeof at>): SnapshotEntry => byPanel(size, at(...said));
const readA = (minute: number, ...said: Witnessed[]) => read(minute, ["A"], ...said);
const all = (size: number, said: Witnessed) => Array.from({ length: size }, () => said);
/** A's 800 of epoch 0 is settled by all witnesses. */
const settled = (size: number) => [panelAt(size, 0, 800), readA(0.1, ...all(size, { now: 800 }))];
const opened = (size: number) => [...settled(size), panelAt(size, 130, 9500)];
const rug = of("RUG 800→9500 in 1");

describe("a change seen in the list, and what the witnesses then read of this epoch and of the one before", () => {
  const table: [string, Witnessed[], string[]][] = [
    ["all read it", all(3, { now: 9500, before: 800 }), [rug]],
    ["one alone reads it", all(1, { now: 9500, before: 800 }), [rug]],
    ["a majority of three", [...all(2, { now: 9500, before: 800 }), { now: 800, before: 800 }], [rug]],
    ["a majority of three, one silent", [...all(2, { now: 9500, before: 800 }), "silent"], [rug]],
    ["one of three", [{ now: 9500, before: 800 }, ...all(2, { now: 800, before: 800 })], []],
    ["two of four", [...all(2, { now: 9500, before: 800 }), ...all(2, { now: 800, before: 800 })], []],
    ["three of four", [...all(3, { now: 9500, before: 800 }), { now: 800, before: 800 }], [rug]],
    ["one of two, the other denies", [{ now: 9500, before: 800 }, { now: 800 }], []],
    ["one of two, the other silent for a moment", [{ now: 9500, before: 800 }, "silent"], []],
    ["a majority reads a third share", all(3, { now: 3000, before: 800 }), [of("CAUTION 800→3000 in 1")]],
    ["nobody finds an account", all(3, {}), []],
    ["it is of the epoch before", all(3, { now: 9500, before: 9500 }), []],
  ];

  it.each(table.slice(0, -1))("%s", (_, said, events) => {
    expect(eventsOf(tell(...opened(said.length), readA(130.1, ...said)))).toEqual(events);
  });

  it.each<[string, Witnessed, string[]]>([
    ["is filed in the epoch that it was of", { now: 9500, before: 9500 }, [of("RUG 800→9500 in 1")]],
    ["is so too while the running one has no account", { now: "absent", before: 9500 }, [of("RUG 800→9500 in 1")]],
    ["is of this one where the one before held the old share", { now: 9500, before: 800 }, [of("RUG 800→9500 in 2")]],
    ["is of this one where the one before had none", { now: 9500, before: "absent" }, [of("RUG 800→9500 in 2")]],
    [
      "is two where each epoch has another",
      { now: 9500, before: 3000 },
      [of("CAUTION 800→3000 in 1"), of("RUG 3000→9500 in 2")],
    ],
  ])("of an epoch that nobody saw, the change %s", (_, said, events) => {
    expect(eventsOf(tell(...settled(3), panelAt(3, 250, 9500), readA(250.1, ...all(3, said))))).toEqual(events);
  });

  it("is not dated while no majority tells the epoch before", () => {
    const divided: Witnessed[] = [{ now: 9500, before: 9500 }, { now: 9500, before: 800 }, "silent"];
    const begin = [...settled(3), panelAt(3, 250, 9500), readA(250.1, ...divided)];
    expect(tell(...begin)).toMatchObject({ pending: [{ to: 9500 }], ledger: { events: [] } });
    expect(eventsOf(tell(...begin, readA(251.1, ...all(3, { now: 9500, before: 9500 }))))).toEqual([rug]);
  });

  it("lies between the last observation of the epoch before and the list that showed it", () => {
    const late = [...settled(3), panelAt(3, 125, 800), panelAt(3, 130, 9500)];
    const told = tell(...late, readA(130.1, ...all(3, { now: 9500, before: 800 })));
    expect(told.ledger.events).toMatchObject([{ previousSeenAt: timeAt(0), createdAt: timeAt(130) }]);
  });
});

describe("lists alone", () => {
  it("make no event of a panel, however often they show it", () => {
    const told = tell(...opened(1), panelAt(1, 140, 9500), panelAt(1, 150, 9500));
    expect(eventsOf(told)).toEqual([]);
    expect(told.pending).toMatchObject([{ from: 800, to: 9500 }]);
  });

  it.each([1, 3])("correct a first share that no account has settled: %i witnesses", (size) => {
    const told = tell(panelAt(size, 0, 800), panelAt(size, 10, 9500), panelAt(size, 20, 9500));
    expect(told).toMatchObject({ pending: [], ledger: { events: [] } });
    expect(validatorOf(told, "A").mev).toBe(9500);
  });

  it("are corrected by the account, if the first share was false, and that is no event", () => {
    const told = tell(panelAt(3, 0, 800), readA(0.1, ...all(3, { now: 9500, before: 800 })), panelAt(3, 10, 9500));
    expect(told).toMatchObject({ pending: [], ledger: { events: [] } });
    expect(validatorOf(told, "A").mev).toBe(9500);
  });

  it("do not confirm what one reader of the chain tells in the vendor's place", () => {
    const chain = (minute: number) => byPanel(3, onChain(minute, 9500));
    expect(eventsOf(tell(...settled(3), chain(130), chain(140), chain(150)))).toEqual([]);
  });
});

describe("of two witnesses", () => {
  const one: Witnessed[] = [{ now: 9500, before: 800 }, "silent"];

  it("one decides when the other has been silent for three minutes", () => {
    const begin = [...opened(2), readA(130.1, ...one), readA(132.1, ...one)];
    expect(eventsOf(tell(...begin))).toEqual([]);
    expect(eventsOf(tell(...begin, readA(133.1, ...one)))).toEqual([rug]);
  });

  it("that contradict each other none decides, and both are kept with what they say", () => {
    const divided: Witnessed[] = [
      { now: 9500, before: 800 },
      { now: 800, before: 800 },
    ];
    const told = tell(...opened(2), readA(130.1, ...divided), panelAt(2, 140, 9500), readA(140.1, ...divided));
    expect(eventsOf(told)).toEqual([]);
    const { pendingMev } = validatorOf(told, "A");
    const { witnesses } = told.ledger;
    const words = [...(pendingMev?.testimony ?? [])].map(([witness, { value }]) => [witnesses[witness]?.origin, value]);
    expect(words).toEqual([
      [endpointOf(0).replace(/#\d$/, ""), 9500],
      [endpointOf(1).replace(/#\d$/, ""), 800],
    ]);
  });

  it("that could not be asked is kept as silent", () => {
    const told = tell(...opened(2), readA(130.1, ...one));
    const testimony = validatorOf(told, "A").pendingMev?.testimony ?? new Map<number, unknown>();
    expect(testimony.get(0)).toMatchObject({ value: 9500, of: "account" });
    expect(testimony.get(1)).toMatchObject({ value: null });
  });
});

describe("what a closed epoch had, as the witnesses read it", () => {
  const has = () => 800 as const;
  const hasNot = (name: string) => (name === "A" ? "absent" : 800);
  const off = of("INFO 800→disabled in 0");
  const begin = (size: number) => [...settled(size).slice(0, 1), panelAt(size, 110, 800)];
  const firm = (size: number) => [panelAt(size, 0, 800), readA(0.1, ...all(size, "silent")), panelAt(size, 110, 800)];
  const withA = { closedMev: closed(FIRST_EPOCH, ...crowdRows, ["A", 800]) };
  const without = { closedMev: closed(FIRST_EPOCH, ...crowdRows) };
  const failed: Pick<SnapshotEntry, "closedMev"> = { closedMev: { state: "failed", reason: "no answer" } };
  /** A's 800 was settled in the epoch before the one that closes. */
  const late = (size: number) => [...settled(size), panelAt(size, 125, 800), panelAt(size, 230, 800)];
  const closing = (size: number, sides: Partial<SnapshotEntry>, ...said: Parameters<typeof closedBy>[2][]) =>
    panelAt(size, 245, 800, { closedTips: closedBy(245, names, ...said), ...sides });
  const lateList = (...rows: Told[]) => ({ closedMev: closed(FIRST_EPOCH + 1, ...crowdRows, ...rows) });
  const lateOff = of("INFO 800→disabled in 1");

  it.each<[string, Entry, string[]]>([
    ["one that omits an account disables nobody", closing(3, lateList(["A", 800]), has, hasNot, has), []],
    ["nor where the vendor fails", closing(3, failed, has, hasNot, has), []],
    ["a majority without it does", closing(3, lateList(["A", 800]), hasNot, hasNot, has), [lateOff]],
    ["of two both must say so", closing(2, lateList(["A", 800]), hasNot, has), []],
    ["one of two and the vendor's list against the other decide nothing", closing(2, lateList(), hasNot, has), []],
    ["both do", closing(2, lateList(["A", 800]), hasNot, hasNot), [lateOff]],
    ["accounts that nobody could read leave it to the list", closing(2, lateList(), "silent", "silent"), [lateOff]],
    ["an account denies a gap in the list", closing(3, lateList(), has, has, "silent"), []],
    ["a witness without any accounts is none", closing(3, lateList(), () => "absent", has, has), []],
  ])("%s", (_, entry, events) => {
    const size = entry.kind === "snapshot" ? (entry.panel?.length ?? 0) : 0;
    expect(eventsOf(tell(...late(size), entry))).toEqual(events);
  });

  it("that is not decided is decided by a later answer, and the rug after it is one", () => {
    const begun = [...late(3), closing(3, lateList(["A", 800]), has, hasNot, "silent")];
    const rise = [panelAt(3, 255, 9500), readA(255.1, ...all(3, { now: 9500, before: 800 }))];
    expect(eventsOf(tell(...begun, ...rise))).toEqual([of("RUG 800→9500 in 2")]);
  });

  it("tells of a change that no list has shown", () => {
    const risen = (name: string) => (name === "A" ? 9500 : 800);
    const told = tell(...late(3), closing(3, failed, risen, risen, has));
    expect(eventsOf(told)).toEqual([rug]);
  });

  it("of a share that nobody settled is no event", () => {
    const told = tell(
      ...begin(3),
      panelAt(3, 125, 800, { ...without, closedTips: closedBy(125, names, hasNot, hasNot, has) }),
    );
    expect(eventsOf(told)).toEqual([]);
    expect(validatorOf(told, "A").mev).toBe("disabled");
    expect(eventsOf(tell(...firm(3), panelAt(3, 125, 800, { ...withA, ...failed })))).toEqual([]);
    expect(off).toContain("disabled");
  });

  it("settles the first shares of all", () => {
    const told = tell(...begin(3), panelAt(3, 125, 800, { ...withA, closedTips: closedBy(125, names, has, has, has) }));
    expect(eventsOf(tell(...begin(3)))).toEqual([]);
    expect(validatorOf(told, "A")).toMatchObject({ mev: 800, mevSettledEpoch: FIRST_EPOCH });
  });

  it("off and nearly all again is a caution", () => {
    const told = tell(
      ...late(3),
      closing(3, lateList(), hasNot, hasNot, hasNot),
      panelAt(3, 255, 9500),
      readA(255.1, ...all(3, { now: 9500, before: "absent" })),
    );
    expect(eventsOf(told)).toEqual([lateOff, of("CAUTION disabled→9500 in 2")]);
  });

  it("is decided before a rise after it is told, or the rise would be one of an enabled rate", () => {
    const rise = [panelAt(3, 245, 9500, failed), readA(245.1, ...all(3, { now: 9500, before: "absent" }))];
    expect(eventsOf(tell(...late(3), ...rise))).toEqual([]);
    const sides = { closedTips: closedBy(255, names, hasNot, hasNot, hasNot), ...failed };
    expect(eventsOf(tell(...late(3), ...rise, panelAt(3, 255, 9500, sides)))).toEqual([
      lateOff,
      of("CAUTION disabled→9500 in 2"),
    ]);
  });
});

describe("two caches of the vendor in turn", () => {
  it("make one event of an epoch, without a panel as well", () => {
    const turns = [10, 20, 50, 60].map((minute) => at(minute, 9500));
    const olds = [30, 40].map((minute) => at(minute, 800));
    const told = tell(at(0, 800), ...turns, ...olds);
    expect(eventsOf(told)).toEqual([of("RUG 800→9500 in 0")]);
    expect(validatorOf(told, "A").mev).toBe(9500);
  });

  it("make one event by a panel", () => {
    const turns = [130, 140, 150, 160].flatMap((minute, index) => [
      panelAt(3, minute, index % 2 === 0 ? 9500 : 800),
      readA(minute + 0.1, ...all(3, { now: 9500, before: 800 })),
    ]);
    expect(eventsOf(tell(...settled(3), ...turns))).toEqual([rug]);
  });
});

describe("a mass change", () => {
  const many = crowd(30);
  const manyNames = many.map(({ name }) => name);
  /** @param share of each, by its place in the list */
  const told = (minute: number, share: (index: number) => number): Entry =>
    byPanel(3, snapshot(minute, many, { mev: list(...manyNames.map((name, index): Told => [name, share(index)])) }));
  const everyone = (minute: number, said: Witnessed) => read(minute, manyNames, ...all(3, said));
  const begin = [told(0, () => 800), everyone(0.1, { now: 800 })];
  const rise = [told(121, () => 3000), everyone(121.1, { now: 3000, before: 800 }), told(131, () => 3000)];

  it("waits for two further lists beside the accounts", () => {
    expect(eventsOf(tell(...begin, ...rise))).toEqual([]);
    expect(
      eventsOf(
        tell(
          ...begin,
          ...rise,
          told(141, () => 3000),
        ),
      ),
    ).toHaveLength(30);
  });

  it("of those that had changed the epoch before, one after the other, is published", () => {
    const firstHalf = [told(121, (index) => (index < 15 ? 3000 : 800)), everyoneOf(0, 15, 121.1)];
    const secondHalf = [told(131, () => 3000), everyoneOf(15, 30, 131.1)];
    const changed = [...begin, ...firstHalf, ...secondHalf];
    const next = [told(250, () => 9500), everyone(250.1, { now: 9500, before: 3000 }), told(260, () => 9500)];
    expect(eventsOf(tell(...changed, ...next))).toHaveLength(30);
    const rugs = eventsOf(
      tell(
        ...changed,
        ...next,
        told(270, () => 9500),
      ),
    ).slice(30);
    expect(rugs).toHaveLength(30);
    for (const event of rugs) expect(event).toContain("MEV RUG 3000→9500 in 2");
  });

  function everyoneOf(from: number, to: number, minute: number): Entry {
    return read(minute, manyNames.slice(from, to), ...all(3, { now: 3000, before: 800 }));
  }
});

describe("a latest list that is cut short", () => {
  const cut = (minute: number) => snapshot(minute, facts, { mev: list(["A", 800]) });

  it.each([
    ["without a panel", (entry: SnapshotEntry) => entry],
    ["by a panel", (entry: SnapshotEntry) => byPanel(3, entry)],
  ])("says nothing of who is missing, %s", (_, by) => {
    const story = [by(at(0, 800)), by(cut(10)), by(cut(20))];
    const enabled = tell(...story).ledger.validators.filter(({ mevVendorEnabled }) => mevVendorEnabled);
    expect(enabled).toHaveLength(10);
  });

  it("is the measure again when two epochs had no longer one", () => {
    const { ledger } = tell(at(0, 800), cut(10), cut(130), cut(250));
    const enabled = ledger.validators.filter(({ mevVendorEnabled }) => mevVendorEnabled);
    expect(enabled.map(({ vote }) => vote)).toEqual([keyOf("A")]);
  });

  it("of eight in ten tells who is missing, of seven it does not", () => {
    const missing = (left: number) =>
      tell(at(0, 800), snapshot(10, facts, { mev: list(...crowdRows.slice(0, left)) })).ledger.validators.filter(
        ({ mevVendorEnabled }) => !mevVendorEnabled,
      );
    expect(missing(8)).toHaveLength(2);
    expect(missing(7)).toEqual([]);
  });
});
