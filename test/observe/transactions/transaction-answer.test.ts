import { base58 } from "@scure/base";
import { describe, expect, it } from "vitest";
import { decodeTransaction, encodeSignature } from "../../../generator/chain/transaction.ts";
import type { TransactionAnswer } from "../../../generator/entries/entry.ts";
import { key } from "../fixtures.ts";
import { entryOf, failed, fails, observe } from "../observing.ts";
import {
  historyNode,
  read,
  readOwnFailure,
  resultOf,
  search,
  type Result,
} from "./history-node.ts";
import type { Methods } from "../../rpc/rpc-server.ts";

/** Keys: payer, authority, vote account, vote program. */
const LEGACY = resultOf("bps-800-by-new-authority");
const VERSIONED = resultOf("v0-1234");

const VERSION_1 = resultOf("v1-all-settings-percent-6-then-678");

const toBytes = ({ transaction: [text] }: Result) => Buffer.from(text, "base64");
const signatureOf = (result: Result) =>
  encodeSignature(decodeTransaction(toBytes(result)).signatures[0]!);

async function readAnswer(
  result: unknown,
  signature = signatureOf(LEGACY),
): Promise<TransactionAnswer> {
  const rows = [{ signature, slot: LEGACY.slot, err: null }];
  return answerOf(historyNode({ rows, results: new Map([[signature, result]]) }));
}

async function answerOf(node: Methods): Promise<TransactionAnswer> {
  const { observer } = await observe([node]);
  const { transactions } = entryOf(await read(observer, search()));
  expect(transactions).toHaveLength(1);
  return transactions[0]!.answers[0]!;
}

const withMeta = (result: Result, meta: object): Result => ({
  ...result,
  meta: { ...result.meta, ...meta },
});
const withInner = (...innerInstructions: unknown[]) => withMeta(LEGACY, { innerInstructions });

