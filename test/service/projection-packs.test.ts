import { zstdCompressSync, zstdDecompressSync } from "node:zlib";
import { expect, test } from "vitest";
import type { JournalPlace } from "../../generator/journal/names.ts";
import { HOUR, damage, deleteLoose, packOf } from "../journal/packed.ts";
import { timeAt } from "../ledger/story.ts";
import { calm, makeGenerator, others } from "./keeping.ts";

/** A generator that has folded a packed day, of which nothing is loose any more. */
async function prepare() {
  const generator = makeGenerator();
  const place: JournalPlace = { store: generator.store, network: "mainnet", series: 1 };
  const names = await generator.append(...calm(0, 60));
  const key = await packOf(place, names, Date.parse(timeAt(60)) + 3 * HOUR);
  await deleteLoose(place, names);
  generator.minute = 61;
  return { generator, place, names, key };
}

test("a projection folds a packed day as it folds a loose one", async () => {
  const { generator, names } = await prepare();
  const loose = makeGenerator();
  await loose.append(...calm(0, 60));
  loose.minute = 61;
  const [packed, apart] = [generator.makeKeeper(), loose.makeKeeper()];
  expect([...(await packed.refresh()).keys()]).toEqual(names);
  await apart.refresh();
  expect(packed.ledger()).toEqual(apart.ledger());
  expect(packed.position()).toEqual(apart.position());
});

test("a pack that cannot be read is quarantined by its key", async () => {
  const { generator, place, key } = await prepare();
  await damage(place, key, () => new Uint8Array());
  const projection = generator.makeKeeper();
  await projection.refresh();
  expect(projection.quarantined()).toMatchObject([{ object: key }]);
  expect(projection.outdated()).toBeNull();
});

test("a pack of a newer format is not published past: who wrote it knows more", async () => {
  const { generator, place, key } = await prepare();
  await damage(place, key, (body) =>
    zstdCompressSync(zstdDecompressSync(body).toString().replace('"format":1', '"format":2')),
  );
  await generator.append(others(61, 500));
  generator.minute = 62;
  const projection = generator.makeKeeper();
  await projection.refresh();
  expect(projection.outdated()).toContain(`${key}: it has the format 2`);
});
