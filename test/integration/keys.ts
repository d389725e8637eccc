import { createHash, createPrivateKey, createPublicKey, randomBytes, sign } from "node:crypto";
import { readFile } from "node:fs/promises";
import { z } from "zod";
import { encodePublicKey } from "../../generator/chain/public-key.ts";

/** An ed25519 key that signs, under the address that its public half is on chain. */
export interface Keypair {
  address: string;
  sign(message: Uint8Array): Uint8Array;
}

/** What stands before the 32 bytes of a private ed25519 key in PKCS #8 (RFC 8410). */
const PKCS8_HEAD = Buffer.from("302e020100300506032b657004220420", "hex");
const SEED_BYTES = 32;

/** A key that nobody had before. */
export function createKeypair(): Keypair {
  return toKeypair(randomBytes(SEED_BYTES));
}

/** The same key for the same name, for what holds for one address only. */
export function deriveKeypair(name: string): Keypair {
  return toKeypair(createHash("sha256").update(name).digest());
}

/** A key as the validator's own tools keep it: a JSON array of the 32 bytes of the private half and those of the public one. */
export async function readKeypair(file: string): Promise<Keypair> {
  const bytes = keyFileSchema.parse(JSON.parse(await readFile(file, "utf8")));
  return toKeypair(Uint8Array.from(bytes).subarray(0, SEED_BYTES));
}

const keyFileSchema = z.array(z.int().min(0).max(255)).length(2 * SEED_BYTES);

function toKeypair(seed: Uint8Array): Keypair {
  const key = createPrivateKey({ key: Buffer.concat([PKCS8_HEAD, seed]), format: "der", type: "pkcs8" });
  const publicKey = createPublicKey(key).export({ format: "der", type: "spki" }).subarray(-SEED_BYTES);
  return { address: encodePublicKey(publicKey), sign: (message) => sign(null, message, key) };
}
