import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { TransactionError } from "../../generator/chain/byte-reader.ts";
import { decodeTransaction, encodeSignature, isSigned, isSignedBy } from "../../generator/chain/transaction.ts";
import { findVoteChanges } from "../../generator/chain/vote-changes.ts";
import {
  type Instruction,
  readonly,
  signer,
  toCompact,
  writable,
} from "../../infra/demo/cluster/transactions/message.ts";
import { updateCommission, updateCommissionBasisPoints } from "../../infra/demo/cluster/transactions/programs.ts";
import { authorizeWithdrawerChecked } from "../integration/validator/vote-program.ts";
import { BLOCKHASH, make, makeDecoded, OWNERS, PAYER, VOTE_ACCOUNTS } from "./made-up.ts";

const [OWNER, OTHER] = OWNERS;
const [VOTE] = VOTE_ACCOUNTS;
const TABLE = VOTE_ACCOUNTS[2];
const LOOKUPS = [
  { table: TABLE, writable: [{ place: 7, address: VOTE }], readonly: [] },
  { table: OTHER.address, writable: [], readonly: [{ place: 255, address: VOTE_ACCOUNTS[1] }] },
];
const CHANGE = updateCommissionBasisPoints(VOTE, OWNER.address, 525);

const SAMPLES = [
  { name: "legacy", bytes: make([CHANGE]) },
  { name: "version 0", bytes: make([CHANGE, updateCommission(VOTE, OTHER.address, 9)], { version: 0 }) },
  { name: "with keys from tables", bytes: make([CHANGE], { version: 0, lookups: LOOKUPS }) },
  { name: "of three signers", bytes: make([authorizeWithdrawerChecked(VOTE, OWNER.address, OTHER.address)]) },
];

const withByte = (bytes: Uint8Array, offset: number, value: number) => {
  const changed = Uint8Array.from(bytes);
  changed[offset] = value;
  return changed;
};

describe("a decoded transaction", () => {
  const accounts = fc.array(
    fc.record({
      address: fc.constantFrom(...VOTE_ACCOUNTS, ...OWNERS.map(({ address }) => address)),
      isWritable: fc.boolean(),
      isSigner: fc.boolean(),
    }),
    { maxLength: 6 },
  );
  const signable = accounts.map((all) =>
    all.map((one) => ({ ...one, isSigner: one.isSigner && !VOTE_ACCOUNTS.includes(one.address) })),
  );
  const programs = fc.constantFrom(BLOCKHASH, TABLE);
  // Counts of one byte and of two.
  const data = fc.uint8Array({ maxLength: 300 });
  const instructions: fc.Arbitrary<Instruction[]> = fc.array(
    fc.record({ program: programs, accounts: signable, data }),
    { maxLength: 3 },
  );
  const versions = fc.constantFrom("legacy" as const, 0 as const);

  it("holds what was put into it, signed by all who must", () => {
    fc.assert(
      fc.property(instructions, versions, (all, version) => {
        const transaction = makeDecoded(all, { version });
        const named = transaction.instructions.map(({ program, accounts: places, data: bytes }) => ({
          program: transaction.keys[program],
          accounts: places.map((place) => transaction.keys[place]),
          data: bytes,
        }));
        const wanted = all.map((one) => ({ ...one, accounts: one.accounts.map(({ address }) => address) }));
        const signers = new Set([PAYER.address]);
        for (const one of all) for (const { isSigner, address } of one.accounts) if (isSigner) signers.add(address);
        expect(named).toEqual(wanted);
        expect(transaction).toMatchObject({ version, loadedCount: 0, requiredSignatures: signers.size });
        expect(new Set(transaction.keys.slice(0, signers.size))).toEqual(signers);
        expect(isSigned(transaction)).toBe(true);
      }),
    );
  });

  it("counts the keys from tables, which follow its own", () => {
    const transaction = makeDecoded([CHANGE], { version: 0, lookups: LOOKUPS });
    expect(transaction).toMatchObject({ version: 0, loadedCount: 2 });
    expect(transaction.keys).not.toContain(VOTE);
    expect(transaction.instructions[0]?.accounts[0]).toBe(transaction.keys.length);
    expect(isSigned(transaction)).toBe(true);
  });

  it("is signed by whom it says, each at their own place", () => {
    const transaction = makeDecoded([CHANGE]);
    expect([-1, 0, 1, 2, 3, 0.5, NaN].map((index) => isSignedBy(transaction, index))).toEqual([
      ...[false, true, true, false],
      ...[false, false, false],
    ]);
    const [first, second] = transaction.signatures as [Uint8Array, Uint8Array];
    expect(isSignedBy({ ...transaction, signatures: [second, first] }, 0)).toBe(false);
  });
});

