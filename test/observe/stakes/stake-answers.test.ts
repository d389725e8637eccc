import type { ServerResponse } from "node:http";
import { setImmediate } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import * as stakes from "../../../generator/observe/stakes/stake-answers.ts";
import { indexVoters, toStakeRows } from "../../../generator/observe/stakes/stake-tally.ts";
import { key, withReader } from "../fixtures.ts";
import { inTurn } from "../observing.ts";
import { openNode, openServer } from "../../rpc/open-server.ts";
import { RpcFailure } from "../../cluster/rpc/failure.ts";
import { toJson } from "../../cluster/rpc/json.ts";
import { type TestServer } from "../../rpc/rpc-server.ts";
import {
  byteAsked,
  delegation,
  EPOCH,
  NOW,
  toPage,
  toProgram,
  VOTES,
  toRow,
  type Params,
} from "./stakes.ts";
import { encodePublicKey } from "../../../generator/chain/public-key.ts";

const STAKE_PROGRAM = "Stake11111111111111111111111111111111111111";
const question = { voters: indexVoters(VOTES), epoch: EPOCH };
const read = async ({ url }: TestServer) =>
  toStakeRows(VOTES, await withReader(url, (reader) => stakes.readStakesByPage(reader, question)));

/** One result per request. */
const openPages = (...results: object[]) => openNode({ getProgramAccountsV2: inTurn(...results) });

const keysAsked = ({ asked }: TestServer) =>
  asked.map(({ body }) => (body?.params?.[1] as { paginationKey?: string }).paginationKey);

describe("the stake accounts page by page", () => {
  const activating = delegation({ activation: NOW });
  const leaving = delegation({ vote: key(2), deactivation: NOW });
  const rows = (first: number, second: number) => [
    [key(1), 5n, 0n, first],
    [key(2), 0n, 5n, second],
  ];

  it("are those of all pages, short and empty ones included, until no next one is named", async () => {
    const pages = [
      toPage([activating], "a"),
      toPage([], "b"),
      toPage([leaving, delegation()], "c"),
      toPage([], null),
    ];
    const node = await openPages(...pages);
    expect(await read(node)).toEqual(rows(2, 1));
    expect(keysAsked(node)).toEqual([undefined, "a", "b", "c"]);
    const slice = { limit: 10_000, encoding: "base64", dataSlice: { offset: 124, length: 56 } };
    const filters = [{ dataSize: 200 }, { memcmp: { offset: 0 } }];
    expect(node.asked[0]?.body?.params).toMatchObject([STAKE_PROGRAM, { ...slice, filters }]);
  });

  it.each([
    [
      "may end in a page with accounts and without a key",
      toPage([activating], "a"),
      toPage([leaving]),
    ],
    ["may come without a context", toPage([activating], "a").value, toPage([leaving], null).value],
  ])("%s", async (_, first, second) => {
    const node = await openPages(first, second);
    expect(await read(node)).toEqual(rows(1, 1));
    expect(node.asked).toHaveLength(2);
  });

  it("count no account of a page twice that broke in the middle and was asked for again", async () => {
    const [first, second] = [toPage([delegation()], "a"), toPage([activating, leaving], null)].map(
      (result) => toJson({ jsonrpc: "2.0", result, id: 1 }),
    );
    const answers = [first!, second!.slice(0, -100), second!];
    const server = await openServer((_, response) => {
      const text = answers.shift() ?? "";
      response.writeHead(200, { "content-length": text === first ? first.length : second!.length });
      response.write(text, () => (answers.length === 1 ? response.destroy() : response.end()));
    });
    expect(await read(server)).toEqual(rows(2, 1));
    expect(server.asked).toHaveLength(3);
  });

  it("are refused when a page leads back to an earlier one", async () => {
    const node = await openPages(
      toPage([activating], "a"),
      toPage([leaving], "b"),
      toPage([delegation()], "a"),
    );
    const message = /#0 getProgramAccountsV2: page 3 leads back to an earlier one/;
    await expect(read(node)).rejects.toMatchObject({ kind: "body", message });
    expect(node.asked).toHaveLength(3);
  });

  it("are refused when the pages do not end", async () => {
    let page = 0;
    const node = await openNode({ getProgramAccountsV2: () => toPage([], `key ${page++}`) });
    await expect(read(node)).rejects.toMatchObject({
      kind: "body",
      message: /no end after 1000 pages/,
    });
    expect(node.asked).toHaveLength(1000);
  });

  it.each([
    ["a result of another method", { context: { slot: 1 }, value: { total: 0 } }],
    ["accounts without data", { accounts: [{ pubkey: key(1) }], paginationKey: null }],
    ["a key that is a number", toPage([activating], 7 as never)],
  ])("are refused when a page is %s", async (_, result) => {
    await expect(read(await openPages(result))).rejects.toMatchObject({ kind: "shape" });
  });
});

