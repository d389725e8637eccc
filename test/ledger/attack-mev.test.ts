import { describe, expect, it } from "vitest";
import { getU16 } from "../../generator/ledger/columns.ts";
import type { Entry, SnapshotEntry } from "../../generator/entries/entry.ts";
import {
  FIRST_EPOCH,
  confirm,
  crowd,
  epochAt,
  eventsOf,
  keyOf,
  rest,
  slotAt,
  snapshot,
  tell,
  timeAt,
  validatorOf,
  withA,
} from "./story.ts";

describe("MEV", () => {
  const row = (name: string, mevBasisPoints: number) => ({
    vote: keyOf(name),
    mevBasisPoints,
    priorityFeeBasisPoints: null,
    runningBam: null,
  });
  const all = [...rest.map(({ name }) => name), "A"];
  const rowsOf = (names: string[], bps = 800) => names.map((name) => row(name, bps));
  const ok = <Value>(value: Value) => ({ state: "ok" as const, value });
  const led = ok({ rows: all.map((name): [string, number, number] => [keyOf(`identity of ${name}`), 40, 39]) });
  const list = (minute: number, rows: ReturnType<typeof row>[], sides: Partial<SnapshotEntry> = {}) =>
    snapshot(minute, withA({}), { production: led, mev: ok({ rows }), ...sides });
  const others = rowsOf(all.filter((name) => name !== "A"));

  it("is not believed of a list when the tip account itself holds a third rate", () => {
    const tip = (minute: number) => confirm(minute, [], [{ name: "A", bps: 1000 }]);
    const lie = [...others, row("A", 10_000)];
    const told = tell(list(0, rowsOf(all)), list(10, lie), tip(10.1), list(20, lie), tip(20.1));
    expect(eventsOf(told)).toEqual([]);
    expect(told.pending).toEqual([]);
  });

  it("that was shown once is not waited for longer than lists can show it", () => {
    const [begin, once] = [list(0, rowsOf(all)), list(10, [...others, row("A", 9000)])];
    expect(tell(begin, once, list(130, others)).pending).toHaveLength(1);
    expect(tell(begin, once, list(130, others), list(250, others))).toMatchObject({
      pending: [],
      ledger: { dropped: 1 },
    });
  });

  it("is not recorded for the epoch that a second reading names", () => {
    const odd = { ...confirm(10.1, [], [{ name: "A", bps: 3000 }]), epoch: 7 };
    const told = tell(list(0, rowsOf(all)), list(10, [...others, row("A", 3000)]), odd);
    expect(eventsOf(told)).toHaveLength(1);
    expect([...told.ledger.mev.keys()]).toEqual([FIRST_EPOCH]);
  });

  it("is not off for everybody by the first closed list, when that is nearly empty", () => {
    const many = crowd(40);
    const names = many.map(({ name }) => name);
    const produced = ok({ rows: names.map((name): [string, number, number] => [keyOf(`identity of ${name}`), 4, 4]) });
    const at = (minute: number, closed: SnapshotEntry["closedMev"]) =>
      snapshot(minute, many, { production: produced, mev: ok({ rows: rowsOf(names) }), closedMev: closed });
    const cut = ok({ epoch: FIRST_EPOCH, rows: rowsOf(names.slice(0, 1)) });
    const failed = { state: "failed" as const, reason: "no answer" };
    expect(eventsOf(tell(at(0, failed), at(110, failed), at(121, cut)))).toEqual([]);
  });

  it("is not off by the closed list for who left or came without leading slots in its epoch", () => {
    const absent = { absent: [keyOf("A")] };
    const left = tell(
      list(0, rowsOf(all)),
      snapshot(10, rest, { ...absent, production: led }),
      snapshot(20, rest, { ...absent, production: led }),
      snapshot(130, rest, { production: led, mev: ok({ rows: others }) }),
      snapshot(250, rest, { production: led, closedMev: ok({ epoch: FIRST_EPOCH + 1, rows: others }) }),
    );
    expect(eventsOf(left)).toEqual([]);
    const idle = ok({ rows: [] });
    const came = tell(
      snapshot(0, rest, { mev: ok({ rows: others }), production: idle }),
      list(130, rowsOf(all), { production: idle }),
      list(250, others, { production: idle, closedMev: ok({ epoch: FIRST_EPOCH + 1, rows: others }) }),
    );
    expect(eventsOf(came)).toEqual([]);
  });

  it("is not off by the closed list for one of several vote accounts of an identity", () => {
    const sharing = [...crowd(8), { name: "crowd 8", identity: "A" }, { name: "A" }];
    const at = (minute: number, sides: Partial<SnapshotEntry>) =>
      snapshot(minute, sharing, { production: led, ...sides });
    const told = tell(
      at(0, { mev: ok({ rows: rowsOf(all) }) }),
      at(110, { mev: ok({ rows: rowsOf(all) }) }),
      at(121, { closedMev: ok({ epoch: FIRST_EPOCH, rows: others }) }),
    );
    expect(eventsOf(told)).toEqual([]);
  });

  it("that a later epoch's list shows is still pending after the closed list denied the earlier epoch", () => {
    const told = tell(
      list(0, rowsOf(all)),
      list(110, rowsOf(all)),
      list(121, [...others, row("A", 9500)]),
      list(131, [...others, row("A", 9500)], { closedMev: ok({ epoch: FIRST_EPOCH, rows: others }) }),
      confirm(131.1, [], [{ name: "A", bps: 9500 }]),
    );
    const short = keyOf("A").slice(0, 4);
    expect(eventsOf(told)).toEqual([
      `MEV INFO 800→disabled in 0 of ${short}`,
      `MEV CAUTION disabled→9500 in 1 of ${short}`,
    ]);
    expect(told.ledger.events.at(-1)).toMatchObject({ slot: slotAt(121), createdAt: timeAt(121) });
  });

  it("vendor or not, the client's number tells who runs the batch vendor's client", () => {
    const nodes = ok([{ identity: keyOf("identity of A"), version: "4.1.0", clientId: 12, ip: null }]);
    const off = { state: "skipped" as const, off: true };
    expect(validatorOf(tell(snapshot(0, withA({}), { nodes, mev: off })), "A").batchVendorEnabled).toBe(true);
  });

  it("in the column is never of an epoch that was not reached", () => {
    const told = tell(list(0, rowsOf(all)), list(121, others, { closedMev: ok({ epoch: FIRST_EPOCH, rows: others }) }));
    const { ordinal } = validatorOf(told, "A");
    expect([...told.ledger.mev.keys()]).toEqual([FIRST_EPOCH, epochAt(121)]);
    expect(getU16(told.ledger.mev, epochAt(121) + 1, ordinal)).toBeNull();
  });

  it("of everybody is not believed to rise before two further lists say the same", () => {
    const many = crowd(30);
    const list = (minute: number, bps: number): Entry =>
      snapshot(minute, many, {
        mev: {
          state: "ok",
          value: {
            rows: many.map(({ name }) => ({
              vote: keyOf(name),
              mevBasisPoints: bps,
              priorityFeeBasisPoints: null,
              runningBam: null,
            })),
          },
        },
      });
    const tips = many.map(({ name }) => ({ name, bps: 10_000 }));
    const twice = [list(0, 800), list(10, 10_000), confirm(10.1, [], tips), list(20, 10_000)];
    expect(tell(...twice).pending.every(({ mass }) => mass)).toBe(true);
    expect(eventsOf(tell(...twice))).toEqual([]);
    expect(eventsOf(tell(...twice, list(30, 10_000)))).toHaveLength(30);
    const denied = confirm(
      10.1,
      [],
      many.map(({ name }) => ({ name, bps: 800 })),
    );
    expect(tell(list(0, 800), list(10, 10_000), denied).pending).toEqual([]);
  });
});