describe.each(SAMPLES)("a transaction $name", ({ bytes }) => {
  it("of which any byte is changed is none, or is not signed", () => {
    const passed: [number, number][] = [];
    for (let offset = 0; offset < bytes.length; offset++) {
      const was = bytes[offset] ?? 0;
      const flips = Array.from({ length: 8 }, (_, bit) => was ^ (1 << bit));
      for (const value of new Set([...flips, 0, 0xff, (was + 1) % 256, (was + 255) % 256])) {
        if (value !== was && isDecodedAndSigned(withByte(bytes, offset, value))) passed.push([offset, value]);
      }
    }
    expect(passed).toEqual([]);
  });

  it("is none when cut anywhere, or longer by anything", () => {
    const whole = decodeTransaction(bytes);
    for (let length = 0; length < bytes.length; length++) {
      expect(() => decodeTransaction(bytes.subarray(0, length)), String(length)).toThrow(TransactionError);
    }
    for (let value = 0; value < 256; value++) {
      expect(() => decodeTransaction(Uint8Array.of(...bytes, value)), String(value)).toThrow(TransactionError);
    }
    fc.assert(
      fc.property(fc.uint8Array({ minLength: 1 }), (more) => {
        expect(() => decodeTransaction(Uint8Array.of(...bytes, ...more))).toThrow(TransactionError);
      }),
    );
    expect(isSigned(whole)).toBe(true);
  });

  it("is read the same from the middle of a larger buffer, and its bytes stay as they were", () => {
    const larger = Uint8Array.of(9, 9, 9, ...bytes, 9, 9);
    expect(decodeTransaction(larger.subarray(3, -2))).toEqual(decodeTransaction(bytes));
    expect(larger).toEqual(Uint8Array.of(9, 9, 9, ...bytes, 9, 9));
  });
});

function isDecodedAndSigned(bytes: Uint8Array): boolean {
  try {
    return isSigned(decodeTransaction(bytes));
  } catch (error) {
    if (error instanceof TransactionError) return false;
    throw error;
  }
}

describe("what is no transaction", () => {
  const [signed, message] = [0, 65];
  const bytes = make([{ program: TABLE, accounts: [writable(VOTE)], data: Uint8Array.of(1, 2, 3) }]);
  const keysStart = message + 4;
  const blockhashStart = keysStart + 3 * 32;
  const instructionStart = blockhashStart + 33;
  const splice = (offset: number, removed: number, ...put: number[]) =>
    Uint8Array.of(...bytes.subarray(0, offset), ...put, ...bytes.subarray(offset + removed));

  it.each([
    ["no bytes", new Uint8Array(0), "Byte 0: the count of signatures takes 1 bytes, and 0 are left"],
    ["too many bytes", new Uint8Array(4097), "4096 bytes at most, not 4097"],
    ["no signature", splice(signed, 65, 0), "1 signatures are required, and 0 are there"],
    ["one signature more", splice(signed, 1, 2, ...new Uint8Array(64)), "1 signatures are required, and 2 are there"],
    ["signatures up to the end", splice(signed, 1, 127), "a signature takes 64 bytes"],
    ["a count longer than it must be", splice(signed, 1, 0x81, 0), "version 1"],
    ["a count of keys that is longer", splice(message + 3, 1, 0x83, 0), "written longer than it must be"],
    ["a count of four bytes", splice(message + 3, 1, 0xff, 0xff, 0xff, 1), "the count of keys is more than 65535"],
    ["a count over 16 bits", splice(message + 3, 1, 0xff, 0xff, 0x04), "the count of keys is more than 65535"],
    ["a message of version 1", splice(message, 0, 0x81), "of version 1: only legacy ones and version 0"],
    ["a message of version 127", splice(message, 0, 0xff), "of version 127: only legacy ones and version 0"],
    ["a transaction of version 1", splice(0, 65, 0x81), "of version 1: only legacy ones and version 0"],
    ["a payer that is not written to", withByte(bytes, message + 1, 1), "1 of 1 signers are read-only"],
    ["nobody who signs", splice(signed, 66, 0, 0), "0 of 0 signers are read-only"],
    ["more keys in the header than there are", withByte(bytes, message + 2, 3), "more keys than the 3 there are"],
    ["a key twice", splice(keysStart, 32, ...bytes.subarray(keysStart + 32, keysStart + 64)), "stands there twice"],
    ["the payer as a program", withByte(bytes, instructionStart, 0), "the payer is called as a program"],
    ["a program that is no key", withByte(bytes, instructionStart, 3), "program 3 of 3 keys"],
    ["an account that is no key", withByte(bytes, instructionStart + 2, 3), "account 3 of 3 keys"],
    ["a byte after the end", Uint8Array.of(...bytes, 0), "1 bytes stand after the end"],
  ])("%s is refused, and why", (_, wrong, message) => {
    expect(() => decodeTransaction(wrong)).toThrow(TransactionError);
    expect(() => decodeTransaction(wrong)).toThrow(message);
  });

  it.each([
    ["a program from a table", [{ place: 0, address: TABLE }], "program 2 of 2 keys"],
    ["nothing from a table", [], "nothing is looked up in a table"],
    [
      "more keys than can be named",
      Array.from({ length: 254 }, () => ({ place: 0, address: VOTE_ACCOUNTS[1] })),
      "257 keys, and 256 can be named",
    ],
  ])("%s is refused, and why", (_, entries, why) => {
    const instruction = { program: TABLE, accounts: [readonly(VOTE)], data: new Uint8Array(0) };
    const lookups = [{ table: VOTE, writable: entries, readonly: [] }];
    expect(() => makeDecoded([instruction], { version: 0, lookups })).toThrow(why);
  });

  it("is told from one of the most keys", () => {
    const entries = Array.from({ length: 253 }, () => ({ place: 0, address: VOTE_ACCOUNTS[1] }));
    const instruction = { program: TABLE, accounts: [readonly(VOTE)], data: new Uint8Array(0) };
    const lookups = [{ table: VOTE, writable: entries, readonly: [] }];
    expect(makeDecoded([instruction], { version: 0, lookups })).toMatchObject({ loadedCount: 253 });
  });
});

