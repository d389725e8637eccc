import { createHash } from "node:crypto";
import { zstdCompressSync } from "node:zlib";
import { base58 } from "@scure/base";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { assertFormat, isOfNewer, readEntry, writeEntry } from "../../generator/journal/entries.ts";
import { openJournal, type Journal } from "../../generator/journal/journal.ts";
import { toEntryKey, type JournalPlace } from "../../generator/journal/names.ts";
import { REFERRING_FORMAT, type ReferringCheck } from "../../generator/journal/references.ts";
import type { CheckEntry, CheckRow } from "../../generator/entries/entry.ts";
import { decompress } from "../../generator/store/zstd.ts";
import { damage, DAY, DAY_END, deleteLoose, HOUR, packOf, tellAll } from "./packed.ts";
import { makeCheck, makePlace } from "./samples.ts";

const KEYS = Array.from({ length: 40 }, (_, index) => base58.encode(createHash("sha256").update(`${index}`).digest()));
const SORTED = KEYS.toSorted((one, other) => (one < other ? -1 : 1));

const row = (index: number, more: Partial<CheckRow> = {}): CheckRow => ({
  vote: SORTED[index]!,
  basisPoints: 500,
  percent: 5,
  delinquent: false,
  activeStake: 10n ** 16n + BigInt(index),
  ...more,
});
const ROWS = Array.from({ length: 30 }, (_, index) => row(index));
/** A check of {@link DAY}, so many seconds after 10:00. */
const after = (seconds: number, votes: CheckRow[] = ROWS): CheckEntry =>
  makeCheck(new Date(Date.parse(`${DAY}T10:00:00.000Z`) + seconds * 1000).toISOString(), {
    slot: 1_000 + seconds,
    votes,
  });

/** What lies under a name, as anybody would read it. */
async function storedAt(place: JournalPlace, name: string): Promise<Record<string, unknown>> {
  const { body } = (await place.store.get(toEntryKey(place, name)))!;
  const json = await decompress(body, { bytesMax: 1e6 });
  return JSON.parse(json.toString()) as Record<string, unknown>;
}

async function appendAll(journal: Journal, entries: CheckEntry[]): Promise<string[]> {
  const names: string[] = [];
  for (const entry of entries) names.push(await journal.append(entry));
  return names;
}

const readAll = (place: JournalPlace, names: Iterable<string>) => Array.fromAsync(openJournal(place).read(names));
const isReferring = async (place: JournalPlace, name: string) =>
  (await storedAt(place, name))["format"] === REFERRING_FORMAT;

describe("a check that shows what one before it did", () => {
  const flipped = ROWS.with(3, row(3, { delinquent: true }))
    .toSpliced(7, 1)
    .concat(row(35, { percent: null }));
  const entries = [after(0), after(10), after(20, flipped), after(30)];

  test("refers to one of its own endpoint, where several that show other rows are read in turns", async () => {
    const place = makePlace();
    const rounded = ROWS.map((each) => ({ ...each, basisPoints: null }));
    const turns = [0, 10, 20, 30, 40, 50].map((seconds) =>
      seconds % 20 === 0
        ? { ...after(seconds), endpoint: "https://one.example#0" }
        : { ...after(seconds, rounded), endpoint: "https://other.example#1" },
    );
    const names = await appendAll(openJournal(place), turns);
    const referring = await Promise.all(names.map((name) => isReferring(place, name)));
    expect(referring).toEqual([false, false, true, true, true, true]);
    expect(await readAll(place, names)).toEqual(names.map((name, index) => ({ name, entry: turns[index] })));
  });

  test("is written down by what differs from it, and read whole", async () => {
    const place = makePlace();
    const names = await appendAll(openJournal(place), entries);
    const [base] = names;
    expect(await storedAt(place, names[1]!)).toMatchObject({ format: 2, base, changed: [], gone: [] });
    expect(await storedAt(place, names[2]!)).toMatchObject({
      base,
      changed: [
        { vote: SORTED[3], delinquent: true },
        { vote: SORTED[35], percent: null },
      ],
      gone: [SORTED[7]],
    });
    expect(await readAll(place, names)).toEqual(names.map((name, index) => ({ name, entry: entries[index] })));
  });

  test("takes a few bytes, and is read whole alone, too, from a pack as from its own object", async () => {
    const place = makePlace();
    const names = await appendAll(openJournal(place), entries);
    const sizes = await Promise.all(names.map(async (name) => (await place.store.head(toEntryKey(place, name)))!.size));
    expect(sizes[1]).toBeLessThan(sizes[0]! / 3);
    const alone = { name: names[2], entry: entries[2] };
    expect(await readAll(place, [names[2]!])).toEqual([alone]);
    await packOf(place, names);
    await deleteLoose(place, names);
    expect(await readAll(place, [names[2]!])).toEqual([alone]);
  });

  test("has a name that vouches for the bytes that are stored", async () => {
    const place = makePlace();
    const [, name = ""] = await appendAll(openJournal(place), entries);
    const forged = new TextEncoder().encode(JSON.stringify({ ...(await storedAt(place, name)), slot: 7 }));
    await damage(place, toEntryKey(place, name), () => zstdCompressSync(forged));
    expect(await readAll(place, [name])).toEqual([{ name, unreadable: "its content does not fit its name" }]);
  });
});

