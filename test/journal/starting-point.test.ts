import { beforeEach, describe, expect, test } from "vitest";
import type { Entry } from "../../generator/entries/entry.ts";
import { openJournal, type Journal } from "../../generator/journal/journal.ts";
import type { JournalPlace } from "../../generator/journal/names.ts";
import { makeCheck, makeLedger, makePlace, makeRuling } from "./samples.ts";

const FOLD = 3;
const NOW = Date.parse("2026-11-20T15:30:00.000Z");
const HOUR = 3_600_000;
const MINUTE = 60_000;

const hoursAgo = (hours: number) => new Date(NOW - hours * HOUR).toISOString();

let place: JournalPlace;
let journal: Journal;
/** Where listings of the journal began, below its folder. */
let starts: (string | undefined)[];
beforeEach(() => {
  place = makePlace();
  journal = openJournal(place);
  starts = [];
  const list = place.store.list.bind(place.store);
  place.store.list = (prefix, options) => {
    if (prefix.startsWith("journal/")) starts.push(options?.startAfter?.slice(prefix.length));
    return list(prefix, options);
  };
});

const query = { now: NOW, foldVersion: FOLD };
const find = (more: Partial<Parameters<Journal["findStartingPoint"]>[0]> = {}) =>
  journal.findStartingPoint({ ...query, ...more });
const late = (hours: number) => journal.append(makeCheck(hoursAgo(hours), { slot: 5 }));

async function fill(hours: number): Promise<string[]> {
  const names = [];
  for (let ago = hours; ago >= 0; ago -= 1) names.push(await journal.append(makeCheck(hoursAgo(ago))));
  return names;
}

/** A ledger folded through an entry. */
async function hold(name: string, asOf = NOW) {
  const { digestThrough } = await find({ now: asOf });
  const [, day, hh, mm, ss, mmm] = /^(.*)\/(..)(..)(..)(...)/.exec(name) ?? [];
  return { ledger: makeLedger({ name, time: `${day}T${hh}:${mm}:${ss}.${mmm}Z` }), digest: digestThrough(name) };
}

async function keep(name: string, asOf = NOW): Promise<string> {
  return journal.saveCheckpoint({ ...(await hold(name, asOf)), foldVersion: FOLD });
}

