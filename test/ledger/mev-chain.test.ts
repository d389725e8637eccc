import { describe, expect, it } from "vitest";
import type { Entry, SnapshotEntry } from "../../generator/entries/entry.ts";
import { at, crowdRows, facts, of, onChain, tips, vendorFails } from "./mev-facts.ts";
import { confirm, crowd, epochAt, eventsOf, FIRST_EPOCH, keyOf, snapshot, tell, timeAt, validatorOf } from "./story.ts";

describe("given tip accounts in the place of the vendor's list, then these MEV events", () => {
  const table: [string, Entry[], string[]][] = [
    ["the first share is none", [onChain(0, 800), onChain(10, 800)], []],
    ["a change in one reading is none", [onChain(0, 800), onChain(10, 10_000)], []],
    [
      "the next reading confirms",
      [onChain(0, 800), onChain(130, 10_000), onChain(140, 10_000)],
      [of("RUG 800→10000 in 1")],
    ],
    [
      "chain and vendor confirm each other",
      [at(0, 800), onChain(130, 3000), at(140, 3000)],
      [of("CAUTION 800→3000 in 1")],
    ],
    [
      "a change is of the epoch of its account",
      [at(0, 800), onChain(130, 3000, { ago: 1 }), onChain(140, 3000, { ago: 1 })],
      [of("CAUTION 800→3000 in 0")],
    ],
    [
      "the account of that epoch confirms at once",
      [at(0, 800), onChain(130, 3000, { ago: 1 }), confirm(130.1, [], [{ name: "A", bps: 3000, epoch: FIRST_EPOCH }])],
      [of("CAUTION 800→3000 in 0")],
    ],
    [
      "an account of the epoch before takes nothing back",
      [at(0, 800), at(130, 3000), at(140, 3000), onChain(150, 800, { ago: 1 }), onChain(160, 800, { ago: 1 })],
      [of("CAUTION 800→3000 in 1")],
    ],
    [
      "an account of the epoch before does not deny a change in this one",
      [at(0, 800), at(130, 3000), onChain(140, 800, { ago: 1 }), at(150, 3000)],
      [of("CAUTION 800→3000 in 1")],
    ],
    ["who has no account is not disabled by it", [at(0, 800), onChain(130, "absent"), onChain(250, "absent")], []],
    ["an account whose share is cut off says nothing", [at(0, 800), onChain(10, null), onChain(20, null)], []],
  ];

  it.each(table)("%s", (_, entries, events) => {
    expect(eventsOf(tell(...entries))).toEqual(events);
  });
});

describe("given what the second reading finds, then this of a change from 800 to 3000", () => {
  const changed = [at(0, 800), at(10, 3000)];
  const confirmed = { pending: [], ledger: { dropped: 0, events: [{ to: 3000 }] } };
  const denied = { pending: [], ledger: { dropped: 1, events: [] } };
  const open = { pending: [{ to: 3000 }], ledger: { dropped: 0, events: [] } };

  it.each([
    ["the new share", { bps: 3000 }, confirmed],
    ["the old share", { bps: 800 }, denied],
    ["a third share", { bps: 1000 }, denied],
    ["no account", {}, open],
    ["the new share in another epoch", { bps: 3000, epoch: FIRST_EPOCH - 1 }, open],
    ["the old share in another epoch", { bps: 800, epoch: FIRST_EPOCH - 1 }, open],
    ["more than the whole", { bps: 65_535 }, open],
  ])("%s", (_, tip, expected) => {
    expect(tell(...changed, confirm(10.1, [], [{ name: "A", ...tip }]))).toMatchObject(expected);
  });

  it("an account that is cut off", () => {
    const cut = confirm(10.1, []);
    cut.tips = [{ vote: keyOf("A"), epoch: FIRST_EPOCH, exists: true, mevBasisPoints: null }];
    expect(tell(...changed, cut)).toMatchObject(open);
  });
});

