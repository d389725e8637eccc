import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { TransactionError } from "../../generator/chain/byte-reader.ts";
import {
  decodeTransaction,
  encodeSignature,
  isSigned,
  isSignedBy,
} from "../../generator/chain/transaction.ts";
import { findVoteChanges } from "../../generator/chain/vote-changes.ts";
import { readonly, signer, writable, writableSigner } from "../cluster/transactions/message.ts";
import { updateCommission, updateCommissionBasisPoints } from "../cluster/transactions/programs.ts";
import { authorizeWithdrawerChecked } from "../integration/validator/vote-program.ts";
import { BLOCKHASH, make, makeDecoded, OWNERS, PAYER, VOTE_ACCOUNTS } from "./made-up.ts";
import { SOAK } from "../soak/soak.ts";

const [OWNER, OTHER] = OWNERS;
const [VOTE, OTHER_VOTE, TABLE] = VOTE_ACCOUNTS;
const LOOKUPS = [
  { table: TABLE, writable: [{ place: 7, address: VOTE }], readonly: [] },
  { table: OTHER.address, writable: [], readonly: [{ place: 255, address: OTHER_VOTE }] },
];
const CHANGE = updateCommissionBasisPoints(VOTE, OWNER.address, 525);
const SETTINGS = {
  computeUnitLimit: 9,
  loadedAccountsBytes: 99,
  priorityFeeLamports: 999n,
  heapBytes: 65_536,
};
const SAMPLES = [
  { name: "legacy", bytes: make([CHANGE]) },
  {
    name: "version 0",
    bytes: make([CHANGE, updateCommission(VOTE, OTHER.address, 9)], { version: 0 }),
  },
  { name: "with keys from tables", bytes: make([CHANGE], { version: 0, lookups: LOOKUPS }) },
  {
    name: "version 1",
    bytes: make([CHANGE, updateCommission(VOTE, OTHER.address, 9)], { version: 1 }),
  },
  { name: "version 1 with all settings", bytes: make([CHANGE], { version: 1, config: SETTINGS }) },
  {
    name: "of three signers",
    bytes: make([authorizeWithdrawerChecked(VOTE, OWNER.address, OTHER.address)]),
  },
];

const withByte = (bytes: Uint8Array, offset: number, value: number) =>
  Uint8Array.from(bytes).fill(value, offset, offset + 1);

