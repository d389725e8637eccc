import fc from "fast-check";
import { afterEach, describe, expect, it } from "vitest";
import { U64_MAX } from "../../generator/observe/json.ts";
import { decodePublicKey, encodePublicKey } from "../../generator/observe/public-key.ts";
import { readStakeAccounts, tallyStakeAccounts } from "../../generator/observe/stake-accounts.ts";
import type { StakeRow } from "../../generator/observe/stake-tally.ts";
import { key, withReader } from "./fixtures.ts";
import { startNode, startServer, RpcFailure, toExactJson, type TestServer } from "./rpc-server.ts";

const EPOCH = 1053;
const VOTES = [key(1), key(2)];

interface Delegation {
  vote: string;
  stake: bigint;
  activation: bigint;
  deactivation: bigint;
}

function slice({ vote, stake, activation, deactivation }: Delegation): string {
  const data = Buffer.alloc(56);
  data.set(decodePublicKey(vote));
  data.writeBigUInt64LE(stake, 32);
  data.writeBigUInt64LE(activation, 40);
  data.writeBigUInt64LE(deactivation, 48);
  return data.toString("base64");
}

const toRow = (delegation: Delegation, index: number) => ({
  account: {
    data: [slice(delegation), "base64"],
    executable: false,
    lamports: delegation.stake,
    owner: "Stake11111111111111111111111111111111111111",
    rentEpoch: U64_MAX,
    space: 200,
  },
  pubkey: key(index % 256),
});

function toAnswer(delegations: Delegation[]): string {
  return toExactJson({
    jsonrpc: "2.0",
    result: { context: { apiVersion: "4.2.1", slot: 455_000_123 }, value: delegations.map(toRow) },
    id: 1,
  });
}

/** The same sums the plain way: all of the answer as objects, and no bytes. */
function tallyPlainly(text: string, votes: string[]): StakeRow[] {
  const answer = JSON.parse(text) as { result: { value: { account: { data: [string, string] } }[] } };
  const epoch = BigInt(EPOCH);
  return votes.map((vote) => {
    const row: StakeRow = [vote, 0n, 0n, 0];
    for (const { account } of answer.result.value) {
      const data = Buffer.from(account.data[0], "base64");
      if (encodePublicKey(data.subarray(0, 32)) !== vote) continue;
      const [stake, activation, deactivation] = [
        data.readBigUInt64LE(32),
        data.readBigUInt64LE(40),
        data.readBigUInt64LE(48),
      ];
      if (activation === epoch && deactivation !== epoch) row[1] += stake;
      if (deactivation === epoch && activation < epoch) row[2] += stake;
      if (activation !== deactivation && deactivation >= epoch) row[3] += 1;
    }
    return row;
  });
}

// eslint-disable-next-line @typescript-eslint/require-await -- a body is asynchronous, its parts are here already
async function* toBody(...chunks: (string | Uint8Array)[]): AsyncGenerator<Uint8Array> {
  for (const chunk of chunks) yield Buffer.from(chunk);
}

const tally = (...chunks: (string | Uint8Array)[]) =>
  tallyStakeAccounts(toBody(...chunks), { votes: VOTES, epoch: EPOCH });

const delegation = (fields: Partial<Delegation> = {}): Delegation => ({
  vote: key(1),
  stake: 5n,
  activation: 900n,
  deactivation: U64_MAX,
  ...fields,
});