describe("a share", () => {
  it("of more than the whole is not known", () => {
    const told = tell(at(0, 800), at(10, 65_535), at(20, 65_535));
    expect(eventsOf(told)).toEqual([]);
    expect(validatorOf(told, "A").mev).toBe(800);
    expect(validatorOf(tell(at(0, 65_535)), "A").mev).toBeNull();
  });

  it("that becomes known is no event", () => {
    const told = tell(at(0, null), at(10, 10_000), at(20, 10_000));
    expect(eventsOf(told)).toEqual([]);
    expect(validatorOf(told, "A").mev).toBe(10_000);
  });

  it("that is not told any more stays", () => {
    expect(validatorOf(tell(at(0, 800), at(10, null)), "A")).toMatchObject({ mev: 800, mevVendorEnabled: true });
  });

  it("of the priority fees makes no event, whatever it becomes", () => {
    const sharing = (minute: number, bps: number) => {
      const rows = [{ vote: keyOf("A"), mevBasisPoints: 800, priorityFeeBasisPoints: bps, runningBam: null }];
      return at(minute, 800, { mev: { state: "ok", value: { rows } } });
    };
    const told = tell(sharing(0, 0), sharing(10, 10_000), sharing(20, 10_000));
    expect(eventsOf(told)).toEqual([]);
    expect(told.pending).toEqual([]);
    expect(validatorOf(told, "A").priorityFeeBasisPoints).toBe(10_000);
    expect(validatorOf(tell(sharing(0, 5000), sharing(10, 65_535)), "A").priorityFeeBasisPoints).toBe(5000);
  });
});

describe("what the profile shows of MEV by the chain", () => {
  it("is a record and its epoch, also of the epoch before the validator was first seen", () => {
    const told = tell(onChain(130, 700, { ago: 1 }));
    expect(validatorOf(told, "A")).toMatchObject({ mev: 700, mevEpoch: FIRST_EPOCH, mevVendorEnabled: true });
    const { ordinal } = validatorOf(told, "A");
    expect(told.ledger.mev.get(epochAt(130))?.[ordinal]).toBe(700);
  });

  it("is the old record with its epoch while a new one awaits its second reading", () => {
    const told = tell(at(0, 800), onChain(130, 9000));
    expect(validatorOf(told, "A")).toMatchObject({ mev: 800, mevEpoch: FIRST_EPOCH });
    expect(validatorOf(tell(at(0, 800), onChain(130, 9000), onChain(140, 9000)), "A")).toMatchObject({
      mev: 9000,
      mevEpoch: FIRST_EPOCH + 1,
    });
  });

  it("is enabled by an account of this epoch or the one before, and not without", () => {
    expect(validatorOf(tell(at(0, 800), onChain(130, 800, { ago: 1 })), "A").mevVendorEnabled).toBe(true);
    expect(validatorOf(tell(at(0, 800), onChain(130, "absent")), "A").mevVendorEnabled).toBe(false);
  });

  it("has the batch vendor by the client's number", () => {
    const nodes: SnapshotEntry["nodes"] = {
      state: "ok",
      value: [{ identity: keyOf("identity of A"), version: "4.1.0", clientId: 12, ip: null }],
    };
    expect(validatorOf(tell(onChain(0, 800, { nodes })), "A").batchVendorEnabled).toBe(true);
    expect(validatorOf(tell(onChain(0, 800)), "A").batchVendorEnabled).toBe(false);
  });

  it("of everybody is not believed to rise before two further readings say the same", () => {
    const many = crowd(30);
    const all = (minute: number, bps: number): Entry =>
      snapshot(minute, many, { tips: tips(FIRST_EPOCH, ...many.map(({ name }): [string, number] => [name, bps])) });
    const twice = [all(0, 800), all(10, 10_000), all(20, 10_000)];
    expect(eventsOf(tell(...twice))).toEqual([]);
    expect(eventsOf(tell(...twice, all(30, 10_000)))).toHaveLength(30);
  });
});

describe("the state of the MEV source", () => {
  const off = { state: "skipped", off: true } as const;
  const chainFails = { state: "failed", reason: "no tip account" } as const;
  const fresh = tips(FIRST_EPOCH, ...crowdRows);

  it.each<[string, Partial<SnapshotEntry>, object]>([
    [
      "is degraded, but fresh, when the chain tells what the vendor does not",
      { mev: vendorFails, tips: fresh },
      { state: "degraded", lastSuccessAt: timeAt(10), reason: "MEV list: the list is empty" },
    ],
    [
      "is degraded and old when both fail",
      { mev: vendorFails, tips: chainFails },
      { state: "degraded", lastSuccessAt: timeAt(0), reason: "MEV list: the list is empty" },
    ],
    ["is ok by the chain alone where no vendor is to be asked", { mev: off, tips: fresh }, { state: "ok" }],
    [
      "is degraded where the chain alone is to be asked and fails",
      { mev: off, tips: chainFails },
      { state: "degraded", lastSuccessAt: timeAt(0), reason: "no tip account" },
    ],
    ["is off where there is neither", { mev: off, tips: off }, { state: "off" }],
  ])("%s", (_, sides, expected) => {
    const told = tell(at(0, 800), snapshot(10, facts, sides));
    expect(told.ledger.sources.mev).toMatchObject(expected);
  });
});
