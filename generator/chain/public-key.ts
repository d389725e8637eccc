import { base58 } from "@scure/base";
import { z } from "zod";

export const PUBLIC_KEY_BYTES = 32;

export const publicKeySchema = z.string().refine(isPublicKey, "not a Base58 public key of 32 bytes");

/** @throws {Error} when the text is not Base58 of exactly 32 bytes */
export function decodePublicKey(text: string): Uint8Array {
  const bytes = base58.decode(text);
  if (bytes.length !== PUBLIC_KEY_BYTES) throw new Error(`A public key has 32 bytes, not ${bytes.length}`);
  return bytes;
}

/** @throws {Error} when there are not exactly 32 bytes */
export function encodePublicKey(bytes: Uint8Array): string {
  if (bytes.length !== PUBLIC_KEY_BYTES) throw new Error(`A public key has 32 bytes, not ${bytes.length}`);
  return base58.encode(bytes);
}

/** Decoding Base58 takes quadratic time. */
export function isPublicKey(text: string): boolean {
  if (text.length < 32 || text.length > 44) return false;
  try {
    return base58.decode(text).length === PUBLIC_KEY_BYTES;
  } catch {
    return false;
  }
}