describe("the sums over stake accounts", () => {
  const now = BigInt(EPOCH);
  it.each([
    ["active for long", { activation: 900n }, [0n, 0n, 1]],
    ["activating", { activation: now }, [5n, 0n, 1]],
    ["to activate in the next epoch", { activation: now + 1n }, [0n, 0n, 1]],
    ["deactivating", { deactivation: now }, [0n, 5n, 1]],
    ["to be deactivated in the next epoch", { deactivation: now + 1n }, [0n, 0n, 1]],
    ["deactivated in the epoch before", { deactivation: now - 1n }, [0n, 0n, 0]],
    ["activated and deactivated in this epoch", { activation: now, deactivation: now }, [0n, 0n, 0]],
    ["activated and deactivated in an old epoch", { activation: 900n, deactivation: 900n }, [0n, 0n, 0]],
    ["of an epoch that differs from this one only above 2^32", { activation: now + 2n ** 32n }, [0n, 0n, 1]],
    ["deactivated in such an epoch", { deactivation: now + 2n ** 32n }, [0n, 0n, 1]],
    ["above 2^53", { activation: now, stake: 38_263_229_364_446_901n }, [38_263_229_364_446_901n, 0n, 1]],
    ["to a vote account nobody asked about", { vote: key(3), activation: now }, [0n, 0n, 0]],
  ])("take a delegation %s for what it is", async (_, fields, sums) => {
    const [first] = await tally(toAnswer([delegation(fields)]));
    expect(first).toEqual([key(1), ...sums]);
  });

  it("are those of a plain reading, wherever the answer is cut in two", async () => {
    const text = toAnswer([
      delegation({ activation: now }),
      delegation({ vote: key(2), deactivation: now }),
      delegation(),
    ]);
    const bytes = Buffer.from(text);
    const expected = tallyPlainly(text, VOTES);
    for (let cut = 0; cut <= bytes.length; cut++) {
      await expect(tally(bytes.subarray(0, cut), bytes.subarray(cut))).resolves.toEqual(expected);
    }
  });

  it("are those of a plain reading of one byte at a time", async () => {
    const text = toAnswer([delegation({ activation: now }), delegation({ vote: key(2) })]);
    await expect(tally(...Array.from(Buffer.from(text), (byte) => Uint8Array.of(byte)))).resolves.toEqual(
      tallyPlainly(text, VOTES),
    );
  });

  it("are those of a plain reading for any delegations in chunks of any size", async () => {
    const epochs = fc.constantFrom(0n, now - 1n, now, now + 1n, now + 2n ** 32n, U64_MAX);
    const delegations = fc.array(
      fc.record({
        vote: fc.constantFrom(key(1), key(2), key(3)),
        stake: fc.bigInt(0n, 2n ** 58n),
        activation: epochs,
        deactivation: epochs,
      }),
      { minLength: 1, maxLength: 30 },
    );
    await fc.assert(
      fc.asyncProperty(delegations, fc.integer({ min: 1, max: 400 }), async (some, size) => {
        const text = toAnswer(some);
        const bytes = Buffer.from(text);
        const chunks = Array.from({ length: Math.ceil(bytes.length / size) }, (_, index) =>
          bytes.subarray(index * size, (index + 1) * size),
        );
        await expect(tally(...chunks)).resolves.toEqual(tallyPlainly(text, VOTES));
      }),
    );
  });

  it("do not depend on spaces, on the order of keys or on strings that look like data", async () => {
    const text = JSON.stringify(
      {
        id: 1,
        result: {
          value: [
            {
              pubkey: 'x","data":["AAAA',
              account: { owner: "data", note: "\\", data: [slice(delegation({ activation: now })), "base64"] },
            },
            { pubkey: "data", account: { space: 200, data: [slice(delegation()), "base64"] } },
          ],
        },
      },
      null,
      2,
    );
    await expect(tally(text)).resolves.toEqual([
      [key(1), 5n, 0n, 2],
      [key(2), 0n, 0n, 0],
    ]);
  });

  it("of a chunk larger than the window are complete", async () => {
    const text = toAnswer(Array.from({ length: 2_000 }, () => delegation({ activation: now })));
    await expect(tally(text)).resolves.toEqual([
      [key(1), 10_000n, 0n, 2_000],
      [key(2), 0n, 0n, 0],
    ]);
  });
});

describe("an answer that is not one", () => {
  it("is refused wherever it ends too early", async () => {
    const bytes = Buffer.from(toAnswer([delegation(), delegation({ vote: key(2) })]));
    for (let end = 0; end < bytes.length; end++) {
      await expect(tally(bytes.subarray(0, end))).rejects.toMatchObject({ name: "RpcError" });
    }
  });

  it.each([
    ["a page of HTML", "<html>{}</html>", "body"],
    ["an answer without accounts", '{"jsonrpc":"2.0","result":{"context":{"slot":1},"value":[]},"id":1}', "body"],
    ["an error", '{"jsonrpc":"2.0","error":{"code":-32012,"message":"scan aborted"},"id":1}', "rpc"],
    ["a refusal", '{"jsonrpc":"2.0","error":{"code":-32010,"message":"excluded"},"id":1}', "refused"],
    [
      "accounts without the slice",
      toExactJson({ result: { value: [{ account: { data: [Buffer.alloc(200).toString("base64"), "base64"] } }] } }),
      "shape",
    ],
    ["data that is no base64", `{"result":{"value":[{"account":{"data":["${"!".repeat(75)}=","base64"]}}]}}`, "shape"],
    ["a string without end", `{"result":"${"x".repeat(200_000)}`, "body"],
  ])("such as %s is refused", async (_, text, kind) => {
    await expect(tally(text)).rejects.toMatchObject({ kind });
  });
});

describe("the scan", () => {
  let server: TestServer | undefined;

  afterEach(async () => {
    await server?.close();
  });

  const scan = (url: string) => withReader(url, (reader) => readStakeAccounts(reader, { votes: VOTES, epoch: EPOCH }));

  it("asks for nothing but the delegations", async () => {
    server = await startNode({ getProgramAccounts: { context: { slot: 1 }, value: [delegation()].map(toRow) } });
    await expect(scan(server.url)).resolves.toEqual([
      [key(1), 0n, 0n, 1],
      [key(2), 0n, 0n, 0],
    ]);
    expect(server.asked[0]?.body?.params).toMatchObject([
      "Stake11111111111111111111111111111111111111",
      {
        encoding: "base64",
        dataSlice: { offset: 124, length: 56 },
        filters: [{ dataSize: 200 }, { memcmp: { offset: 0 } }],
      },
    ]);
  });

  it("starts from nothing when the connection breaks in the middle", async () => {
    const text = toAnswer([delegation({ activation: BigInt(EPOCH) }), delegation()]);
    let count = 0;
    server = await startServer((_, response) => {
      if (count++ > 0) return void response.end(text);
      response.writeHead(200, { "content-length": text.length });
      response.write(text.slice(0, -100), () => response.destroy());
    });
    await expect(scan(server.url)).resolves.toEqual([
      [key(1), 5n, 0n, 2],
      [key(2), 0n, 0n, 0],
    ]);
    expect(count).toBe(2);
  });

  it("is not tried again where it is refused", async () => {
    server = await startNode({
      getProgramAccounts: () => {
        throw new RpcFailure(-32_010, "excluded from account secondary indexes");
      },
    });
    await expect(scan(server.url)).rejects.toMatchObject({ kind: "refused" });
    expect(server.asked).toHaveLength(1);
  });
});
