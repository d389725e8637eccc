import { describe, expect, it } from "vitest";
import { readBlockProduction } from "../../generator/observe/block-production.ts";
import { key, readFrom } from "./fixtures.ts";

const read = (byIdentity: unknown, range: unknown = { firstSlot: 432_000, lastSlot: 432_900 }) =>
  readFrom(
    { getBlockProduction: { context: { slot: 432_900 }, value: { byIdentity, range } } },
    (reader) =>
      readBlockProduction(reader, {
        identities: new Set([key(1), key(2)]),
        epochFirstSlot: 432_000,
      }),
  );

describe("block production", () => {
  it("is that of the identities asked about, and of one that cannot be read does not cost that of the others", async () => {
    const rows = [
      [key(1), 0, 0],
      [key(2), 8, 7],
    ].sort(([a], [b]) => (String(a) < String(b) ? -1 : 1));
    expect(await read({ [key(2)]: [8, 7], [key(1)]: [0, 0], [key(3)]: [4, 4] })).toEqual(rows);
    expect(await read({ [key(1)]: [8], __proto__: [1, 1], [key(2)]: [8, 7] })).toEqual([
      [key(2), 8, 7],
    ]);
  });

  it.each([0, 864_000])(
    "of another epoch, from slot %d on, is not taken for that of this one",
    async (firstSlot) => {
      const reading = read({ [key(1)]: [8, 7] }, { firstSlot, lastSlot: firstSlot + 9 });
      await expect(reading).rejects.toMatchObject({ kind: "behind" });
    },
  );

  it.each<[unknown, unknown?]>([[{ [key(1)]: [8, 7] }, null], [null], [[]], ["none"]])(
    "is refused as %j of slots %j",
    async (...said) => {
      await expect(read(...said)).rejects.toMatchObject({ kind: "shape" });
    },
  );
});
