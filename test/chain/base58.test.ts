import fc from "fast-check";
import { expect, it } from "vitest";
import { encodeKeyAt, keyModulo } from "../../generator/chain/base58.ts";
import { encodePublicKey } from "../../generator/chain/public-key.ts";
import { FORMER_WALLET_SHARD_COUNTS, toShardPlace, WALLET_SHARD_COUNTS } from "../../generator/contract/wallets.ts";

const KEYS = fc.oneof(
  fc.uint8Array({ minLength: 32, maxLength: 32 }),
  // Leading zeros are digits too.
  fc.tuple(fc.integer({ min: 0, max: 32 }), fc.uint8Array({ minLength: 32, maxLength: 32 })).map(([zeros, bytes]) => {
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
      expect(encodeKeyAt(bytes, start)).toBe(encodePublicKey(key));
    }),
  );
});

it("a key has the same place among the shards by its bytes as by its text", () => {
  fc.assert(
    fc.property(KEYS, fc.constantFrom(...WALLET_SHARD_COUNTS, ...FORMER_WALLET_SHARD_COUNTS, 1_000), (key, count) => {
      expect(keyModulo(key, 0, count)).toBe(toShardPlace(encodePublicKey(key), count));
    }),
  );
});
