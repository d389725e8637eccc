import { describe, expect, it } from "vitest";
import { TransactionError } from "../../generator/chain/byte-reader.ts";
import { VOTE_PROGRAM } from "../../generator/chain/program-address.ts";
import { decodeTransaction, isSigned } from "../../generator/chain/transaction.ts";
import { findVoteChanges } from "../../generator/chain/vote-changes.ts";
import { writable } from "../cluster/transactions/message.ts";
import { transfer, updateCommissionBasisPoints } from "../cluster/transactions/programs.ts";
import { BOUNDS, lay, OFFSETS } from "./bounds.ts";
import { make, makeDecoded, OWNERS, PAYER, VOTE_ACCOUNTS } from "./made-up.ts";

const [VOTE, OTHER_VOTE, TABLE] = VOTE_ACCOUNTS;
const CHANGE = updateCommissionBasisPoints(VOTE, OWNERS[0].address, 525);
const DATA = Buffer.from(CHANGE.data).toString("base64");
const NOTHING = { inner: [], loaded: [] };
const SETTINGS = {
  computeUnitLimit: 1,
  loadedAccountsBytes: 2,
  priorityFeeLamports: 3n,
  heapBytes: 32_768,
};

describe("a transaction of version 1", () => {
  it.each(Array.from({ length: 16 }, (_, drawn) => drawn))(
    "is read with any of its settings: %i",
    (drawn) => {
      const all = Object.entries(SETTINGS).filter((_, bit) => ((drawn >> bit) & 1) === 1);
      const transaction = makeDecoded([CHANGE], { version: 1, config: Object.fromEntries(all) });
      expect(isSigned(transaction)).toBe(true);
      expect(findVoteChanges(transaction, NOTHING)).toMatchObject([
        { voteAccount: VOTE, proof: "signature" },
      ]);
    },
  );

  it("is signed as a whole: what it may spend is part of what the signers sign", () => {
    const bytes = make([CHANGE], { version: 1, config: SETTINGS });
    const { message, signatures } = decodeTransaction(bytes);
    expect(Buffer.concat([message, ...signatures])).toEqual(Buffer.from(bytes));
    const cheaper = make([CHANGE], {
      version: 1,
      config: { ...SETTINGS, priorityFeeLamports: 2n },
    });
    const forged = Uint8Array.of(
      ...decodeTransaction(cheaper).message,
      ...signatures.flatMap((one) => [...one]),
    );
    expect(isSigned(decodeTransaction(forged))).toBe(false);
    expect(findVoteChanges(decodeTransaction(forged), NOTHING)).toEqual([]);
  });

  it("has each instruction's own accounts and data, though all counts stand before them", () => {
    const instructions = [
      { program: TABLE, accounts: [], data: Uint8Array.of(1, 2, 3) },
      CHANGE,
      {
        program: TABLE,
        accounts: [writable(VOTE), writable(PAYER.address), writable(VOTE)],
        data: new Uint8Array(0),
      },
      transfer({ from: PAYER.address, to: VOTE, lamports: 1n }),
    ];
    const { keys, instructions: read } = makeDecoded(instructions, { version: 1 });
    const told = read.map(({ program, accounts, data }) => [
      keys[program],
      accounts.map((at) => keys[at]),
      [...data],
    ]);
    expect(told).toEqual(
      instructions.map(({ program, accounts, data }) => [
        program,
        accounts.map(({ address }) => address),
        [...data],
      ]),
    );
  });

  it("looks nothing up: who tells of looked-up keys tells of another one, and is believed only what is signed", () => {
    const transaction = makeDecoded([CHANGE], { version: 1 });
    const change = [
      0,
      transaction.keys.indexOf(VOTE_PROGRAM),
      [transaction.keys.length, 1],
      DATA,
    ] as const;
    const told = { inner: [change], loaded: [OTHER_VOTE] };
    expect(transaction.loadedCount).toBe(0);
    expect(findVoteChanges(transaction, told)).toEqual(findVoteChanges(transaction, NOTHING));
  });
});

describe("what the runtime just allows is read, and nothing more", () => {
  it.each(BOUNDS)("$name", ({ bytes, refusal }) => {
    if (refusal === null) {
      expect(decodeTransaction(bytes).signatures.length).toBeGreaterThan(0);
    } else {
      expect(() => decodeTransaction(bytes)).toThrow(TransactionError);
      expect(() => decodeTransaction(bytes)).toThrow(refusal);
    }
  });
});

describe("what is no transaction of version 1", () => {
  const bytes = lay({ dataLength: 2 });
  const instruction = OFFSETS.keys + 3 * 32;
  const withBytes = (offset: number, ...values: number[]) =>
    Uint8Array.from([...bytes].toSpliced(offset, values.length, ...values));
  const end = bytes.length - 64;

  it.each([
    [
      "only its first byte",
      Uint8Array.of(0x81),
      "Byte 1: the count of required signatures takes 1 bytes, and 0",
    ],
    [
      "its signatures before its message",
      Uint8Array.of(1, ...bytes.subarray(end), ...bytes.subarray(0, end)),
      "Byte 65",
    ],
    [
      "a count before its signatures",
      Uint8Array.of(...bytes.subarray(0, end), 1, ...bytes.subarray(end)),
      "1 bytes",
    ],
    [
      "one signature more",
      Uint8Array.of(...bytes, ...new Uint8Array(64)),
      "64 bytes stand after the end",
    ],
    [
      "no signature",
      bytes.subarray(0, end),
      `Byte ${end}: a signature takes 64 bytes, and 0 are left`,
    ],
    ["more keys than bytes", withBytes(OFFSETS.keyCount, 64), "a key takes 32 bytes"],
    ["no key", withBytes(OFFSETS.keyCount, 0), "more keys than the 0 there are"],
    [
      "more instructions than bytes",
      withBytes(OFFSETS.instructionCount, 64),
      "a length of data takes 2 bytes, and 1 are left",
    ],
    [
      "255 of everything",
      new Uint8Array(4_096).fill(0xff).fill(0x81, 0, 1),
      "255 signatures, and version 1 allows 12",
    ],
    [
      "more accounts than bytes",
      withBytes(instruction + 1, 0xff),
      "the accounts of an instruction takes 255 bytes",
    ],
    [
      "more data than bytes",
      withBytes(instruction + 2, 0xff, 0xff),
      "the data of an instruction takes 65535 bytes",
    ],
    [
      "a key twice",
      withBytes(OFFSETS.keys, ...bytes.subarray(OFFSETS.keys + 32, OFFSETS.keys + 64)),
      "twice",
    ],
    ["an account that is no key", withBytes(instruction + 4, 3), "account 3 of 3 keys"],
    [
      "version 0 in its place",
      withBytes(0, 0x80),
      "Byte 0: no signatures stand before a message of version 0",
    ],
  ])("%s", (_, wrong, message) => {
    expect(() => decodeTransaction(wrong)).toThrow(TransactionError);
    expect(() => decodeTransaction(wrong)).toThrow(message);
  });
});
