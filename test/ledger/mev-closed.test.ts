import { describe, expect, it } from "vitest";
import { getU16, DISABLED } from "../../generator/ledger/columns.ts";
import type { Entry, SnapshotEntry } from "../../generator/entries/entry.ts";
import { closedMevToDecide } from "../../generator/ledger/mev-disabled.ts";
import { at, closed, closedTips, crowdRows, facts, led, list, of, onChain } from "./mev-facts.ts";
import { confirm, crowd, eventsOf, FIRST_EPOCH, keyOf, snapshot, tell, validatorOf } from "./story.ts";

const names = facts.map(({ name }) => name);
const accounts = (epoch: number, isHeld: (name: string) => boolean) =>
  closedTips(epoch, ...names.map((name): [string, boolean] => [name, isHeld(name)]));
const allButA = accounts(FIRST_EPOCH, (name) => name !== "A");
const failed: SnapshotEntry["closedMev"] = { state: "failed", reason: "no answer" };
const begin = [at(0, 800), at(110, 800)];

describe("given tip accounts and the vendor's list of a closed epoch, then", () => {
  const disabled = [of("INFO 800→disabled in 0")];
  const table: [string, Partial<SnapshotEntry>, string[]][] = [
    ["who has no account is disabled when the vendor fails", { closedMev: failed, closedTips: allButA }, disabled],
    ["who has no account is disabled when the vendor's list is not asked for", { closedTips: allButA }, disabled],
    [
      "who has no account is disabled though the vendor shows a record, which may be of the epoch before",
      { closedMev: closed(FIRST_EPOCH, ...crowdRows, ["A", 800]), closedTips: allButA },
      disabled,
    ],
    [
      "who has an account is not disabled by a gap in the vendor's list",
      { closedMev: closed(FIRST_EPOCH, ...crowdRows), closedTips: accounts(FIRST_EPOCH, () => true) },
      [],
    ],
    [
      "who was not asked for is disabled by the vendor's list",
      {
        closedMev: closed(FIRST_EPOCH, ...crowdRows),
        closedTips: closedTips(FIRST_EPOCH, ...crowdRows.map(([name]): [string, boolean] => [name, true])),
      },
      disabled,
    ],
    [
      "nobody is disabled by a node that has no such accounts at all",
      { closedTips: accounts(FIRST_EPOCH, () => false) },
      [],
    ],
    [
      "a node that has no such accounts leaves the word to the vendor's list",
      { closedMev: closed(FIRST_EPOCH, ...crowdRows), closedTips: accounts(FIRST_EPOCH, () => false) },
      disabled,
    ],
    [
      "accounts of another epoch say nothing",
      { closedTips: { ...accounts(FIRST_EPOCH - 1, (name) => name !== "A") } },
      [],
    ],
    [
      "accounts of the running epoch say nothing",
      { closedTips: accounts(FIRST_EPOCH + 1, (name) => name !== "A") },
      [],
    ],
  ];

  it.each(table)("%s", (_, sides, events) => {
    expect(eventsOf(tell(...begin, at(125, "absent", sides)))).toEqual(events);
  });

  it.each([FIRST_EPOCH - 1, FIRST_EPOCH + 1])("a list of another epoch says nothing: %i", (epoch) => {
    expect(eventsOf(tell(...begin, at(125, "absent", { closedMev: closed(epoch, ...crowdRows) })))).toEqual([]);
  });

  it("a few without an account are disabled, also where few were asked for", () => {
    const gone = new Set(["A", "crowd 0", "crowd 1"]);
    const told = tell(...begin, at(125, 800, { closedTips: accounts(FIRST_EPOCH, (name) => !gone.has(name)) }));
    expect(eventsOf(told).filter((event) => event.includes("800→disabled in 0"))).toHaveLength(gone.size);
  });

  it("what is decided is not decided otherwise by a later answer", () => {
    const whole = { closedTips: accounts(FIRST_EPOCH, () => true) };
    expect(
      eventsOf(tell(...begin, onChain(125, "absent", whole), onChain(135, "absent", { closedTips: allButA }))),
    ).toEqual([]);
  });

  it("it is decided once", () => {
    const again = { closedTips: allButA };
    const back = accounts(FIRST_EPOCH, () => true);
    const told = tell(
      ...begin,
      at(125, "absent", again),
      at(135, "absent", { closedTips: back }),
      at(145, "absent", again),
    );
    expect(eventsOf(told)).toEqual(disabled);
  });

  it("an epoch that was missed while it was the last one is not decided any more", () => {
    const told = tell(...begin, at(250, "absent", { closedTips: allButA }));
    expect(eventsOf(told)).toEqual([]);
  });

  it("who led no slots is not disabled by having no account", () => {
    const idle: Partial<SnapshotEntry> = { production: { state: "ok", value: { rows: [] } } };
    const told = tell(at(0, 800, idle), at(110, 800, idle), at(125, "absent", { ...idle, closedTips: allButA }));
    expect(eventsOf(told)).toEqual([]);
  });

  it("who produced none of its blocks is not disabled by having no account", () => {
    const rows = facts.map(({ name }): [string, number, number] => [keyOf(`identity of ${name}`), 40, 0]);
    const down: Partial<SnapshotEntry> = { production: { state: "ok", value: { rows } } };
    const told = tell(at(0, 800, down), at(110, 800, down), at(125, "absent", { ...down, closedTips: allButA }));
    expect(eventsOf(told)).toEqual([]);
  });

  it("the point of the closed epoch says so, and so does that of the running one", () => {
    const told = tell(...begin, onChain(125, "absent", { closedTips: allButA }));
    const { ordinal } = validatorOf(told, "A");
    for (const epoch of [FIRST_EPOCH, FIRST_EPOCH + 1]) expect(getU16(told.ledger.mev, epoch, ordinal)).toBe(DISABLED);
    expect(validatorOf(told, "A")).toMatchObject({ mev: "disabled", mevEpoch: FIRST_EPOCH, mevVendorEnabled: false });
  });

  it("whose account appears in the running epoch is enabled again, whoever says it", () => {
    const gone = { closedTips: allButA };
    const events = [...disabled, of("CAUTION disabled→9500 in 1")];
    const tip = confirm(135.1, [], [{ name: "A", bps: 9500 }]);
    expect(eventsOf(tell(...begin, at(125, "absent", gone), at(135, 9500), tip))).toEqual(events);
    expect(eventsOf(tell(...begin, onChain(125, "absent", gone), onChain(135, 9500), onChain(145, 9500)))).toEqual(
      events,
    );
  });
});

