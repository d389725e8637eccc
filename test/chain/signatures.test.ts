import { u32, updateCommissionBasisPoints } from "../../infra/demo/cluster/transactions/programs.ts";
import { deriveProgramAddress, VOTE_PROGRAM } from "../../generator/chain/program-address.ts";
import { encodePublicKey } from "../../generator/chain/public-key.ts";
import {
  canSign,
  decodeTransaction,
  isSigned,
  isSignedBy,
  type Transaction,
} from "../../generator/chain/transaction.ts";
import { findVoteChanges } from "../../generator/chain/vote-changes.ts";
import { compileMessage } from "../../infra/demo/cluster/transactions/message.ts";
import { deriveKeypair } from "../integration/validator/keys.ts";
import { makeDecoded, OWNERS, VOTE_ACCOUNTS } from "./made-up.ts";
import { createHash } from "node:crypto";
import { Point } from "@noble/ed25519";
import { describe, expect, it } from "vitest";

const [OWNER] = OWNERS;
const [VOTE] = VOTE_ACCOUNTS;

/** The 14 encodings of the 8 points of small order: the last six not as the curve's rules write them. */
const SMALL_ORDER = [
  "0100000000000000000000000000000000000000000000000000000000000000",
  "ecffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f",
  "0000000000000000000000000000000000000000000000000000000000000000",
  "0000000000000000000000000000000000000000000000000000000000000080",
  "26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05",
  "26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc85",
  "c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac037a",
  "c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac03fa",
  "0100000000000000000000000000000000000000000000000000000000000080",
  "ecffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff",
  "edffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f",
  "edffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff",
  "eeffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f",
  "eeffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff",
];

/** R the base point and S one: fits where the key, taken as often as the hash of R, key and message says, is nothing. */
const FORGED = Uint8Array.of(...Point.BASE.toBytes(), 1, ...new Uint8Array(31));
const ORDER = Point.CURVE().n;
const SMALL_ORDER_MAX = 8n;

/** A change that nobody signed: messages are tried until the forged signature fits to one by the equation alone. */
function forge(key: Uint8Array): Transaction {
  const payer = encodePublicKey(key);
  for (let attempt = 0; attempt < 1_000; attempt++) {
    const blockhash = encodePublicKey(Uint8Array.of(...u32(attempt), ...new Uint8Array(28)));
    const instructions = [updateCommissionBasisPoints(VOTE, payer, 10_000)];
    const { bytes } = compileMessage({ payer, instructions, blockhash });
    const hash = createHash("sha512").update(FORGED.subarray(0, 32)).update(key).update(bytes).digest();
    if ((toNumber(hash) % ORDER) % SMALL_ORDER_MAX === 0n) {
      return decodeTransaction(Uint8Array.of(1, ...FORGED, ...bytes));
    }
  }
  throw new Error(`No message of a thousand fits to ${payer}`);
}

function toNumber(bytes: Uint8Array): bigint {
  return BigInt(`0x${Buffer.from(bytes).reverse().toString("hex")}`);
}

describe("a key without a private half", () => {
  it.each(SMALL_ORDER)("of small order signs nothing, though a signature that nobody made fits: %s", (hex) => {
    const bytes = Buffer.from(hex, "hex");
    const transaction = forge(bytes);
    expect(canSign(encodePublicKey(bytes))).toBe(false);
    expect(isSignedBy(transaction, 0)).toBe(false);
    expect(findVoteChanges(transaction, { inner: [], loaded: [] })).toEqual([]);
  });

  it("that is no point of the curve signs nothing", () => {
    const transaction = makeDecoded([updateCommissionBasisPoints(VOTE, OWNER.address, 1)]);
    const noPoint = deriveProgramAddress([], VOTE_PROGRAM);
    expect(canSign(noPoint)).toBe(false);
    expect(isSignedBy({ ...transaction, keys: [noPoint, ...transaction.keys.slice(1)] }, 0)).toBe(false);
  });

  it("is told from one that has one", () => {
    for (let name = 0; name < 200; name++) expect(canSign(deriveKeypair(String(name)).address)).toBe(true);
  });
});

describe("a signature", () => {
  const transaction = makeDecoded([updateCommissionBasisPoints(VOTE, OWNER.address, 1)]);
  const withFirst = (change: (bytes: Uint8Array) => Uint8Array) => ({
    ...transaction,
    signatures: transaction.signatures.map((bytes, index) => (index === 0 ? change(bytes) : bytes)),
  });

  it("has one form: the group's order added to its number makes it another", () => {
    const larger = withFirst((bytes) => {
      const number = toNumber(bytes.subarray(32)) + ORDER;
      return Uint8Array.of(
        ...bytes.subarray(0, 32),
        ...Buffer.from(number.toString(16).padStart(64, "0"), "hex").reverse(),
      );
    });
    expect(isSigned(transaction)).toBe(true);
    expect(isSigned(larger)).toBe(false);
  });

  it.each([0, 63, 65])("of %i bytes is none", (length) => {
    expect(isSigned(withFirst((bytes) => Uint8Array.from({ length }, (_, at) => bytes[at] ?? 0)))).toBe(false);
  });
});