test("any checks come back as they were, loose and packed, to who wrote them and to a new process", async () => {
  const votes = fc.uniqueArray(
    fc.record({
      index: fc.nat(39),
      delinquent: fc.boolean(),
      basisPoints: fc.constantFrom(null, 500, 10_000),
      activeStake: fc.constantFrom(0n, 2n ** 63n),
    }),
    { selector: ({ index }) => index, minLength: 1 },
  );
  // Mostly small differences from one to the next, so that some refer and some do not.
  const story = fc.array(
    fc.record({ seconds: fc.integer({ min: 1, max: 400 }), rows: votes, isNew: fc.boolean(), isSorted: fc.boolean() }),
    { minLength: 1, maxLength: 12 },
  );
  let referring = 0;
  await fc.assert(
    fc.asyncProperty(story, async (steps) => {
      const place = makePlace();
      const journal = openJournal(place);
      let time = 0;
      let rows = new Map(ROWS.map((one) => [one.vote, one]));
      const entries = steps.map(({ seconds, rows: changes, isNew, isSorted }) => {
        time += seconds;
        if (isNew) rows = new Map();
        for (const { index, ...change } of changes.slice(0, isNew ? 40 : 4)) {
          const { vote } = row(index);
          if (change.activeStake === 0n && change.delinquent && rows.size > 1) rows.delete(vote);
          else rows.set(vote, row(index, change));
        }
        const listed = [...rows.values()];
        return after(time, isSorted ? listed.sort((one, other) => (one.vote < other.vote ? -1 : 1)) : listed);
      });
      const names = await appendAll(journal, entries);
      for (const name of names) if (await isReferring(place, name)) referring += 1;
      const expected = names.map((name, index) => ({ name, entry: entries[index] }));
      expect(await Array.fromAsync(journal.read(names))).toEqual(expected);
      expect(await readAll(place, names)).toEqual(expected);
      await packOf(place, names);
      await deleteLoose(place, names);
      expect(await readAll(place, names)).toEqual(expected);
    }),
    { numRuns: 60 },
  );
  expect(referring).toBeGreaterThan(20);
});

describe("a check is written whole", () => {
  const second = async (one: CheckEntry, other: CheckEntry) => {
    const place = makePlace();
    const [, name = ""] = await appendAll(openJournal(place), [one, other]);
    return isReferring(place, name);
  };

  test("by each process first, and not by what another one wrote", async () => {
    const place = makePlace();
    const names = [await openJournal(place).append(after(0)), await openJournal(place).append(after(10))];
    expect(await Promise.all(names.map((name) => isReferring(place, name)))).toEqual([false, false]);
  });

  const turned = (count: number) => ROWS.map((one, index) => ({ ...one, delinquent: index < count }));
  const few = (count: number) => [after(0, ROWS.slice(0, count)), after(10, ROWS.slice(0, count))] as const;
  const at = (time: string) => makeCheck(time, { votes: ROWS });
  test.each<[string, CheckEntry, CheckEntry, boolean]>([
    ["a quarter of the rows differ", after(0), after(10, turned(7)), true],
    ["more of them differ", after(0), after(10, turned(8)), false],
    ["it is under ten minutes old", after(0), after(599), true],
    ["it is ten minutes old", after(0), after(600), false],
    ["a day has begun", at("2026-11-20T23:59:55.000Z"), at("2026-11-21T00:00:05.000Z"), false],
    ["it has few rows, but enough", ...few(8), true],
    ["it has so few rows that its name would be as long", ...few(7), false],
    ["the rows are in no order", after(0), after(10, ROWS.toReversed()), false],
    ["its own rows are in no order", after(0, ROWS.toReversed()), after(10, ROWS.toReversed()), false],
    ["it is the younger", after(10), after(0), false],
  ])("or not, by the one before it: %s", async (_, one, other, expected) => {
    expect(await second(one, other)).toBe(expected);
  });

  test("where the one before could not be written", async () => {
    const place = makePlace();
    const put = place.store.put.bind(place.store);
    const journal = openJournal(place);
    place.store.put = () => Promise.reject(new Error("no space left"));
    await expect(journal.append(after(0))).rejects.toThrow("no space left");
    place.store.put = put;
    expect(await isReferring(place, await journal.append(after(10)))).toBe(false);
  });

  test("and the same again is the same object, whole or not", async () => {
    const place = makePlace();
    const [whole, again, short, shortAgain] = await appendAll(openJournal(place), [
      after(0),
      after(0),
      after(10),
      after(10),
    ]);
    expect([again, shortAgain]).toEqual([whole, short]);
  });
});