describe("a count", () => {
  // A transaction of which the data's length is a count: of one byte, of two, and of the most that fit.
  it.each([0, 1, 0x7f, 0x80, 0x3fff % 3_000, 3_800])("of %i is read as it was written", (length) => {
    const data = new Uint8Array(length).fill(length % 251);
    const transaction = makeDecoded([{ program: TABLE, accounts: [signer(OWNER.address)], data }]);
    expect(transaction.instructions[0]?.data).toEqual(data);
    expect(toCompact(length).length).toBe(length < 0x80 ? 1 : 2);
  });
});

describe("a stranger's bytes", () => {
  const TRIES = 100_000;

  it("never fail otherwise than as no transaction, and are read fast", () => {
    const random = createRandom(7);
    let [refused, read, found] = [0, 0, 0];
    for (let round = 0; round < TRIES; round++) {
      try {
        const transaction = decodeTransaction(madeUpBytes(random));
        // To check signatures takes most of the time, and is for other tests: here there are none.
        found += findVoteChanges({ ...transaction, signatures: [] }, { inner: [], loaded: [] }).length;
        read++;
      } catch (error) {
        if (!(error instanceof TransactionError)) throw error;
        refused++;
      }
    }
    expect(found).toBe(0);
    expect(Math.min(read, refused)).toBeGreaterThan(TRIES / 20);
  });

  /** Nothing but noise, or a transaction that is changed, cut, doubled in part or crossed with another. */
  function madeUpBytes(random: (below: number) => number): Uint8Array {
    const sample = () => SAMPLES[random(SAMPLES.length)]!.bytes;
    const noise = (most: number) => Uint8Array.from({ length: random(most) }, () => random(256));
    const [from, to] = [sample(), sample()];
    const at = random(from.length);
    switch (random(5)) {
      case 0:
        return noise(400);
      case 1:
        return Uint8Array.of(...from.subarray(0, at), ...to.subarray(random(to.length)));
      case 2:
        return Uint8Array.of(
          ...from.subarray(0, at),
          ...noise(8),
          ...from.subarray(Math.min(from.length, at + random(8))),
        );
      default: {
        let changed = from;
        for (let count = 1 + random(4); count > 0; count--)
          changed = withByte(changed, random(from.length), random(256));
        return changed;
      }
    }
  }
});

/** The same numbers for the same seed (xorshift32). */
function createRandom(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return (state >>> 0) % below;
  };
}

describe("a signature", () => {
  it("is the name of its transaction in Base58", () => {
    expect(encodeSignature(new Uint8Array(64))).toBe("1".repeat(64));
    expect(() => encodeSignature(new Uint8Array(63))).toThrow("64 bytes, not 63");
  });
});
