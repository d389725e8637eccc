import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { CheckEntry } from "../../generator/entries/entry.ts";
import { openJournal } from "../../generator/journal/journal.ts";
import { toEntryKey, type JournalPlace } from "../../generator/journal/names.ts";
import { REFERRING_FORMAT } from "../../generator/journal/referring.ts";
import { decompress } from "../../generator/store/zstd.ts";
import { deleteLoose, packFirst } from "./packed.ts";
import { after, appendAll, readAll, row, ROWS, SORTED } from "./rows.ts";
import { makePlace } from "./samples.ts";
import { SOAK } from "../soak/soak.ts";

async function storedAt(place: JournalPlace, name: string): Promise<Record<string, unknown>> {
  const { body } = (await place.store.get(toEntryKey(place, name)))!;
  const json = decompress(body, { bytesMax: 1e6 });
  return JSON.parse(json.toString()) as Record<string, unknown>;
}

const isReferring = async (place: JournalPlace, name: string) =>
  (await storedAt(place, name))["format"] === REFERRING_FORMAT;

describe("a check that shows what one before it did", () => {
  const flipped = ROWS.with(3, row(3, { delinquent: true }))
    .toSpliced(7, 1)
    .concat(row(35, { percent: null }));
  const entries = [after(0), after(10), after(20, flipped), after(30)];

  test("refers to one of its own endpoint, where several show other rows", async () => {
    const place = makePlace();
    const rounded = ROWS.map((each) => ({ ...each, basisPoints: null }));
    const checks = [0, 20, 40].flatMap((seconds) => [
      { ...after(seconds), endpoint: "https://one.example#0" },
      { ...after(seconds + 10, rounded), endpoint: "https://other.example#1" },
    ]);
    const names = await appendAll(openJournal(place), checks);
    const referring = await Promise.all(names.map((name) => isReferring(place, name)));
    expect(referring).toEqual([false, false, true, true, true, true]);
    expect(await readAll(place, names)).toMatchObject(
      names.map((name, index) => ({ name, entry: checks[index] })),
    );
  });

  test("is written down by what differs from it, and read whole", async () => {
    const place = makePlace();
    const names = await appendAll(openJournal(place), entries);
    const [base] = names;
    expect(await storedAt(place, names[1]!)).toMatchObject({
      format: 2,
      base,
      changed: [],
      gone: [],
    });
    const [third, late] = [
      { vote: SORTED[3], delinquent: true },
      { vote: SORTED[35], percent: null },
    ];
    expect(await storedAt(place, names[2]!)).toMatchObject({
      base,
      changed: [third, late],
      gone: [SORTED[7]],
    });
    expect(await readAll(place, names)).toMatchObject(
      names.map((name, index) => ({ name, entry: entries[index] })),
    );
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
  // Mostly small differences, so that some checks refer and some do not.
  const story = fc.array(
    fc.record({
      seconds: fc.integer({ min: 1, max: 400 }),
      rows: votes,
      isNew: fc.boolean(),
      isSorted: fc.boolean(),
    }),
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
        return after(
          time,
          isSorted ? listed.sort((one, other) => (one.vote < other.vote ? -1 : 1)) : listed,
        );
      });
      const names = await appendAll(journal, entries);
      for (const name of names) if (await isReferring(place, name)) referring += 1;
      const expected = names.map((name, index) => ({ name, entry: entries[index] }));
      expect(await Array.fromAsync(journal.read(names))).toMatchObject(expected);
      expect(await readAll(place, names)).toMatchObject(expected);
      await packFirst(place);
      await deleteLoose(place, names);
      expect(await readAll(place, names)).toMatchObject(expected);
    }),
    { numRuns: 20 * SOAK },
  );
  expect(referring).toBeGreaterThan(5);
});

describe("a check is written whole", () => {
  const second = async (one: CheckEntry, other: CheckEntry) => {
    const place = makePlace();
    const [, name = ""] = await appendAll(openJournal(place), [one, other]);
    return isReferring(place, name);
  };

  test("by each process first, and not by what another one wrote", async () => {
    const place = makePlace();
    const names = [
      await openJournal(place).append(after(0)),
      await openJournal(place).append(after(10)),
    ];
    expect(await Promise.all(names.map((name) => isReferring(place, name)))).toEqual([
      false,
      false,
    ]);
  });

  const turned = (count: number) =>
    ROWS.map((one, index) => ({ ...one, delinquent: index < count }));
  const few = (count: number) =>
    [after(0, ROWS.slice(0, count)), after(10, ROWS.slice(0, count))] as const;
  test.each<[string, CheckEntry, CheckEntry, boolean]>([
    ["a quarter of the rows differ", after(0), after(10, turned(7)), true],
    ["more of them differ", after(0), after(10, turned(8)), false],
    ["it is under an hour old", after(0), after(3599), true],
    ["it is an hour old", after(0), after(3600), false],
    ["it has few rows, but enough", ...few(8), true],
    ["it has so few rows that its name would be as long", ...few(7), false],
    ["the rows are in no order", after(0), after(10, ROWS.toReversed()), false],
    [
      "its own rows are in no order",
      after(0, ROWS.toReversed()),
      after(10, ROWS.toReversed()),
      false,
    ],
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
});
