import { createPrivateKey, createPublicKey, sign } from "node:crypto";
import { encodePublicKey } from "../../../../generator/chain/public-key.ts";

/** An ed25519 key that signs. */
export interface Keypair {
  /** The public half, which is an address on chain. */
  bytes: Uint8Array;
  /** The same in Base58. */
  address: string;
  sign(message: Uint8Array): Uint8Array;
}

/** Bytes of a private ed25519 key. */
export const SEED_BYTES = 32;

/** What stands before the 32 bytes of a private ed25519 key in PKCS #8 (RFC 8410). */
const PKCS8_HEAD = Buffer.from("302e020100300506032b657004220420", "hex");

/** The key whose private half is these 32 bytes. */
export function toKeypair(seed: Uint8Array): Keypair {
  const key = createPrivateKey({ key: Buffer.concat([PKCS8_HEAD, seed]), format: "der", type: "pkcs8" });
  const bytes = createPublicKey(key).export({ format: "der", type: "spki" }).subarray(-SEED_BYTES);
  return { bytes, address: encodePublicKey(bytes), sign: (message) => sign(null, message, key) };
}
