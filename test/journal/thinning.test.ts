import { expect, test } from "vitest";
import { findSpare, listCheckpoints, saveCheckpoint } from "../../generator/journal/checkpoints.ts";
import { makeLedger, makePlace } from "./samples.ts";

const HOUR = 3_600_000;
const NOW = Date.parse("2026-11-20T15:00:00.000Z");

/** A checkpoint of each hour of so many days, newest first. */
const hourly = (days: number) =>
  Array.from({ length: days * 24 }, (_, ago) => {
    const time = new Date(NOW - ago * HOUR).toISOString();
    return { key: time, moment: `${time.slice(0, 10)}/${time.slice(11).replaceAll(/\D/g, "")}`, digest: "" };
  });

/** The moments that stay, newest first. */
function stay(days: number): string[] {
  const heads = hourly(days);
  const spare = new Set(findSpare(heads));
  return heads.filter((head) => !spare.has(head)).map(({ moment }) => moment);
}

test("all checkpoints of the last three days stay", () => {
  expect(findSpare(hourly(2))).toEqual([]);
  expect(stay(10).slice(0, 64)).toEqual(
    hourly(3)
      .map(({ moment }) => moment)
      .slice(0, 64),
  );
});

test("of each day before them the first stays", () => {
  expect(stay(10).slice(64, 68)).toEqual([
    "2026-11-17/000000000",
    "2026-11-16/000000000",
    "2026-11-15/000000000",
    "2026-11-14/000000000",
  ]);
});

test("of each month before the last 31 days the first stays", () => {
  expect(stay(120).filter((moment) => moment < "2026-10-22")).toEqual([
    "2026-10-21/000000000",
    "2026-10-01/000000000",
    "2026-09-01/000000000",
    "2026-08-01/000000000",
    "2026-07-23/160000000",
  ]);
});

test("a year of hourly checkpoints leaves about a hundred", () => {
  expect(stay(365).length).toBeLessThan(110);
});

test("whether they are thinned each hour or once, the same stay", () => {
  let kept = hourly(0);
  for (const head of hourly(50).reverse()) {
    kept = [head, ...kept];
    const spare = new Set(findSpare(kept));
    kept = kept.filter((one) => !spare.has(one));
  }
  expect(kept.map(({ moment }) => moment)).toEqual(stay(50));
});

test("a new checkpoint deletes those that are spare, and nothing else", async () => {
  const place = makePlace();
  const save = (time: string) =>
    saveCheckpoint(place, {
      ledger: makeLedger({ name: `${time.slice(0, 10)}/000000000-check-0000000000000000`, time }),
      foldVersion: 2,
      digest: "0123456789abcdef0123456789abcdef",
    });
  await place.store.put("checkpoints/mainnet/0001/f2/notes.txt", new Uint8Array(), { expect: "any", contentType: "" });
  for (const time of ["01:00", "02:00"]) await save(`2026-11-17T${time}:00.000Z`);
  await save("2026-11-20T00:00:00.000Z");
  const left = await listCheckpoints(place, { foldVersion: 2, fromDay: null });
  expect(left.map(({ moment }) => moment)).toEqual(["2026-11-20/000000000", "2026-11-17/010000000"]);
  expect(await place.store.head("checkpoints/mainnet/0001/f2/notes.txt")).not.toBeNull();
});
