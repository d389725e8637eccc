import { describe, expect, it } from "vitest";
import type { Entry, SnapshotEntry } from "../../generator/entries/entry.ts";
import { DISABLED } from "../../generator/ledger/columns.ts";
import { at, closed, crowdRows, facts, of } from "./mev-facts.ts";
import {
  check,
  confirm,
  epochAt,
  eventsOf,
  FIRST_EPOCH,
  keyOf,
  slotAt,
  snapshot,
  tell,
  timeAt,
  validatorOf,
} from "./story.ts";

describe("given these lists, then these MEV events", () => {
  const gone = { closedMev: closed(FIRST_EPOCH, ...crowdRows) };
  const tipAt = (minute: number, bps: number) => confirm(minute, [], [{ name: "A", bps }]);
  const table: [string, Entry[], string[]][] = [
    ["the first value is none", [at(0, 800), at(10, 800)], []],
    ["a change in one list is none", [at(0, 800), at(10, 10_000)], []],
    ["the next list confirms", [at(0, 800), at(10, 10_000), at(20, 10_000)], [of("RUG 800→10000 in 0")]],
    [
      "the tip account confirms at once",
      [at(0, 800), at(10, 3000), confirm(10.1, [], [{ name: "A", bps: 3000 }])],
      [of("CAUTION 800→3000 in 0")],
    ],
    ["the tip account denies", [at(0, 800), at(10, 3000), confirm(10.1, [], [{ name: "A", bps: 800 }])], []],
    [
      "an absent tip account decides nothing",
      [at(0, 800), at(10, 3000), confirm(10.1, [], [{ name: "A" }]), at(20, 3000)],
      [of("CAUTION 800→3000 in 0")],
    ],
    [
      "the tip account of another epoch decides nothing",
      [at(0, 800), at(10, 3000), confirm(10.1, [], [{ name: "A", bps: 3000, epoch: 7 }])],
      [],
    ],
    ["a list without it says nothing", [at(0, 800), at(10, "absent"), at(20, "absent"), at(30, "absent")], []],
    [
      "the list of a closed epoch without it says disabled",
      [at(0, 800), at(110, 800), at(125, "absent", gone)],
      [of("INFO 800→disabled in 0")],
    ],
    [
      "it says so once",
      [at(0, 800), at(110, 800), at(125, "absent", gone), at(135, "absent", gone)],
      [of("INFO 800→disabled in 0")],
    ],
    [
      "from disabled to nearly all is a caution",
      [at(0, 800), at(110, 800), at(125, "absent", gone), at(135, 9500), tipAt(135.1, 9500)],
      [of("INFO 800→disabled in 0"), of("CAUTION disabled→9500 in 1")],
    ],
    [
      "without leader slots absence says nothing",
      [
        at(0, 800, { production: { state: "ok", value: { rows: [] } } }),
        at(125, "absent", { ...gone, production: { state: "ok", value: { rows: [] } } }),
      ],
      [],
    ],
    [
      "a list under 80 % of the one before says nothing",
      [
        at(0, 800),
        at(110, 800),
        at(125, 800, { closedMev: closed(FIRST_EPOCH, ...crowdRows, ["A", 800]) }),
        at(245, "absent", { closedMev: closed(FIRST_EPOCH + 1, ...crowdRows.slice(0, 7)) }),
      ],
      [],
    ],
    [
      "the running epoch is not closed",
      [at(0, 800), at(10, "absent", { closedMev: closed(FIRST_EPOCH, ...crowdRows) })],
      [],
    ],
    ["whoever never ran it is no event", [at(0, "absent"), at(125, "absent", gone)], []],
    [
      "then enabled is one",
      [at(0, "absent"), at(125, "absent", gone), at(135, 800), tipAt(135.1, 800)],
      [of("INFO disabled→800 in 1")],
    ],
  ];

  it.each(table)("%s", (_, entries, events) => {
    expect(eventsOf(tell(...entries))).toEqual(events);
  });
});

describe("what the profile shows of MEV", () => {
  it("is the old value while a change is pending", () => {
    const told = tell(at(0, 800), at(10, 9000));
    expect(validatorOf(told, "A")).toMatchObject({ mev: 800, mevVendorEnabled: true });
    expect(told.pending).toMatchObject([{ source: "MEV", from: 800, to: 9000 }]);
  });

  it("is disabled in the closed epoch's point, too", () => {
    const told = tell(at(0, 800), at(110, 800), at(125, "absent", { closedMev: closed(FIRST_EPOCH, ...crowdRows) }));
    const { ordinal } = validatorOf(told, "A");
    expect(told.ledger.mev.get(FIRST_EPOCH)?.[ordinal]).toBe(DISABLED);
    expect(told.ledger.mev.get(epochAt(125))?.[ordinal]).toBe(DISABLED);
    expect(told.ledger.events).toMatchObject([
      { epoch: FIRST_EPOCH, effectiveEpoch: FIRST_EPOCH, previousSlot: slotAt(110), createdAt: timeAt(125) },
    ]);
  });

  it("stays when the vendor fails", () => {
    const told = tell(at(0, 800), snapshot(10, facts, { mev: { state: "failed", reason: "empty list" } }));
    expect(validatorOf(told, "A")).toMatchObject({ mev: 800, mevVendorEnabled: true });
    expect(told.ledger.sources.mev).toEqual({ state: "degraded", lastSuccessAt: timeAt(0), reason: "empty list" });
  });

  it("flags the batch vendor by the vendor's word, else by client id", () => {
    const nodes: SnapshotEntry["nodes"] = {
      state: "ok",
      value: [{ identity: keyOf("identity of A"), version: "4.1.0", clientId: 6, ip: null }],
    };
    expect(validatorOf(tell(at(0, 800, { nodes })), "A").batchVendorEnabled).toBe(true);
    const row = { vote: keyOf("A"), mevBasisPoints: 800, priorityFeeBasisPoints: 5000, runningBam: false };
    const denied: SnapshotEntry["mev"] = { state: "ok", value: { rows: [row] } };
    expect(validatorOf(tell(at(0, 800, { nodes, mev: denied })), "A").batchVendorEnabled).toBe(false);
  });
});

describe("a check", () => {
  it("says nothing of MEV", () => {
    const told = tell(at(0, 800), at(10, 9000), check(11, facts), check(12, facts));
    expect(told.pending).toHaveLength(1);
  });
});

describe("off and on again in one observation", () => {
  const gone = { closedMev: closed(FIRST_EPOCH, ...crowdRows) };
  // The list of the new epoch shows it again in the very snapshot that learns of the closed one.
  const told = tell(at(0, 800), at(110, 800), at(125, 800, gone), confirm(125.1, [], [{ name: "A", bps: 800 }]));

  it("is two events, the second in the running epoch", () => {
    expect(eventsOf(told)).toEqual([of("INFO 800→disabled in 0"), of("INFO disabled→800 in 1")]);
  });

  it("lies between the end of the closed epoch and the list that shows it", () => {
    const [, on] = told.ledger.events;
    expect(on).toMatchObject({ slot: slotAt(125), previousSlot: slotAt(110), previousSeenAt: timeAt(110) });
  });
});
