import { createPublicKey, verify, type KeyObject } from "node:crypto";
import { Point } from "@noble/ed25519";
import { base58 } from "@scure/base";
import { LRUCache } from "lru-cache";
import { ByteReader, TransactionError } from "./byte-reader.ts";
import {
  readMessage,
  readMessageOfVersion1,
  readTimes,
  readVector,
  readVersion,
  type Message,
} from "./message.ts";
import { decodePublicKey } from "./public-key.ts";

export type { TopInstruction } from "./message.ts";

/** A decoded transaction. Its signatures are not verified yet. */
export interface Transaction extends Message {
  /** Signatures of 64 bytes, in the order of the keys. */
  signatures: Uint8Array[];
  /** The bytes that the signers sign. */
  message: Uint8Array;
}

/** Longest transaction: one of version 1 (SIMD-0385). */
export const TRANSACTION_BYTES_MAX = 4_096;
/** Longest transaction before version 1: what fits in a packet. */
const PACKET_BYTES_MAX = 1_232;

const SIGNATURE_BYTES = 64;
/** Longest text that is decoded, because decoding Base58 takes quadratic time. */
const SIGNATURE_LENGTH_MAX = 88;

/**
 * Decodes a transaction of any version, as strictly as the runtime, so that each transaction has
 * one encoding.
 * @throws {TransactionError} when the runtime would refuse it
 */
export function decodeTransaction(bytes: Uint8Array): Transaction {
  const version = readVersion(bytes[0] ?? 0);
  const bytesMax = version === null ? PACKET_BYTES_MAX : TRANSACTION_BYTES_MAX;
  if (bytes.length > bytesMax) {
    throw new TransactionError(
      `Such a transaction has ${bytesMax} bytes at most, not ${bytes.length}`,
    );
  }
  const reader = new ByteReader(bytes);
  const transaction =
    version === null ? readSignaturesFirst(reader, bytes) : readMessageFirst(reader, bytes);
  if (reader.left > 0)
    throw new TransactionError(`Byte ${reader.offset}: ${reader.left} bytes stand after the end`);
  return transaction;
}

function readSignaturesFirst(reader: ByteReader, bytes: Uint8Array): Transaction {
  const signatures = readVector(reader, "signatures", () => readSignature(reader));
  const start = reader.offset;
  const message = readMessage(reader);
  const { requiredSignatures } = message;
  if (signatures.length !== requiredSignatures) {
    throw new TransactionError(
      `${requiredSignatures} signatures are required, and ${signatures.length} are there`,
    );
  }
  return { ...message, signatures, message: bytes.subarray(start, reader.offset) };
}

/** The message says how many signatures follow it. */
function readMessageFirst(reader: ByteReader, bytes: Uint8Array): Transaction {
  const message = readMessageOfVersion1(reader);
  const end = reader.offset;
  const signatures = readTimes(message.requiredSignatures, () => readSignature(reader));
  return { ...message, signatures, message: bytes.subarray(0, end) };
}

function readSignature(reader: ByteReader): Uint8Array {
  return reader.take(SIGNATURE_BYTES, "a signature");
}

/**
 * Encodes a signature in Base58. The first one is the transaction's id.
 * @throws {Error} when there are not exactly 64 bytes
 */
export function encodeSignature(bytes: Uint8Array): string {
  if (bytes.length !== SIGNATURE_BYTES)
    throw new Error(`A signature has ${SIGNATURE_BYTES} bytes, not ${bytes.length}`);
  return base58.encode(bytes);
}

/**
 * Whether the key at `index` validly signs the message. False for keys that need not sign, and for
 * keys that {@link canSign} refuses.
 */
export function isSignedBy({ keys, signatures, message }: Transaction, index: number): boolean {
  const [key, signature] = [keys[index], signatures[index]];
  return key !== undefined && signature !== undefined && isSignatureOf(key, message, signature);
}

/**
 * Whether every required signature is valid. Otherwise the runtime never executed the transaction,
 * and its id may be invented.
 */
export function isSigned(transaction: Transaction): boolean {
  const signers = transaction.keys.slice(0, transaction.requiredSignatures);
  return signers.every((_, index) => isSignedBy(transaction, index));
}

/** The bytes of SubjectPublicKeyInfo before the 32 bytes of an ed25519 key (RFC 8410). */
const SPKI_HEAD = Buffer.from("302a300506032b6570032100", "hex");

/** Enough for the authorities of a large cluster: most sign again and again. */
const SIGNERS_KEPT = 4_096;

const signers = new LRUCache<string, { publicKey: KeyObject | null }>({
  max: SIGNERS_KEPT,
  memoMethod: (key) => ({ publicKey: canSign(key) ? toPublicKey(key) : null }),
});

function isSignatureOf(key: string, message: Uint8Array, signature: Uint8Array): boolean {
  const { publicKey } = signers.memo(key);
  return publicKey !== null && verify(null, message, publicKey, signature);
}

function toPublicKey(key: string): KeyObject {
  const der = Buffer.concat([SPKI_HEAD, decodePublicKey(key)]);
  return createPublicKey({ key: der, format: "der", type: "spki" });
}

/**
 * Whether only the owner of a private key can sign for this key: a canonical point on the curve,
 * not of small order. For points of small order an invented signature fits every eighth message.
 */
export function canSign(key: string): boolean {
  try {
    return !Point.fromBytes(decodePublicKey(key)).isSmallOrder();
  } catch {
    return false;
  }
}

const LAST_SIGNATURE = base58.encode(new Uint8Array(SIGNATURE_BYTES).fill(0xff));
/** The form of four in five. A number of 88 digits without a leading 1 has at least 64 bytes. */
const LONG_SIGNATURE = /^[2-9A-HJ-NP-Za-km-z][1-9A-HJ-NP-Za-km-z]{87}$/;

/** Whether a text is Base58 of exactly 64 bytes. It decodes only texts of at most 88 characters. */
export function isSignature(text: string): boolean {
  if (text.length < SIGNATURE_BYTES || text.length > SIGNATURE_LENGTH_MAX) return false;
  if (LONG_SIGNATURE.test(text)) return text <= LAST_SIGNATURE;
  try {
    return base58.decode(text).length === SIGNATURE_BYTES;
  } catch {
    return false;
  }
}
