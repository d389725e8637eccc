import { isDeepStrictEqual } from "node:util";
import { zstdCompressSync } from "node:zlib";
import { describe, expect, test } from "vitest";
import { assertFormat, toFault, writeEntry } from "../../generator/journal/entries.ts";
import { openJournal } from "../../generator/journal/journal.ts";
import { toEntryKey } from "../../generator/journal/names.ts";
import { REFERRING_FORMAT, type ReferringCheck } from "../../generator/journal/references.ts";
import { damage, DAY_END, deleteLoose, HOUR, tellAll } from "./packed.ts";
import { after, appendAll, readAll, row, ROWS, SORTED } from "./rows.ts";
import { makePlace } from "./samples.ts";

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
    expect(read).toMatchObject({ isOfNewer: true });
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

  test("where its reference is itself a reference, lacks what was taken away, or stands in another order", async () => {
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
      { unreadable: `it refers to ${referring[0]}, which cannot be used: its reference is itself a reference` },
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
    expect.toSatisfy((error) => isDeepStrictEqual(toFault(error), { unreadable: newer, isOfNewer: true })),
  );
  expect(() => assertFormat({ format: "3" }, [1])).toThrow(
    expect.toSatisfy((error) => !("isOfNewer" in toFault(error))),
  );
});