describe("many without an account at once", () => {
  const many = crowd(100);
  const produced: SnapshotEntry["production"] = {
    state: "ok",
    value: { rows: many.map(({ name }) => [keyOf(`identity of ${name}`), 4, 4]) },
  };
  const everybody = list(...many.map(({ name }): [string, number] => [name, 800]));
  const off = (count: number, minute: number): Entry =>
    snapshot(minute, many, {
      production: produced,
      closedTips: closedTips(FIRST_EPOCH, ...many.map(({ name }, index): [string, boolean] => [name, index >= count])),
    });
  const start = [0, 110].map((minute) => snapshot(minute, many, { production: produced, mev: everybody }));
  const told = (count: number, ...minutes: number[]) =>
    eventsOf(tell(...start, ...minutes.map((minute) => off(count, minute)))).length;

  it.each([
    ["20 are believed at once", 20, [121], 20],
    ["more are the node's failure, however often it says so", 21, [121, 131, 141, 151], 0],
  ])("%s", (_, count, minutes, events) => {
    expect(told(count, ...minutes)).toBe(events);
  });

  it("over 20 of far more are believed when three answers agree", () => {
    const crowded = crowd(300);
    const rows = crowded.map(({ name }): [string, number, number] => [keyOf(`identity of ${name}`), 4, 4]);
    const production: SnapshotEntry["production"] = { state: "ok", value: { rows } };
    const mev = list(...crowded.map(({ name }): [string, number] => [name, 800]));
    const held = crowded.map(({ name }, index): [string, boolean] => [name, index >= 25]);
    const entry = (minute: number) =>
      snapshot(minute, crowded, { production, closedTips: closedTips(FIRST_EPOCH, ...held) });
    const first = [0, 110].map((minute) => snapshot(minute, crowded, { production, mev }));
    expect(eventsOf(tell(...first, entry(121), entry(131)))).toEqual([]);
    expect(eventsOf(tell(...first, entry(121), entry(131), entry(141)))).toHaveLength(25);
  });
});

describe("what is asked about a closed epoch", () => {
  it("is the epoch before the running one, of who led slots in it and is not disabled", () => {
    const { ledger } = tell(...begin);
    expect(closedMevToDecide(ledger, FIRST_EPOCH + 1)).toEqual({ epoch: FIRST_EPOCH, votes: names.map(keyOf) });
    const idle: SnapshotEntry["production"] = {
      state: "ok",
      value: { rows: led.state === "ok" ? led.value.rows.slice(0, 2) : [] },
    };
    const few = tell(at(0, 800, { production: idle }), at(110, 800, { production: idle })).ledger;
    expect(closedMevToDecide(few, FIRST_EPOCH + 1)?.votes).toEqual(names.slice(0, 2).map(keyOf));
  });

  it("is nothing of who produced no block", () => {
    const rows = facts.map(({ name }): [string, number, number] => [keyOf(`identity of ${name}`), 40, 0]);
    const { ledger } = tell(at(0, 800, { production: { state: "ok", value: { rows } } }));
    expect(closedMevToDecide(ledger, FIRST_EPOCH + 1)?.votes).toEqual([]);
  });

  it("is nothing of an epoch in which nobody is known to have led", () => {
    expect(closedMevToDecide(tell(...begin).ledger, FIRST_EPOCH + 5)).toEqual({ epoch: FIRST_EPOCH + 4, votes: [] });
  });

  it("is nothing when that is decided, and not the disabled ones the next time", () => {
    const { ledger } = tell(...begin, at(125, "absent", { closedTips: allButA }));
    expect(closedMevToDecide(ledger, FIRST_EPOCH + 1)).toBeNull();
    expect(closedMevToDecide(ledger, FIRST_EPOCH + 2)?.votes).toEqual(crowdRows.map(([name]) => keyOf(name)));
    expect(closedMevToDecide(ledger, 0)).toBeNull();
  });
});
