import { isDeepStrictEqual } from "node:util";
import { zstdCompressSync } from "node:zlib";
import { describe, expect, test } from "vitest";
import { assertFormat, entryToJson, toFault } from "../../generator/journal/entries.ts";
import { openJournal } from "../../generator/journal/journal.ts";
import { toEntryKey, type JournalPlace } from "../../generator/journal/names.ts";
import { REFERRING_FORMAT } from "../../generator/journal/referring.ts";
import type { ReferringCheck } from "../../generator/journal/referring-check.ts";
import { damage, deleteLoose, packFirst, readTexts } from "./packed.ts";
import { after, appendAll, readAll, row, ROWS, SORTED } from "./rows.ts";
import { makePlace } from "./samples.ts";

async function plant(place: JournalPlace, name: string, check: ReferringCheck): Promise<string> {
  const body = zstdCompressSync(entryToJson({ name, previous: null }, check));
  await place.store.put(toEntryKey(place, name), body, {
    expect: "absent",
    contentType: "application/zstd",
  });
  return name;
}

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
    expect(await Array.fromAsync(journal.read(referring))).toEqual(
      referring.map((name) => ({ name, unreadable })),
    );
    await place.store.put(toEntryKey(place, base), body, {
      expect: "absent",
      contentType: "application/zstd",
    });
    expect(await Array.fromAsync(journal.read(referring))).toMatchObject(
      referring.map((name) => ({ name, entry: { votes: ROWS } })),
    );
  });

  test("where it is cut: the pack is made of the others, and reads the same", async () => {
    const { place, base, referring } = await makeReferring();
    await damage(place, toEntryKey(place, base), (body) => body.subarray(0, body.length / 2));
    const before = await readTexts(place, [base, ...referring]);
    expect(before.map((text) => text.startsWith("unreadable"))).toEqual([true, true, true]);
    const packing = await packFirst(place);
    expect(packing.packed).toMatchObject({ entries: 2 });
    expect(packing.unreadable[0]).toMatchObject({ name: base });
    await deleteLoose(place, referring);
    expect(await readTexts(place, [base, ...referring])).toEqual(before);
  });

  test("where a newer generator wrote it, and says so as of the reference itself", async () => {
    const { place, base, referring } = await makeReferring();
    await damage(place, toEntryKey(place, base), () =>
      zstdCompressSync(Buffer.from('{"format":3}')),
    );
    const [read] = await readAll(place, referring);
    expect(read).toMatchObject({ isOfNewer: true });
  });

  test.each([
    ["itself", "0000000004", "is not before it"],
    ["after it", "0000000005", "is not before it"],
    ["a path", "../../etc/passwd", "is not before it"],
    ["missing", "0000000000", "is not before it"],
  ])("where it is %s", async (_, base, reason) => {
    const { place } = await makeReferring();
    const name = await plant(place, "0000000004", referringTo(base));
    const [read] = await readAll(place, [name]);
    expect(read).toEqual({ name, unreadable: expect.stringContaining(reason) as string });
  });

  test("where its reference is itself a reference, lacks what was taken away, or stands in another order", async () => {
    const { place, base, referring } = await makeReferring();
    const [unordered = ""] = await appendAll(openJournal(place), [after(30, ROWS.toReversed())]);
    const write = (name: string, more: Partial<ReferringCheck>) =>
      plant(place, name, { ...referringTo(base), ...more });
    const names = [
      await write("0000000005", { base: referring[0]! }),
      await write("0000000006", { gone: [SORTED[39]!] }),
      await write("0000000007", { changed: [row(5), row(4)] }),
      await write("0000000008", { base: unordered }),
    ];
    const reasons = await Promise.all(names.map(async (name) => (await readAll(place, [name]))[0]));
    expect(reasons).toMatchObject([
      {
        unreadable: `it refers to ${referring[0]}, which cannot be used: it is no observation stored whole`,
      },
      { unreadable: `it removes ${SORTED[39]}, which ${base} does not have` },
      { unreadable: `its rows or those of ${base} are not in order` },
      { unreadable: `its rows or those of ${unordered} are not in order` },
    ]);
  });
});

test("a generator that knows no reference says that a newer one wrote it", () => {
  const newer = "it has the format 2, this version knows 1: a newer version wrote it";
  const refused = () => assertFormat(referringTo("any"), [1]);
  expect(refused).toThrow(
    expect.toSatisfy((error) =>
      isDeepStrictEqual(toFault(error), { unreadable: newer, isOfNewer: true }),
    ),
  );
  expect(() => assertFormat({ format: "3" }, [1])).toThrow(
    expect.toSatisfy((error) => !("isOfNewer" in toFault(error))),
  );
});