describe("the starting point of a fold", () => {
  test("is the beginning with all entries, or with none, when there is no checkpoint", async () => {
    const beginning = { ledger: null, through: null, foreign: [], unreadable: [] };
    expect(await find()).toMatchObject({ ...beginning, names: [] });
    const names = await fill(100);
    expect(await find()).toMatchObject({ ...beginning, names });
  });

  test("is the newest checkpoint, and what came after it is left, also through days of silence", async () => {
    const names = await fill(100);
    await keep(names[90]!);
    await keep(names[95]!);
    for (const now of [NOW, NOW + 24 * 30 * HOUR]) {
      const start = await find({ now });
      expect(start).toMatchObject({ through: names[95], names: names.slice(96) });
      expect(start.ledger?.position?.name).toBe(names[95]);
    }
  });

  test("is a ledger at hand that fits, for which no more than the window before it is listed", async () => {
    const names = await fill(60);
    await keep(names[40]!);
    const held = await hold(names[58]!);
    starts = [];
    const start = await find({ held });
    expect(start.ledger).toBe(held.ledger);
    expect(start.names).toEqual(names.slice(59));
    expect(starts).toEqual(["2026-11-19"]);
    expect((await find({ held, notAfter: names[50]! })).through).toBe(names[40]);
    await late(10);
    expect((await find({ held })).through).toBe(names[40]);
  });

  test("is a checkpoint from before the window of a ledger at hand that does not fit any more", async () => {
    const names = await fill(60);
    await keep(names[5]!);
    const held = { ...(await hold(names[58]!)), digest: "of other entries" };
    expect(await find({ held })).toMatchObject({ through: names[5], names: names.slice(6) });
  });

  test("lists only the last days when a recent checkpoint fits", async () => {
    const names = await fill(24 * 20);
    await keep(names.at(-3)!);
    starts = [];
    expect((await find()).names).toEqual(names.slice(-2));
    expect(starts).toEqual(["2026-11-18"]);
  });

  test("passes over the checkpoints that a late entry before them makes unfit, until one is made with it", async () => {
    const names = await fill(60);
    await keep(names[40]!);
    await keep(names[55]!);
    const after = await late(2);
    expect(await find()).toMatchObject({ through: names[55], names: [...names.slice(56), after].toSorted() });
    const before = await late(8);
    expect(await find()).toMatchObject({ through: names[40], names: [...names.slice(41), before, after].toSorted() });
    await keep(names[55]!);
    expect((await find()).through).toBe(names[55]);
  });

  test("goes back behind a ruling on the distant past, although no run lists that far", async () => {
    const names = await fill(24 * 10);
    await keep(names[20]!, NOW - 200 * HOUR);
    await keep(names[230]!);
    const ruling = await journal.append(makeRuling(hoursAgo(150)));
    expect(await find()).toMatchObject({ through: names[20], names: [...names.slice(21), ruling].toSorted() });
    await keep(names[230]!);
    expect((await find()).through).toBe(names[230]);
  });

  test("does not take a checkpoint that has folded only a part of its millisecond", async () => {
    const names = await fill(10);
    const [first = "", second = ""] = [await journal.append(makeCheck(hoursAgo(0.5))), await late(0.5)].toSorted();
    await keep(first);
    expect((await find()).through).toBeNull();
    await keep(second);
    expect(await find()).toMatchObject({ through: second, names: names.slice(-1) });
    expect((await find({ notAfter: first })).through).toBeNull();
  });

  test("takes no checkpoint of another fold version, network or series", async () => {
    const names = await fill(10);
    await keep(names[8]!);
    expect((await find({ foldVersion: FOLD + 1 })).through).toBeNull();
    for (const other of [{ series: 2 }, { network: "testnet" }] as const)
      expect((await openJournal({ ...place, ...other }).findStartingPoint(query)).names).toEqual([]);
  });

  const other = async () => (await place.store.get(await keep((await journal.names()).names[40]!)))!.body;
  test.each<[string, (body: Uint8Array) => Uint8Array | Promise<Uint8Array>, RegExp]>([
    ["is cut", (body) => body.subarray(0, body.length - 3), /./],
    ["is empty", () => new Uint8Array(), /./],
    ["has a flipped bit", (body) => body.with(body.length >> 1, body[body.length >> 1]! ^ 1), /./],
    ["is another one's", other, /^its content does not match its key$/],
  ])("survives a checkpoint that %s, and names it", async (_, change, reason) => {
    const names = await fill(60);
    await keep(names[40]!);
    const key = await keep(names[55]!);
    const body = await change((await place.store.get(key))!.body);
    await place.store.put(key, body, { expect: "any", contentType: "application/zstd" });
    const unreadable = [{ key, reason: expect.stringMatching(reason) as string }];
    expect(await find()).toMatchObject({ through: names[40], unreadable });
  });
});

describe("where somebody else adds an entry before the position of the ledger held", () => {
  /** Whether a ledger folded until now fits these minutes later. */
  async function holdNow() {
    const held = await hold((await fill(60))[60]!);
    const isFit = async (minutes: number) => (await find({ now: NOW + minutes * MINUTE, held })).ledger === held.ledger;
    expect(await isFit(0)).toBe(true);
    return isFit;
  }

  test.each<[string, () => Entry, number[], boolean[]]>([
    ["of the last hour, at once", () => makeCheck(hoursAgo(0.9), { slot: 5 }), [1], [false]],
    ["of an older one, in ten minutes", () => makeCheck(hoursAgo(3), { slot: 5 }), [1, 9.9, 10], [true, true, false]],
    ["that is marked, at once", () => makeRuling(hoursAgo(3)), [1], [false]],
  ])("it no longer fits %s", async (_, makeEntry, minutes, fits) => {
    const isFit = await holdNow();
    await openJournal(place).append(makeEntry());
    const found = [];
    for (const minute of minutes) found.push(await isFit(minute));
    expect(found).toEqual(fits);
  });

  test("it still fits when its day is packed after hours of silence: no name counts twice", async () => {
    const isFit = await holdNow();
    const silence = 13 * 60;
    expect(await isFit(silence)).toBe(true);
    const packed: unknown[] = [];
    for (let day = 0; day < 3; day += 1) packed.push((await journal.compact({ now: NOW + silence * MINUTE })).packed);
    expect(packed.at(-1)).toMatchObject({ day: "2026-11-20" });
    expect(await isFit(silence + 1)).toBe(true);
  });

  test("the latest hour alone is listed until then", async () => {
    const isFit = await holdNow();
    starts = [];
    for (const minutes of [1, 9, 10, 11]) await isFit(minutes);
    expect(starts).toEqual(["2026-11-20/143000000", "2026-11-20/143000000", "2026-11-19", "2026-11-20/143000000"]);
  });
});
