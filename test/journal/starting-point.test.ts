import { beforeEach, describe, expect, test } from "vitest";
import type { Entry } from "../../generator/entries/entry.ts";
import { openJournal, type Journal } from "../../generator/journal/journal.ts";
import type { JournalPlace } from "../../generator/journal/names.ts";
import { countOperations } from "../../generator/store/counting.ts";
import { makeCheck, makeLedger, makePlace, makeRuling } from "./samples.ts";

const FOLD = 3;
const NOW = Date.parse("2026-11-20T15:30:00.000Z");
const HOUR = 3_600_000;

const hoursAgo = (hours: number) => new Date(NOW - hours * HOUR).toISOString();

let place: JournalPlace;
let journal: Journal;
beforeEach(() => {
  place = makePlace();
  journal = openJournal(place);
});

const query = { now: NOW, foldVersion: FOLD };

async function fill(hours: number): Promise<string[]> {
  const names = [];
  for (let ago = hours; ago >= 0; ago -= 1) names.push(await journal.append(makeCheck(hoursAgo(ago))));
  return names;
}

async function keep(name: string, asOf = NOW): Promise<string> {
  const { digestThrough } = await journal.findStartingPoint({ ...query, now: asOf });
  const [day = "", rest = ""] = name.split("/");
  const [, hh, mm, ss, mmm] = /^(..)(..)(..)(...)/.exec(rest) ?? [];
  const ledger = makeLedger({ name, time: `${day}T${hh}:${mm}:${ss}.${mmm}Z` });
  return journal.saveCheckpoint({ ledger, foldVersion: FOLD, digest: digestThrough(name) });
}

