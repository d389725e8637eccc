import { base58 } from "@scure/base";
import { z } from "zod";
import { encodeKeyAt } from "./base58.ts";

/** Length of a decoded public key. */
export const PUBLIC_KEY_BYTES = 32;

/** A public key in an answer of an endpoint: Base58 of exactly 32 bytes. */
export const publicKeySchema = z
  .string()
  .refine(isPublicKey, "not a Base58 public key of 32 bytes");

/**
 * Decodes Base58 into 32 bytes.
 * @throws {Error} when the text is not Base58 of exactly 32 bytes
 */
export function decodePublicKey(text: string): Uint8Array {
  const bytes = base58.decode(text);
  if (bytes.length !== PUBLIC_KEY_BYTES)
    throw new Error(`A public key has 32 bytes, not ${bytes.length}`);
  return bytes;
}

/**
 * Encodes 32 bytes in Base58.
 * @throws {Error} when there are not exactly 32 bytes
 */
export function encodePublicKey(bytes: Uint8Array): string {
  if (bytes.length !== PUBLIC_KEY_BYTES)
    throw new Error(`A public key has 32 bytes, not ${bytes.length}`);
  return encodeKeyAt(bytes, 0);
}

/**
 * The largest key. The digits of Base58 ascend in ASCII, so of two texts of one length the later in
 * order is the larger number.
 */
const LAST_KEY = encodePublicKey(new Uint8Array(PUBLIC_KEY_BYTES).fill(0xff));
/** The form of most keys. A number of 44 digits without a leading 1 has at least 32 bytes. */
const LONG_KEY = /^[2-9A-HJ-NP-Za-km-z][1-9A-HJ-NP-Za-km-z]{43}$/;

/**
 * Whether a text is Base58 of exactly 32 bytes. It decodes only texts of 32 to 44 characters,
 * because decoding takes quadratic time.
 */
export function isPublicKey(text: string): boolean {
  if (text.length < 32 || text.length > 44) return false;
  if (LONG_KEY.test(text)) return text <= LAST_KEY;
  try {
    return base58.decode(text).length === PUBLIC_KEY_BYTES;
  } catch {
    return false;
  }
}