describe("a transaction", () => {
  it("may have failed, as the witness itself says", async () => {
    const err = { InstructionError: [0, "MissingRequiredSignature"] };
    expect(await readAnswer(withMeta(LEGACY, { err }))).toMatchObject({
      state: "ok",
      failed: true,
      slot: LEGACY.slot,
    });
  });

  it("may be of version 1, and looks nothing up", async () => {
    const [bytes] = VERSION_1.transaction;
    const read = { state: "ok", slot: 65, index: 1, failed: false, bytes, inner: [], loaded: [] };
    expect(await readAnswer(VERSION_1, signatureOf(VERSION_1))).toMatchObject(read);
    const lookedUp = withMeta(VERSION_1, { loadedAddresses: { writable: [key(8)], readonly: [] } });
    const refusal = "the answer has 1 looked-up keys, the message asks for 0";
    expect(await readAnswer(lookedUp, signatureOf(VERSION_1))).toEqual(failed(refusal));
    expect(
      await readAnswer(withMeta(VERSION_1, { loadedAddresses: null }), signatureOf(VERSION_1)),
    ).toMatchObject(read);
  });

  it("that failed before any program ran has no inner instructions, and is read as one that changed nothing", async () => {
    const unbudgeted = resultOf("v1-failed-9900-without-settings");
    expect(unbudgeted.meta["innerInstructions"]).toBeNull();
    const read = { state: "ok", slot: 97, failed: true, inner: [], loaded: [] };
    expect(await readAnswer(unbudgeted, signatureOf(unbudgeted))).toMatchObject(read);
  });

  it("may stand at an index and a time that nobody gives", async () => {
    const { transactionIndex, blockTime, ...rest } = LEGACY;
    expect([transactionIndex, blockTime]).toEqual([1, 1_795_384_877]);
    expect(await readAnswer(rest)).toMatchObject({ state: "ok", index: null, blockTime: null });
    expect(await readAnswer({ ...rest, blockTime: null })).toMatchObject({
      state: "ok",
      blockTime: null,
    });
  });

  it("has those inner instructions that the vote program carried out, in order", async () => {
    const data = Uint8Array.of(18, 0, 0, 0, 16, 39, 0, 0, 0, 0);
    const one = { programIdIndex: 3, accounts: [2, 1], data: base58.encode(data), stackHeight: 2 };
    const foreign = { programIdIndex: 1, accounts: [0], data: "not Base58: of no interest" };
    const instructions = [foreign, one, { ...one, data: "", accounts: [] }];
    const answer = await readAnswer(withInner({ index: 0, instructions }));
    expect(answer).toMatchObject({
      inner: [
        [0, 3, [2, 1], Buffer.from(data).toString("base64")],
        [0, 3, [], ""],
      ],
    });
  });

  it("has those of each of its instructions once, in order", async () => {
    const two = resultOf("two-in-one-10000-then-0");
    const readWith = (...indexes: number[]) => {
      const groups = indexes.map((index) => ({
        index,
        instructions: [{ programIdIndex: 3, accounts: [], data: "" }],
      }));
      return readAnswer(withMeta(two, { innerInstructions: groups }), signatureOf(two));
    };
    const inner = [0, 1].map((index) => [index, 3, [], ""]);
    expect(await readWith(0, 1)).toMatchObject({ state: "ok", inner });
    expect(await readWith(1, 1)).toEqual(failed("instruction 1 of 2"));
    expect(await readWith(1, 0)).toEqual(failed("instruction 0 of 2"));
  });

  it("has the keys that it looks up, the writable ones first, and the vote program may be one of them", async () => {
    // Replaces the empty list by one table, of two keys, the first writable.
    const tables = Buffer.concat([
      Uint8Array.of(1),
      Buffer.alloc(32, 9),
      Uint8Array.of(1, 5, 1, 6),
    ]);
    const bytes = Buffer.concat([toBytes(VERSIONED).subarray(0, -1), tables]);
    const lookingUp: Result = {
      ...withMeta(VERSIONED, {
        loadedAddresses: {
          readonly: [key(8)],
          writable: ["Vote111111111111111111111111111111111111111"],
        },
        innerInstructions: [
          { index: 0, instructions: [{ programIdIndex: 4, accounts: [5], data: "2" }] },
        ],
      }),
      transaction: [bytes.toString("base64"), "base64"],
    };
    expect(await readAnswer(lookingUp, signatureOf(VERSIONED))).toMatchObject({
      state: "ok",
      bytes: bytes.toString("base64"),
      loaded: ["Vote111111111111111111111111111111111111111", key(8)],
      inner: [[0, 4, [5], "AQ=="]],
    });
  });
});

