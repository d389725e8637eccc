import { beforeEach, expect, it } from "vitest";
import { examineDays } from "../../../generator/service/doctor/days.ts";
import { openJournal } from "../../../generator/journal/journal.ts";
import type { JournalPlace } from "../../../generator/journal/names.ts";
import { checkAt, damage, DAY_END, deleteLoose, fillDay, HOUR, packOf } from "../../journal/packed.ts";
import { makePlace } from "../../journal/samples.ts";

let place: JournalPlace;
beforeEach(() => {
  place = makePlace();
});

it("a journal that began today has no packs to tell of", async () => {
  await fillDay(place, 3);
  expect(await examineDays(place, { now: DAY_END - HOUR })).toEqual([]);
});

it("the days before today are counted, packed and loose", async () => {
  const names = await fillDay(place, 3);
  await openJournal(place).append(checkAt(1440));
  const at = (now: number) => examineDays(place, { now });
  expect(await at(DAY_END + HOUR)).toMatchObject([{ level: "ok", found: "0 days packed, 1 with loose entries" }]);
  await packOf(place, names);
  expect(await at(DAY_END + 25 * HOUR)).toMatchObject([{ level: "ok", found: "1 days packed, 2 with loose entries" }]);
  await deleteLoose(place, names);
  expect(await at(DAY_END + 25 * HOUR)).toMatchObject([{ level: "ok", found: "1 days packed, 1 with loose entries" }]);
});

it("loose entries of four days ago are a warning: nobody tidies", async () => {
  await fillDay(place, 3);
  expect(await examineDays(place, { now: DAY_END + 72 * HOUR - 1 })).toMatchObject([{ level: "ok" }]);
  expect(await examineDays(place, { now: DAY_END + 72 * HOUR })).toMatchObject([
    {
      level: "warning",
      found: "0 days packed, 1 with loose entries, the oldest of 2026-11-20",
      advice: expect.stringContaining("publish --network mainnet") as string,
    },
  ]);
});

it("a pack that cannot be read is a warning with its key and the reason", async () => {
  const names = await fillDay(place, 3);
  const key = await packOf(place, names);
  await damage(place, key, () => new Uint8Array());
  await deleteLoose(place, names);
  const findings = await examineDays(place, { now: DAY_END + 80 * HOUR });
  expect(findings).toMatchObject([
    { level: "ok" },
    { level: "warning", found: expect.stringMatching(`^1 packs of the last 31 days .* ${key}: `) as string },
  ]);
});
