import { afterEach, describe, expect, it } from "vitest";
import { readBlockProduction } from "../../generator/observe/block-production.ts";
import { key, withReader } from "./fixtures.ts";
import { startNode, type TestServer } from "./rpc-server.ts";

let node: TestServer | undefined;

afterEach(async () => {
  await node?.close();
});

async function read(byIdentity: unknown) {
  node = await startNode({ getBlockProduction: { context: { slot: 5 }, value: { byIdentity } } });
  return withReader(node.url, (reader) => readBlockProduction(reader, new Set([key(1), key(2)])));
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

  it.each([[null], [[]], ["none"]])("is refused as %j", async (byIdentity) => {
    await expect(read(byIdentity)).rejects.toMatchObject({ kind: "shape" });
  });
});
