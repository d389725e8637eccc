import { base58 } from "@scure/base";
import fc from "fast-check";
import { expect, it } from "vitest";
import { encodeKeyAt, keyModulo } from "../../generator/chain/base58.ts";
import { encodePublicKey, isPublicKey } from "../../generator/chain/public-key.ts";
import { isSignature } from "../../generator/chain/transaction.ts";
import { toShardIndex, WALLET_SHARD_COUNTS } from "../../generator/contract/wallets.ts";

const KEYS = fc.oneof(
  fc.uint8Array({ minLength: 32, maxLength: 32 }),
  // Leading zeros are digits too.
  fc
    .tuple(fc.integer({ min: 0, max: 32 }), fc.uint8Array({ minLength: 32, maxLength: 32 }))
    .map(([zeros, bytes]) => {
      const key = bytes.slice();
      key.fill(0, 0, zeros);
      return key;
    }),
  fc.constant(new Uint8Array(32).fill(255)),
);

it("a key among other bytes is encoded as the library encodes it alone", () => {
  fc.assert(
    fc.property(KEYS, fc.nat({ max: 40 }), (key, start) => {
      const bytes = new Uint8Array(80).fill(7);
      bytes.set(key, start);
      expect(encodeKeyAt(bytes, start)).toBe(base58.encode(key));
    }),
  );
});

const DIGITS = fc.constantFrom(
  ...Array.from("123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz0OIl"),
);

it("a text is a key if the library reads 32 bytes from it", () => {
  const texts = fc.string({ unit: DIGITS, minLength: 30, maxLength: 46 });
  const near = fc.bigInt(-3n, 3n).map((distance) => encodeNumber(2n ** 256n - 1n + distance));
  fc.assert(
    fc.property(fc.oneof(KEYS.map(encodePublicKey), texts, near), (text) => {
      expect(isPublicKey(text)).toBe(readBytes(text)?.length === 32);
    }),
  );
});

it("a text is a signature if the library reads 64 bytes from it", () => {
  const signatures = fc.uint8Array({ minLength: 64, maxLength: 64 }).map((it) => base58.encode(it));
  const texts = fc.string({ unit: DIGITS, minLength: 62, maxLength: 90 });
  const near = fc
    .tuple(fc.constantFrom(2n ** 504n, 2n ** 512n, 58n ** 87n), fc.bigInt(-3n, 3n))
    .map(([bound, distance]) => encodeNumber(bound + distance));
  fc.assert(
    fc.property(fc.oneof(signatures, texts, near), (text) => {
      expect(isSignature(text)).toBe(readBytes(text)?.length === 64);
    }),
  );
});

function encodeNumber(value: bigint): string {
  return base58.encode(
    Buffer.from(
      value
        .toString(16)
        .padStart(130, "0")
        .replace(/^(?:00)+/, ""),
      "hex",
    ),
  );
}

function readBytes(text: string): Uint8Array | null {
  try {
    return base58.decode(text);
  } catch {
    return null;
  }
}

it("a key has the same place among the shards by its bytes as by its text", () => {
  fc.assert(
    fc.property(KEYS, fc.constantFrom(...WALLET_SHARD_COUNTS, 58, 1_000), (key, count) => {
      expect(keyModulo(key, 0, count)).toBe(toShardIndex(encodePublicKey(key), count));
    }),
  );
});
