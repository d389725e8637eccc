import { createHash } from "node:crypto";
import { Point } from "@noble/ed25519";
import { describe, expect, it } from "vitest";
import { deriveProgramAddress, VOTE_PROGRAM } from "../../generator/chain/program-address.ts";
import { encodePublicKey } from "../../generator/chain/public-key.ts";
import {
  canSign,
  decodeTransaction,
  isSigned,
  isSignedBy,
} from "../../generator/chain/transaction.ts";
import { findVoteChanges } from "../../generator/chain/vote-changes.ts";
import { compileMessage } from "../cluster/transactions/message.ts";
import { u32 } from "../cluster/transactions/layout.ts";
import { updateCommissionBasisPoints } from "../cluster/transactions/programs.ts";
import { deriveKeypair } from "../integration/validator/keys.ts";
import { makeDecoded, OWNERS, VOTE_ACCOUNTS } from "./made-up.ts";

const [VOTE] = VOTE_ACCOUNTS;
const ORDER = Point.CURVE().n;
const SIGNED = makeDecoded([updateCommissionBasisPoints(VOTE, OWNERS[0].address, 1)]);

const toNumber = (bytes: Uint8Array) => BigInt(`0x${Buffer.from(bytes).reverse().toString("hex")}`);
const toBytes = (number: bigint) =>
  Buffer.from(number.toString(16).padStart(64, "0"), "hex").reverse();

describe("a key without a private half", () => {
  // The 14 encodings of the 8 points of small order; the last six are not canonical.
  it.each([
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
  ])("of small order signs nothing, though a signature that nobody made fits: %s", (hex) => {
    const key = Buffer.from(hex, "hex");
    const transaction = forge(key);
    expect(canSign(encodePublicKey(key))).toBe(false);
    expect(isSignedBy(transaction, 0)).toBe(false);
    expect(findVoteChanges(transaction, { inner: [], loaded: [] })).toEqual([]);
  });

  it("that is no point of the curve signs nothing", () => {
    const noPoint = deriveProgramAddress([], VOTE_PROGRAM);
    expect(canSign(noPoint)).toBe(false);
    expect(isSignedBy({ ...SIGNED, keys: [noPoint, ...SIGNED.keys.slice(1)] }, 0)).toBe(false);
  });

  it("is told from one that has one", () => {
    for (let name = 0; name < 200; name++)
      expect(canSign(deriveKeypair(String(name)).address)).toBe(true);
  });
});

describe("a signature", () => {
  const withFirst = (signature: Uint8Array) => ({
    ...SIGNED,
    signatures: SIGNED.signatures.with(0, signature),
  });
  const [first] = SIGNED.signatures as [Uint8Array];

  it("has one form: the group's order added to its number makes it another", () => {
    const larger = Uint8Array.of(
      ...first.subarray(0, 32),
      ...toBytes(toNumber(first.subarray(32)) + ORDER),
    );
    expect(isSigned(SIGNED)).toBe(true);
    expect(isSigned(withFirst(larger))).toBe(false);
  });

  it.each([0, 63, 65])("of %i bytes is none", (length) => {
    expect(isSigned(withFirst(Uint8Array.from({ length }, (_, at) => first[at] ?? 0)))).toBe(false);
  });
});

/**
 * An unsigned change: tries messages until the forged signature happens to satisfy the equation.
 */
function forge(key: Uint8Array) {
  // R = base point, S = 1: valid when hash(R, key, message) × key is the identity.
  const forged = Uint8Array.of(...Point.BASE.toBytes(), 1, ...new Uint8Array(31));
  const payer = encodePublicKey(key);
  for (let attempt = 0; attempt < 1_000; attempt++) {
    const blockhash = encodePublicKey(Uint8Array.of(...u32(attempt), ...new Uint8Array(28)));
    const instructions = [updateCommissionBasisPoints(VOTE, payer, 10_000)];
    const { bytes } = compileMessage({ payer, instructions, blockhash });
    const hash = createHash("sha512")
      .update(forged.subarray(0, 32))
      .update(key)
      .update(bytes)
      .digest();
    if ((toNumber(hash) % ORDER) % 8n === 0n)
      return decodeTransaction(Uint8Array.of(1, ...forged, ...bytes));
  }
  throw new Error(`No message of a thousand fits to ${payer}`);
}