describe("the starting point of a fold", () => {
  test("is the beginning with all entries, or with none, when there is no checkpoint", async () => {
    const beginning = { ledger: null, through: null, foreign: [], unreadable: [] };
    expect(await journal.findStartingPoint(query)).toMatchObject({ ...beginning, names: [] });
    const names = await fill(100);
    expect(await journal.findStartingPoint(query)).toMatchObject({ ...beginning, names });
  });

  test("is the newest checkpoint, and what came after it is left, also through days of silence", async () => {
    const names = await fill(100);
    await keep(names[90]!);
    await keep(names[95]!);
    for (const now of [NOW, NOW + 24 * 30 * HOUR]) {
      const start = await journal.findStartingPoint({ ...query, now });
      expect(start).toMatchObject({ through: names[95], names: names.slice(96) });
      expect(start.ledger?.position?.name).toBe(names[95]);
    }
  });

  test("lists no more than the window before it when a ledger at hand fits", async () => {
    const names = await fill(60);
    const held = { ledger: makeLedger({ name: names[58]!, time: hoursAgo(2) }), digest: "" };
    held.digest = (await journal.findStartingPoint(query)).digestThrough(names[58]!);
    const starts: string[] = [];
    const store: JournalPlace["store"] = {
      ...place.store,
      list(prefix, options) {
        if (prefix.startsWith("journal/")) starts.push(options?.startAfter ?? "");
        return place.store.list(prefix, options);
      },
    };
    const start = await openJournal({ ...place, store }).findStartingPoint({ ...query, held });
    expect(start.ledger).toBe(held.ledger);
    expect(start.names).toEqual(names.slice(59));
    expect(starts).toEqual(["journal/mainnet/0001/2026-11-19"]);
  });

  test("is a checkpoint from before the window of a ledger at hand that does not fit any more", async () => {
    const names = await fill(60);
    await keep(names[5]!);
    const held = { ledger: makeLedger({ name: names[58]!, time: hoursAgo(2) }), digest: "of other entries" };
    const start = await journal.findStartingPoint({ ...query, held });
    expect(start.through).toBe(names[5]);
    expect(start.names).toEqual(names.slice(6));
  });

  test("lists only the last days when a recent checkpoint fits", async () => {
    const names = await fill(24 * 20);
    await keep(names.at(-3)!);
    const { store, counts } = countOperations(place.store);
    const seen: string[] = [];
    const watched = {
      ...store,
      async *list(...asked: Parameters<typeof store.list>) {
        for await (const head of store.list(...asked)) {
          seen.push(head.key);
          yield head;
        }
      },
    };
    expect((await openJournal({ ...place, store: watched }).findStartingPoint(query)).names).toEqual(names.slice(-2));
    expect(counts.lists).toBe(3);
    expect(seen.filter((key) => key.startsWith("journal/"))[0]).toContain("/2026-11-18/");
  });

  test("passes over the checkpoints that a late entry before them makes unfit, until one is made with it", async () => {
    const names = await fill(60);
    await keep(names[40]!);
    await keep(names[55]!);
    const after = await journal.append(makeCheck(hoursAgo(2), { slot: 5 }));
    const later = [...names.slice(56), after].toSorted();
    expect(await journal.findStartingPoint(query)).toMatchObject({ through: names[55], names: later });
    const before = await journal.append(makeCheck(hoursAgo(8), { slot: 5 }));
    const unfit = [...names.slice(41), before, after].toSorted();
    expect(await journal.findStartingPoint(query)).toMatchObject({ through: names[40], names: unfit });
    await keep(names[55]!);
    expect((await journal.findStartingPoint(query)).through).toBe(names[55]);
  });

  test("goes back behind a ruling on the distant past, although no run lists that far", async () => {
    const names = await fill(24 * 10);
    await keep(names[20]!, NOW - 200 * HOUR);
    await keep(names[230]!);
    const ruling = await journal.append(makeRuling(hoursAgo(150)));
    const start = await journal.findStartingPoint(query);
    expect(start.through).toBe(names[20]);
    expect(start.names).toEqual([...names.slice(21), ruling].toSorted());
    await keep(names[230]!);
    expect((await journal.findStartingPoint(query)).through).toBe(names[230]);
  });

  test("does not take a checkpoint that has folded only a part of its millisecond", async () => {
    const names = await fill(10);
    const twins = [
      await journal.append(makeCheck(hoursAgo(0.5))),
      await journal.append(makeCheck(hoursAgo(0.5), { slot: 9 })),
    ];
    await keep(twins.toSorted()[0]!);
    expect((await journal.findStartingPoint(query)).through).toBeNull();
    await keep(twins.toSorted()[1]!);
    const start = await journal.findStartingPoint(query);
    expect(start.through).toBe(twins.toSorted()[1]);
    expect(start.names).toEqual(names.slice(-1));
    expect((await journal.findStartingPoint({ ...query, notAfter: twins.toSorted()[0]! })).through).toBeNull();
  });

  test("takes no checkpoint of another fold version, network or series", async () => {
    const names = await fill(10);
    await keep(names[8]!);
    expect((await journal.findStartingPoint({ ...query, foldVersion: FOLD + 1 })).through).toBeNull();
    expect((await openJournal({ ...place, series: 2 }).findStartingPoint(query)).names).toEqual([]);
    expect((await openJournal({ ...place, network: "testnet" }).findStartingPoint(query)).names).toEqual([]);
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
    const start = await journal.findStartingPoint(query);
    expect(start.through).toBe(names[40]);
    expect(start.unreadable).toEqual([{ key, reason: expect.stringMatching(reason) as string }]);
  });

  test("is the ledger still held, as long as nothing came before its position", async () => {
    const names = await fill(60);
    await keep(names[40]!);
    const { digestThrough } = await journal.findStartingPoint(query);
    const ledger = makeLedger({ name: names[58]!, time: hoursAgo(2) });
    const held = { ledger, digest: digestThrough(names[58]!) };
    const start = await journal.findStartingPoint({ ...query, held });
    expect(start.ledger).toBe(ledger);
    expect(start.names).toEqual(names.slice(59));
    expect((await journal.findStartingPoint({ ...query, held, notAfter: names[50]! })).through).toBe(names[40]);
    await journal.append(makeCheck(hoursAgo(10), { slot: 5 }));
    expect((await journal.findStartingPoint({ ...query, held })).through).toBe(names[40]);
  });

  describe("where somebody else adds an entry before the position of the ledger held", () => {
    const MINUTE = 60_000;
    /** A ledger folded until now, and what the journal adds this many minutes later. */
    async function hold() {
      const names = await fill(60);
      const { digestThrough } = await journal.findStartingPoint(query);
      const held = { ledger: makeLedger({ name: names[60]!, time: hoursAgo(0) }), digest: digestThrough(names[60]!) };
      const isFit = async (minutes: number) =>
        (await journal.findStartingPoint({ ...query, now: NOW + minutes * MINUTE, held })).ledger === held.ledger;
      expect(await isFit(0)).toBe(true);
      return isFit;
    }

    test.each<[string, () => Entry, number[], boolean[]]>([
      ["of the last hour, at once", () => makeCheck(hoursAgo(0.9), { slot: 5 }), [1], [false]],
      ["of an older one, in ten minutes", () => makeCheck(hoursAgo(3), { slot: 5 }), [1, 9.9, 10], [true, true, false]],
      ["that is marked, at once", () => makeRuling(hoursAgo(3)), [1], [false]],
    ])("it no longer fits %s", async (_, makeEntry, minutes, fits) => {
      const isFit = await hold();
      await openJournal(place).append(makeEntry());
      const found = [];
      for (const minute of minutes) found.push(await isFit(minute));
      expect(found).toEqual(fits);
    });

    test("it lists the latest hour alone until then", async () => {
      const isFit = await hold();
      const starts: (string | undefined)[] = [];
      const list = place.store.list.bind(place.store);
      place.store.list = (prefix, options) => {
        if (prefix.startsWith("journal/")) starts.push(options?.startAfter?.slice(prefix.length));
        return list(prefix, options);
      };
      for (const minutes of [1, 9, 10, 11]) await isFit(minutes);
      expect(starts).toEqual(["2026-11-20/143000000", "2026-11-20/143000000", "2026-11-19", "2026-11-20/143000000"]);
    });
  });
});