/** Shares its first byte with another vote account. */
const TWIN = encodePublicKey(Uint8Array.from({ length: 32 }, (_, index) => (index === 0 ? 1 : 9)));
const TWINS = [key(1), TWIN, key(200)];
const questionOf = (votes: string[]) => ({ voters: indexVoters(votes), epoch: EPOCH });
const readByVoter = async ({ url }: TestServer, votes = TWINS) =>
  toStakeRows(
    votes,
    await withReader(url, (reader) => stakes.readStakesByVoter(reader, questionOf(votes))),
  );

const bytesAsked = ({ asked }: TestServer) =>
  asked.map(({ body }) => byteAsked(body?.params as Params));

async function nextTurns(count: number): Promise<void> {
  for (let turn = 0; turn < count; turn++) await setImmediate();
}

describe("the stake accounts by the first byte of the voter", () => {
  it("are asked for once a byte that a vote account begins with, and for no other", async () => {
    const leaving = delegation({ vote: TWIN, deactivation: NOW });
    const others = [key(200), key(3)].map((vote) => delegation({ vote }));
    const all = [delegation({ activation: NOW }), leaving, ...others];
    const node = await openNode({
      getProgramAccounts: (params: Params) => toProgram(all, byteAsked(params)),
    });
    expect(await readByVoter(node)).toEqual([
      [key(1), 5n, 0n, 1],
      [TWIN, 0n, 5n, 1],
      [key(200), 0n, 0n, 1],
    ]);
    expect(bytesAsked(node)).toEqual([1, 200]);
    expect(node.asked[0]?.body?.params).toMatchObject([
      STAKE_PROGRAM,
      {
        dataSlice: { offset: 124, length: 56 },
        filters: [{ dataSize: 200 }, { memcmp: { offset: 0 } }, {}],
      },
    ]);
  });

  it("are given up at the first failure, with no more calls than are under way", async () => {
    const votes = Array.from({ length: 256 }, (_, byte) => key(byte));
    const node = await openNode({
      getProgramAccounts(params: Params) {
        if (byteAsked(params) === 20) throw new RpcFailure(-32_012, "scan aborted");
        return [];
      },
    });
    await withReader(node.url, async (reader) => {
      await expect(stakes.readStakesByVoter(reader, questionOf(votes))).rejects.toThrow(/aborted/);
      await nextTurns(1_000);
    });
    expect(node.asked.length).toBeGreaterThan(20);
    expect(node.asked.length).toBeLessThan(30);
  });

  it("are refused when a node leaves the filter out of account", async () => {
    const value = [delegation(), delegation({ vote: key(200) })].map(toRow);
    const node = await openNode({ getProgramAccounts: { value } });
    await expect(readByVoter(node)).rejects.toMatchObject({
      kind: "shape",
      message: /account 2 of the answer/,
    });
  });

  it("are asked for one first, and then four at once", async () => {
    const votes = Array.from({ length: 9 }, (_, byte) => key(byte));
    const waiting: ServerResponse[] = [];
    const together: number[] = [];
    const server = await openServer((_, response) => {
      waiting.push(response);
      if (together.length > 0 && waiting.length < 4) return;
      void nextTurns(10).then(() => {
        together.push(waiting.length);
        for (const one of waiting.splice(0)) one.end('{"jsonrpc":"2.0","result":[],"id":1}');
      });
    });
    await expect(readByVoter(server, votes)).resolves.toHaveLength(9);
    expect(together).toEqual([1, 4, 4]);
    expect(bytesAsked(server).toSorted((a, b) => a! - b!)).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8]);
  });
});