/** A check of its own making, that shows all as the one that it refers to. */
function referringTo(base: string): ReferringCheck {
  const { votes, ...rest } = after(50);
  return { ...rest, format: REFERRING_FORMAT, base, changed: votes.slice(0, 0), gone: [] };
}

describe("a check whose reference cannot be used is not guessed at", () => {
  async function makeReferring() {
    const place = makePlace();
    const names = await appendAll(openJournal(place), [after(0), after(10), after(20)]);
    return { place, base: names[0]!, referring: names.slice(1) };
  }

  test("where it is gone, until it is put back", async () => {
    const { place, base, referring } = await makeReferring();
    const { body } = (await place.store.get(toEntryKey(place, base)))!;
    await deleteLoose(place, [base]);
    const journal = openJournal(place);
    const unreadable = `it refers to ${base}, which cannot be used: the object is missing`;
    expect(await Array.fromAsync(journal.read(referring))).toEqual(referring.map((name) => ({ name, unreadable })));
    await place.store.put(toEntryKey(place, base), body, { expect: "absent", contentType: "application/zstd" });
    expect(await Array.fromAsync(journal.read(referring))).toMatchObject(
      referring.map((name) => ({ name, entry: { votes: ROWS } })),
    );
  });

  test("where it is cut: the pack is made of the others, and reads the same", async () => {
    const { place, base, referring } = await makeReferring();
    await damage(place, toEntryKey(place, base), (body) => body.subarray(0, body.length / 2));
    const before = await tellAll(place);
    expect(before.texts.map(([, text]) => text.startsWith("unreadable"))).toEqual([true, true, true]);
    const compaction = await openJournal(place).compact({ now: DAY_END + 3 * HOUR });
    expect(compaction).toMatchObject({ packed: { entries: 2 }, unreadable: [{ name: base }] });
    await deleteLoose(place, referring);
    expect(await tellAll(place)).toEqual(before);
  });

  test("where a newer generator wrote it, and says so as of the reference itself", async () => {
    const { place, base, referring } = await makeReferring();
    await damage(place, toEntryKey(place, base), () => zstdCompressSync(Buffer.from('{"format":3}')));
    const [read] = await readAll(place, referring);
    expect("unreadable" in read! && isOfNewer(read.unreadable)).toBe(true);
  });

  test.each([
    ["of another day", "2026-11-19/100000000-check-0123456789abcdef", "is not before it on its day"],
    ["after it", "2026-11-20/110000000-check-0123456789abcdef", "is not before it on its day"],
    ["a snapshot", "2026-11-20/090000000-snapshot-0123456789abcdef", "which is no check"],
    ["a path", "../../etc/passwd-check-", "which is no check"],
  ])("where it is %s", async (_, base, reason) => {
    const { place } = await makeReferring();
    const name = await writeEntry(place, referringTo(base));
    const [read] = await readAll(place, [name]);
    expect(read).toEqual({ name, unreadable: expect.stringContaining(reason) as string });
  });

  test("where it refers to another itself, lacks what was taken away, or stands in another order", async () => {
    const { place, base, referring } = await makeReferring();
    const write = (more: Partial<ReferringCheck>) => writeEntry(place, { ...referringTo(base), ...more });
    const [unordered = ""] = await appendAll(openJournal(place), [after(30, ROWS.toReversed())]);
    const names = [
      await write({ base: referring[0]! }),
      await write({ gone: [SORTED[39]!] }),
      await write({ changed: [row(5), row(4)] }),
      await write({ base: unordered }),
    ];
    const reasons = await Promise.all(names.map(async (name) => (await readAll(place, [name]))[0]));
    expect(reasons).toMatchObject([
      { unreadable: `it refers to ${referring[0]}, which cannot be used: it refers to another itself` },
      { unreadable: `it takes away ${SORTED[39]}, which ${base} lacks` },
      { unreadable: `it is not by what differs from ${base}` },
      { unreadable: `it is not by what differs from ${unordered}` },
    ]);
  });
});

test("a generator that knows no reference says that a newer one wrote it", () => {
  const newer = "it has the format 2, known is 1: a newer version wrote it";
  expect(() => assertFormat(referringTo("any"), [1])).toThrow(newer);
  expect(isOfNewer(newer)).toBe(true);
});

test("what is written by reference is told apart where it is read alone, and may be written again as it is", async () => {
  const place = makePlace();
  const [base, name = ""] = await appendAll(openJournal(place), [after(0), after(10)]);
  const stored = await readEntry(place, name);
  expect(stored).toMatchObject({ name, referring: { base } });
  expect("referring" in stored && (await writeEntry(place, stored.referring))).toBe(name);
});
