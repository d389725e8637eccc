import { afterEach, describe, expect, it } from "vitest";
import { readBlockProduction } from "../../generator/observe/block-production.ts";
import { key, withReader } from "./fixtures.ts";
import { startNode, type TestServer } from "../rpc/rpc-server.ts";

let node: TestServer | undefined;

afterEach(async () => {
  await node?.close();
});

const QUESTION = { identities: new Set([key(1), key(2)]), epochFirstSlot: 432_000 };

async function read(byIdentity: unknown, range: unknown = { firstSlot: 432_000, lastSlot: 432_900 }) {
  node = await startNode({ getBlockProduction: { context: { slot: 432_900 }, value: { byIdentity, range } } });
  return withReader(node.url, (reader) => readBlockProduction(reader, QUESTION));
}

describe("block production", () => {
  it("is that of the identities asked about", async () => {
    await expect(read({ [key(2)]: [8, 7], [key(1)]: [0, 0], [key(3)]: [4, 4] })).resolves.toEqual(
      [
        [key(1), 0, 0],
        [key(2), 8, 7],
      ].sort(([a], [b]) => (String(a) < String(b) ? -1 : 1)),
    );
    expect(node?.asked[0]?.body?.params).toEqual([{ commitment: "finalized" }]);
  });

  it("of one identity that cannot be read does not cost that of the others", async () => {
    await expect(read({ [key(1)]: [8], __proto__: [1, 1], [key(2)]: [8, 7] })).resolves.toEqual([[key(2), 8, 7]]);
  });

  it.each([0, 864_000])("of another epoch, from slot %d on, is not taken for that of this one", async (firstSlot) => {
    await expect(read({ [key(1)]: [8, 7] }, { firstSlot, lastSlot: firstSlot + 9 })).rejects.toMatchObject({
      kind: "behind",
    });
  });

  it("is refused when it does not say of which slots it is", async () => {
    await expect(read({ [key(1)]: [8, 7] }, null)).rejects.toMatchObject({ kind: "shape" });
  });

  it.each([[null], [[]], ["none"]])("is refused as %j", async (byIdentity) => {
    await expect(read(byIdentity)).rejects.toMatchObject({ kind: "shape" });
  });
});