describe("a decoded transaction", () => {
  const votes = fc.constantFrom(...VOTE_ACCOUNTS);
  const owners = fc.constantFrom(...OWNERS.map(({ address }) => address));
  const account = fc.oneof(
    votes.map(writable),
    votes.map(readonly),
    owners.map(signer),
    owners.map(writableSigner),
  );
  const instruction = fc.record({
    program: fc.constantFrom(BLOCKHASH, TABLE),
    accounts: fc.array(account, { maxLength: 6 }),
    data: fc.uint8Array({ maxLength: 200 }),
  });
  const versions = fc.constantFrom("legacy" as const, 0 as const, 1 as const);

  it("holds what was put into it, signed by all who must", () => {
    fc.assert(
      fc.property(fc.array(instruction, { maxLength: 3 }), versions, (all, version) => {
        const transaction = makeDecoded(all, { version });
        const named = transaction.instructions.map(({ program, accounts, data }) => ({
          program: transaction.keys[program],
          accounts: accounts.map((place) => transaction.keys[place]),
          data,
        }));
        const asked = all.flatMap(({ accounts }) => accounts.filter(({ isSigner }) => isSigner));
        const signers = new Set([PAYER.address, ...asked.map(({ address }) => address)]);
        expect(named).toEqual(
          all.map((one) => ({ ...one, accounts: one.accounts.map(({ address }) => address) })),
        );
        expect(transaction).toMatchObject({
          version,
          loadedCount: 0,
          requiredSignatures: signers.size,
        });
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
    expect([-1, 0, 1, 2, 0.5, NaN].filter((index) => isSignedBy(transaction, index))).toEqual([
      0, 1,
    ]);
    expect(isSignedBy({ ...transaction, signatures: transaction.signatures.toReversed() }, 0)).toBe(
      false,
    );
  });

  it("is named by its first signature in Base58", () => {
    expect(encodeSignature(new Uint8Array(64))).toBe("1".repeat(64));
    expect(() => encodeSignature(new Uint8Array(63))).toThrow("64 bytes, not 63");
  });

  it.each([
    [0, "legacy"],
    [0x7f, "legacy"],
    [0x80, 0],
    [900, 0],
    [0, 1],
    [3_700, 1],
  ] as const)("holds %i bytes of data in version %s", (length, version) => {
    const data = new Uint8Array(length).fill(length % 251);
    const transaction = makeDecoded([{ program: TABLE, accounts: [signer(OWNER.address)], data }], {
      version,
    });
    expect(transaction.instructions[0]?.data).toEqual(data);
  });
});

describe.each(SAMPLES)("a transaction $name", ({ bytes }) => {
  it("of which any byte is changed is none, or is not signed", () => {
    const passed: [number, number][] = [];
    for (const [offset, was] of bytes.entries()) {
      const flipped = was ^ (1 << (offset % 8));
      for (const value of new Set([flipped, 0xff])) {
        if (value !== was && isDecodedAndSigned(withByte(bytes, offset, value)))
          passed.push([offset, value]);
      }
    }
    expect(passed).toEqual([]);
  });

  it("is none when cut anywhere, or longer by any byte", () => {
    for (let length = 0; length < bytes.length; length++)
      expect(() => decodeTransaction(bytes.subarray(0, length)), String(length)).toThrow(
        TransactionError,
      );
    for (let value = 0; value < 256; value++)
      expect(() => decodeTransaction(Uint8Array.of(...bytes, value)), String(value)).toThrow(
        TransactionError,
      );
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
  const bytes = make([
    { program: TABLE, accounts: [writable(VOTE)], data: Uint8Array.of(1, 2, 3) },
  ]);
  const keysStart = message + 4;
  const instructionStart = keysStart + 3 * 32 + 33;
  const splice = (offset: number, removed: number, ...put: number[]) =>
    Uint8Array.from([...bytes].toSpliced(offset, removed, ...put));
  const from = (...writableKeys: string[]) => {
    const entries = writableKeys.map((address) => ({ place: 0, address }));
    const instruction = { program: TABLE, accounts: [readonly(VOTE)], data: new Uint8Array(0) };
    return make([instruction], {
      version: 0,
      lookups: [{ table: VOTE, writable: entries, readonly: [] }],
    });
  };
  const many = (count: number) => Array.from({ length: count }, () => OTHER_VOTE);

  it.each([
    [
      "no bytes",
      new Uint8Array(0),
      "Byte 0: the count of signatures takes 1 bytes, and 0 are left",
    ],
    ["too many bytes", new Uint8Array(1233), "1232 bytes at most, not 1233"],
    ["no signature", splice(signed, 65, 0), "1 signatures are required, and 0 are there"],
    [
      "one signature more",
      splice(signed, 1, 2, ...new Uint8Array(64)),
      "1 signatures are required, and 2 are there",
    ],
    ["signatures up to the end", splice(signed, 1, 127), "a signature takes 64 bytes"],
    ["a count of signatures of two bytes", splice(signed, 1, 0x83, 0), "of version 3"],
    [
      "a count of keys that is longer",
      splice(message + 3, 1, 0x83, 0),
      "written longer than it must be",
    ],
    [
      "a count of four bytes",
      splice(message + 3, 1, 0xff, 0xff, 0xff, 1),
      "the count of keys is more than 65535",
    ],
    [
      "a count over 16 bits",
      splice(message + 3, 1, 0xff, 0xff, 0x04),
      "the count of keys is more than 65535",
    ],
    [
      "a message of version 1",
      splice(message, 0, 0x81),
      "signatures stand before a message of version 1",
    ],
    [
      "a message of version 2",
      splice(message, 0, 0x82),
      "of version 2: only legacy ones and versions 0 and 1",
    ],
    [
      "a message of version 127",
      splice(message, 0, 0xff),
      "of version 127: only legacy ones and versions 0 and 1",
    ],
    [
      "a transaction of version 2",
      splice(0, 65, 0x82),
      "of version 2: only legacy ones and versions 0 and 1",
    ],
    [
      "a payer that is not written to",
      withByte(bytes, message + 1, 1),
      "1 of 1 signers are read-only",
    ],
    ["nobody who signs", splice(signed, 66, 0, 0), "0 of 0 signers are read-only"],
    [
      "more keys in the header than there are",
      withByte(bytes, message + 2, 3),
      "more keys than the 3 there are",
    ],
    [
      "a key twice",
      splice(keysStart, 32, ...bytes.subarray(keysStart + 32, keysStart + 64)),
      "stands there twice",
    ],
    [
      "the payer as a program",
      withByte(bytes, instructionStart, 0),
      "the payer is called as a program",
    ],
    ["a program that is no key", withByte(bytes, instructionStart, 3), "program 3 of 3 keys"],
    ["an account that is no key", withByte(bytes, instructionStart + 2, 3), "account 3 of 3 keys"],
    ["a byte after the end", Uint8Array.of(...bytes, 0), "1 bytes stand after the end"],
    ["a program from a table", from(TABLE), "program 2 of 2 keys"],
    ["nothing from a table", from(), "nothing is looked up in a table"],
    ["more keys than can be named", from(...many(254)), "257 keys, and 256 can be named"],
  ])("%s is refused, and why", (_, wrong, message) => {
    expect(() => decodeTransaction(wrong)).toThrow(TransactionError);
    expect(() => decodeTransaction(wrong)).toThrow(message);
  });

  it("is told from one of the most keys", () => {
    expect(decodeTransaction(from(...many(253)))).toMatchObject({ loadedCount: 253 });
  });

  it("is nothing worse, whatever a stranger makes up: noise, or samples changed, cut, doubled or crossed", () => {
    const sample = fc.constantFrom(...SAMPLES.map((one) => one.bytes));
    const part = fc
      .tuple(sample, fc.nat(400), fc.nat(400))
      .map(([whole, one, other]) => whole.subarray(Math.min(one, other), Math.max(one, other)));
    const head = fc.tuple(sample, fc.nat(400)).map(([whole, length]) => whole.subarray(0, length));
    const crossed = fc
      .tuple(head, fc.uint8Array({ maxLength: 8 }), part)
      .map((all) => Uint8Array.from(Buffer.concat(all)));
    const changed = fc
      .tuple(sample, fc.array(fc.tuple(fc.nat(400), fc.nat(255)), { minLength: 1, maxLength: 4 }))
      .map(([whole, bytesPut]) =>
        bytesPut.reduce((now, [offset, value]) => withByte(now, offset, value), whole),
      );
    let [refused, read] = [0, 0];
    fc.assert(
      fc.property(fc.oneof(fc.uint8Array({ maxLength: 400 }), crossed, changed), (tried) => {
        try {
          const transaction = decodeTransaction(tried);
          // Without signatures, because checking them takes most of the time.
          expect(
            findVoteChanges({ ...transaction, signatures: [] }, { inner: [], loaded: [] }),
          ).toEqual([]);
          read++;
        } catch (error) {
          if (!(error instanceof TransactionError)) throw error;
          refused++;
        }
      }),
      { numRuns: 3_000 * SOAK },
    );
    expect(Math.min(read, refused)).toBeGreaterThan(500);
  });
});
