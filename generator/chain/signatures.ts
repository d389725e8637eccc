import { createPublicKey, verify } from "node:crypto";
import { Point } from "@noble/ed25519";
import { base58 } from "@scure/base";
import { decodePublicKey } from "./public-key.ts";

/** What stands before the 32 bytes of a public ed25519 key in SubjectPublicKeyInfo (RFC 8410). */
const SPKI_HEAD = Buffer.from("302a300506032b6570032100", "hex");

/** Whether a key signed a message (ed25519). @param key Base58 of 32 bytes */
export function isSignatureOf(key: string, message: Uint8Array, signature: Uint8Array): boolean {
  if (!canSign(key)) return false;
  const der = Buffer.concat([SPKI_HEAD, decodePublicKey(key)]);
  return verify(null, message, createPublicKey({ key: der, format: "der", type: "spki" }), signature);
}

/**
 * Whether a private key can stand behind an address: it is a point of the curve, written as the curve's rules write it, and not
 * of small order. Under one of small order a signature that anybody can make up fits to every eighth message or more. The
 * runtime refuses it; of what verifies here not every version does.
 * @param key Base58 of 32 bytes
 */
export function canSign(key: string): boolean {
  try {
    return !Point.fromBytes(decodePublicKey(key)).isSmallOrder();
  } catch {
    return false;
  }
}

const SIGNATURE_BYTES = 64;
/** Of the longest text that 64 bytes make. The length is looked at first: decoding Base58 takes quadratic time. */
const SIGNATURE_LENGTH_MAX = 88;

/** Whether a text is a signature: 64 bytes in Base58. */
export function isSignature(text: string): boolean {
  if (text.length < SIGNATURE_BYTES || text.length > SIGNATURE_LENGTH_MAX) return false;
  try {
    return base58.decode(text).length === SIGNATURE_BYTES;
  } catch {
    return false;
  }
}
