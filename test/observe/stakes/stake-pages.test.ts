import { afterEach, describe, expect, it } from "vitest";
import { readStakesByPage } from "../../../generator/observe/stakes/stake-pages.ts";
import { indexVoters, toStakeRows } from "../../../generator/observe/stakes/stake-sums.ts";
import { key, withReader } from "../fixtures.ts";
import { RpcFailure, startNode, startServer, toExactJson, type TestServer } from "../../rpc/rpc-server.ts";
import { delegation, EPOCH, NOW, toPage, VOTES } from "./stakes.ts";

let server: TestServer | undefined;

afterEach(async () => {
  await server?.close();
});

const question = { voters: indexVoters(VOTES), epoch: EPOCH };
const read = async ({ url }: TestServer) =>
  toStakeRows(VOTES, await withReader(url, (reader) => readStakesByPage(reader, question)));

/** Answers the first request with the first result, and so on; what is no object is an error's message. */
async function startPages(...results: (object | string)[]): Promise<TestServer> {
  let next = 0;
  server = await startNode({
    getProgramAccountsV2: () => {
      const result = results[Math.min(next++, results.length - 1)];
      if (typeof result === "string") throw new RpcFailure(-32_603, result);
      return result;
    },
  });
  return server;
}

const keysAsked = ({ asked }: TestServer) =>
  asked.map(({ body }) => (body?.params?.[1] as { paginationKey?: string }).paginationKey);

describe("the stake accounts page by page", () => {
  const activating = delegation({ activation: NOW });
  const leaving = delegation({ vote: key(2), deactivation: NOW });

  it("are those of all pages, short and empty ones included, until no next one is named", async () => {
    const pages = [toPage([activating], "a"), toPage([], "b"), toPage([leaving, delegation()], "c"), toPage([], null)];
    await expect(read(await startPages(...pages))).resolves.toEqual([
      [key(1), 5n, 0n, 2],
      [key(2), 0n, 5n, 1],
    ]);
    expect(keysAsked(server!)).toEqual([undefined, "a", "b", "c"]);
    expect(server?.asked[0]?.body?.params).toMatchObject([
      "Stake11111111111111111111111111111111111111",
      {
        limit: 10_000,
        encoding: "base64",
        dataSlice: { offset: 124, length: 56 },
        filters: [{ dataSize: 200 }, { memcmp: { offset: 0 } }],
      },
    ]);
  });

  it("may end in a page with accounts and without a key", async () => {
    await expect(read(await startPages(toPage([activating], "a"), toPage([leaving])))).resolves.toEqual([
      [key(1), 5n, 0n, 1],
      [key(2), 0n, 5n, 1],
    ]);
  });

  it("may come without a context", async () => {
    const [first, second] = [toPage([activating], "a"), toPage([], null)].map(({ value }) => value);
    await expect(read(await startPages(first!, second!))).resolves.toEqual([
      [key(1), 5n, 0n, 1],
      [key(2), 0n, 0n, 0],
    ]);
    expect(server?.asked).toHaveLength(2);
  });

  it("count no account of a page twice that broke in the middle and was asked for again", async () => {
    const [first, second] = [toPage([delegation()], "a"), toPage([activating, leaving], null)].map((result) =>
      toExactJson({ jsonrpc: "2.0", result, id: 1 }),
    );
    const answers = [first!, second!.slice(0, -100), second!];
    server = await startServer((_, response) => {
      const text = answers.shift() ?? "";
      response.writeHead(200, { "content-length": text === first ? first.length : second!.length });
      response.write(text, () => (answers.length === 1 ? response.destroy() : response.end()));
    });
    await expect(read(server)).resolves.toEqual([
      [key(1), 5n, 0n, 2],
      [key(2), 0n, 5n, 1],
    ]);
    expect(server.asked).toHaveLength(3);
  });

  it("are refused when a page leads back to an earlier one", async () => {
    const node = await startPages(toPage([activating], "a"), toPage([leaving], "b"), toPage([delegation()], "a"));
    await expect(read(node)).rejects.toMatchObject({
      kind: "body",
      message: /#0 getProgramAccountsV2: page 3 leads back to an earlier one/,
    });
    expect(node.asked).toHaveLength(3);
  });

  it("are refused when a page names itself as the next", async () => {
    await expect(read(await startPages(toPage([activating], "a")))).rejects.toThrow(/page 2 leads back/);
  });

  it("are refused when the pages do not end", async () => {
    let page = 0;
    server = await startNode({ getProgramAccountsV2: () => toPage([], `key ${page++}`) });
    await expect(read(server)).rejects.toMatchObject({ kind: "body", message: /no end after 1000 pages/ });
    expect(server.asked).toHaveLength(1000);
  });

  it("are refused when one page fails for good", async () => {
    const node = await startPages(toPage([activating], "a"), "index is being rebuilt");
    await expect(read(node)).rejects.toMatchObject({ kind: "rpc", message: /index is being rebuilt/ });
  });

  it.each([
    ["a result of another method", { context: { slot: 1 }, value: { total: 0 } }],
    ["accounts without data", { accounts: [{ pubkey: key(1) }], paginationKey: null }],
    ["a key that is a number", toPage([activating], 7 as never)],
  ])("are refused when a page is %s", async (_, result) => {
    await expect(read(await startPages(result))).rejects.toMatchObject({ kind: "shape" });
  });

  it("are not asked for where the method is not offered", async () => {
    server = await startNode({});
    await expect(read(server)).rejects.toMatchObject({ kind: "refused" });
    expect(server.asked).toHaveLength(1);
  });
});
