import type { ServerResponse } from "node:http";
import { setImmediate } from "node:timers/promises";
import { afterEach, describe, expect, it } from "vitest";
import { encodePublicKey } from "../../../generator/chain/public-key.ts";
import { createRpc } from "../../../generator/rpc/rpc.ts";
import { readStakesByVoter } from "../../../generator/observe/stakes/stake-split.ts";
import { indexVoters, toStakeRows } from "../../../generator/observe/stakes/stake-sums.ts";
import { readStakesWhole } from "../../../generator/observe/stakes/stake-whole.ts";
import { createClock, key, withReader } from "../fixtures.ts";
import { RpcFailure, startNode, startServer, type TestServer } from "../../rpc/rpc-server.ts";
import { delegation, EPOCH, NOW, toRow, type Delegation } from "./stakes.ts";

let server: TestServer | undefined;

afterEach(async () => {
  await server?.close();
});

/** Two vote accounts whose keys begin with the same byte, and a third. */
const TWIN = encodePublicKey(Uint8Array.from({ length: 32 }, (_, index) => (index === 0 ? 1 : 9)));
const VOTES = [key(1), TWIN, key(200)];
const question = (votes: string[]) => ({ voters: indexVoters(votes), epoch: EPOCH });
const read = async ({ url }: TestServer, votes = VOTES) =>
  toStakeRows(votes, await withReader(url, (reader) => readStakesByVoter(reader, question(votes))));

type Params = [string, { filters: { dataSize?: number; memcmp?: { offset: number; bytes: string } }[] }];

/** The first byte of the voter that a request asks for; null: of any. */
function byteOf(params: Params): number | null {
  const filter = params[1].filters.find(({ memcmp }) => memcmp?.offset === 124);
  return filter === undefined ? null : Buffer.from(filter.memcmp?.bytes ?? "", "base64")[0]!;
}

const bytesAsked = ({ asked }: TestServer) => asked.map(({ body }) => byteOf(body?.params as Params));

async function startSplit(delegations: Delegation[], fails: (byte: number | null) => RpcFailure | null = () => null) {
  server = await startNode({
    getProgramAccounts: (params: Params) => {
      const byte = byteOf(params);
      const failure = fails(byte);
      if (failure !== null) throw failure;
      const rows = delegations.map(toRow).filter(({ account }) => Buffer.from(account.data[0]!, "base64")[0] === byte);
      return { context: { slot: 1 }, value: rows };
    },
  });
  return server;
}

async function nextTurns(count: number): Promise<void> {
  for (let turn = 0; turn < count; turn++) await setImmediate();
}

describe("the stake accounts by the first byte of the voter", () => {
  it("are asked for once a byte that a vote account begins with, and for no other", async () => {
    const some = [
      delegation({ activation: NOW }),
      delegation({ vote: TWIN, deactivation: NOW }),
      delegation({ vote: key(200) }),
      delegation({ vote: key(3) }),
    ];
    await expect(read(await startSplit(some))).resolves.toEqual([
      [key(1), 5n, 0n, 1],
      [TWIN, 0n, 5n, 1],
      [key(200), 0n, 0n, 1],
    ]);
    expect(bytesAsked(server!)).toEqual([1, 200]);
    expect(server?.asked[0]?.body?.params).toMatchObject([
      "Stake11111111111111111111111111111111111111",
      { dataSlice: { offset: 124, length: 56 }, filters: [{ dataSize: 200 }, { memcmp: { offset: 0 } }, {}] },
    ]);
  });

  it("may be none for a byte", async () => {
    await expect(read(await startSplit([delegation()]))).resolves.toEqual([
      [key(1), 0n, 0n, 1],
      [TWIN, 0n, 0n, 0],
      [key(200), 0n, 0n, 0],
    ]);
  });

  it("are asked for one byte only where that is refused", async () => {
    const votes = Array.from({ length: 256 }, (_, byte) => key(byte));
    const refusal = new RpcFailure(-32_010, "excluded from account secondary indexes");
    await expect(read(await startSplit([], () => refusal), votes)).rejects.toMatchObject({ kind: "refused" });
    expect(server?.asked).toHaveLength(1);
  });

  it("are given up at the first failure, with no more calls than are under way", async () => {
    const votes = Array.from({ length: 256 }, (_, byte) => key(byte));
    const failure = new RpcFailure(-32_012, "scan aborted");
    const node = await startSplit([], (byte) => (byte === 20 ? failure : null));
    await withReader(node.url, async (reader) => {
      await expect(readStakesByVoter(reader, question(votes))).rejects.toThrow(/aborted/);
      // Time in which more calls would be made, were there any to make.
      await nextTurns(1_000);
    });
    expect(node.asked.length).toBeGreaterThan(20);
    expect(node.asked.length).toBeLessThan(30);
  });

  it("are refused when a node leaves the filter out of account", async () => {
    server = await startNode({
      getProgramAccounts: { value: [delegation(), delegation({ vote: key(200) })].map(toRow) },
    });
    await expect(read(server)).rejects.toMatchObject({ kind: "shape", message: /account 2 of the answer/ });
  });

  it("are asked for one first, and then four at once", async () => {
    const votes = Array.from({ length: 9 }, (_, byte) => key(byte));
    const waiting: ServerResponse[] = [];
    const together: number[] = [];
    server = await startServer((_, response) => {
      waiting.push(response);
      if (together.length > 0 && waiting.length < 4) return;
      // Whatever else was sent at the same time is given the time to arrive.
      void nextTurns(10).then(() => {
        together.push(waiting.length);
        for (const one of waiting.splice(0)) one.end('{"jsonrpc":"2.0","result":[],"id":1}');
      });
    });
    await expect(read(server, votes)).resolves.toHaveLength(9);
    expect(together).toEqual([1, 4, 4]);
    expect(bytesAsked(server).toSorted((a, b) => a! - b!)).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8]);
  });

  it("are offered where the one large answer is refused, and the other way round", async () => {
    const clock = createClock();
    const refusal = new RpcFailure(410, "The RPC call or parameters have been disabled.");
    const node = await startSplit([delegation()], (byte) => (byte === null ? refusal : null));
    const rpc = createRpc({ endpoints: [node.url], now: clock.now, sleep: clock.sleep, random: () => 0 });
    const reader = rpc.endpoints[0]!.until(clock.now() + 60_000);
    await expect(readStakesWhole(reader, question(VOTES))).rejects.toMatchObject({ kind: "refused" });
    await expect(readStakesByVoter(reader, question(VOTES))).resolves.toMatchObject({
      counts: Uint32Array.of(1, 0, 0),
    });
    await expect(readStakesWhole(reader, question(VOTES))).rejects.toThrow(/refused/);
    expect(bytesAsked(node)).toEqual([null, 1, 200]);
    await rpc.close();
  });
});