describe("a transaction is not read", () => {
  const instruction = { programIdIndex: 3, accounts: [2], data: "2" };
  const inner = (change: object) =>
    withInner({ index: 0, instructions: [{ ...instruction, ...change }] });
  const bytes = (text: string) => ({ ...LEGACY, transaction: [text, "base64"] });
  const [text] = LEGACY.transaction;
  const nothing = { index: 0, instructions: [] };
  const lookedUp = (address: string) =>
    withMeta(LEGACY, { loadedAddresses: { writable: [address], readonly: [] } });
  const ofMany = (count: number, data: string) =>
    withInner({
      index: 0,
      instructions: Array.from({ length: count }, () => ({ ...instruction, data })),
    });
  const TOO_MUCH = "more inner instructions of the vote program than are read";

  it.each<[string, unknown, string]>([
    ["that is another one", VERSIONED, "It is another one"],
    ["whose bytes are cut", bytes(toBytes(LEGACY).subarray(0, -1).toString("base64")), "Byte"],
    [
      "with bytes after its end",
      bytes(Buffer.concat([toBytes(LEGACY), Buffer.alloc(1)]).toString("base64")),
      "Byte",
    ],
    ["without bytes", bytes(""), "Byte 0"],
    ["whose bytes can be written otherwise", bytes(`${text}=`), "no Base64"],
    ["whose bytes are in the other alphabet", bytes(text.replaceAll("/", "_")), "no Base64"],
    ["that is too long", bytes("A".repeat(5_468)), "expected string to have <=5464 characters"],
    ["in another encoding", { ...LEGACY, transaction: [text, "base58"] }, 'expected "base64"'],
    ["parsed by the node", { ...LEGACY, transaction: { message: {} } }, "expected tuple"],
    ["without a slot", { ...LEGACY, slot: null }, "expected number"],
    ["before the first slot", { ...LEGACY, slot: -1 }, "expected number to be >=0"],
    ["with a slot above 2^53", { ...LEGACY, slot: 2n ** 60n }, "expected number"],
    ["with a time that is a text", { ...LEGACY, blockTime: "2026" }, "expected number"],
    ["without its meta data", { ...LEGACY, meta: null }, "expected object"],
    [
      "that does not say whether it failed",
      withMeta(LEGACY, { err: undefined }),
      "does not say whether it failed",
    ],
    [
      "without inner instructions",
      withMeta(LEGACY, { innerInstructions: null }),
      "inner instructions are missing",
    ],
    [
      "with keys that it does not look up",
      lookedUp(key(1)),
      "the answer has 1 looked-up keys, the message asks for 0",
    ],
    ["with looked-up keys that are none", lookedUp("x"), "not a Base58 public key"],
    [
      "with inner instructions of none of its own",
      withInner({ index: 1, instructions: [] }),
      "instruction 1 of 1",
    ],
    [
      "with inner instructions of an instruction twice",
      withInner(nothing, nothing),
      "instruction 0 of 1",
    ],
    [
      "with an inner program that is none of its keys",
      inner({ programIdIndex: 4 }),
      "names key 4 of 4",
    ],
    [
      "with an inner account that is none of its keys",
      inner({ accounts: [1, 200] }),
      "names key 200 of 4",
    ],
    ["with an inner account that is no place", inner({ accounts: [256] }), "<=255"],
    ["with inner data that are no Base58", inner({ data: "0OIl" }), "no Base58"],
    ["with inner data without end", inner({ data: "2".repeat(1_000_000) }), TOO_MUCH],
    [
      "with a long inner instruction",
      inner({ data: "2".repeat(1_001) }),
      "data of 1001 characters",
    ],
    ["with many inner instructions for one transaction", ofMany(5, "2".repeat(801)), TOO_MUCH],
    ["with inner instructions without end", ofMany(257, "2"), "<=256 items"],
    ["that is a number", 7, "expected object"],
  ])("%s", async (_, result, reason) => {
    expect(await readAnswer(result)).toEqual(failed(reason));
  });

  it("of many megabytes", async () => {
    const logMessages = ["x".repeat(4_000_000)];
    expect(await readAnswer(withMeta(LEGACY, { logMessages }))).toEqual(
      failed("longer than 4000000 bytes"),
    );
  });

  it("of a version that the node does not give, which the reason names", async () => {
    const { code, message } = readOwnFailure("getTransaction.v1-with-version-0");
    const rows = [{ signature: signatureOf(VERSION_1), slot: 1_229, err: null }];
    const node = { ...historyNode({ rows }), getTransaction: fails(code, message) };
    expect(await answerOf(node)).toEqual(
      failed("error -32015: Transaction version (1) is not supported"),
    );
  });

  it.each([
    ["before its signatures", VERSION_1, 0],
    ["after its signatures", VERSIONED, 1 + 2 * 64],
  ])(
    "of a version that nobody knows yet, which the reason names, and which stands %s",
    async (_, result, offset) => {
      const changed = Uint8Array.from(toBytes(result)).fill(0x82, offset, offset + 1);
      const unknown = {
        ...result,
        transaction: [Buffer.from(changed).toString("base64"), "base64"],
      };
      expect(await readAnswer(unknown, signatureOf(result))).toEqual(
        failed("of version 2: only legacy ones and versions 0 and 1"),
      );
    },
  );
});
