import { createPublicKey, verify } from "node:crypto";
import { Point } from "@noble/ed25519";
import { base58 } from "@scure/base";
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

export interface Transaction extends Message {
  /** 64 bytes each, in the order of the keys. */
  signatures: Uint8Array[];
  /** What they sign. */
  message: Uint8Array;
}

/** Of version 1 (SIMD-0385). */
export const TRANSACTION_BYTES_MAX = 4_096;
/** Before version 1: what fits in a packet. */
const PACKET_BYTES_MAX = 1_232;

const SIGNATURE_BYTES = 64;
/** Decoding Base58 takes quadratic time. */
const SIGNATURE_LENGTH_MAX = 88;

/**
 * As strictly as the runtime, so that each transaction has one encoding.
 * @throws {TransactionError}
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

/** The message tells how many signatures follow. */
function readMessageFirst(reader: ByteReader, bytes: Uint8Array): Transaction {
  const message = readMessageOfVersion1(reader);
  const end = reader.offset;
  const signatures = readTimes(message.requiredSignatures, () => readSignature(reader));
  return { ...message, signatures, message: bytes.subarray(0, end) };
}

function readSignature(reader: ByteReader): Uint8Array {
  return reader.take(SIGNATURE_BYTES, "a signature");
}

/** The first signature names a transaction. @throws {Error} unless 64 bytes */
export function encodeSignature(bytes: Uint8Array): string {
  if (bytes.length !== SIGNATURE_BYTES)
    throw new Error(`A signature has ${SIGNATURE_BYTES} bytes, not ${bytes.length}`);
  return base58.encode(bytes);
}

/** False if it need not sign, and for a key without a private half. */
export function isSignedBy({ keys, signatures, message }: Transaction, index: number): boolean {
  const [key, signature] = [keys[index], signatures[index]];
  return key !== undefined && signature !== undefined && isSignatureOf(key, message, signature);
}

/** Otherwise it was never executed, and its name is invented. */
export function isSigned(transaction: Transaction): boolean {
  const signers = transaction.keys.slice(0, transaction.requiredSignatures);
  return signers.every((_, index) => isSignedBy(transaction, index));
}

/** SubjectPublicKeyInfo before the 32 bytes of an ed25519 key (RFC 8410). */
const SPKI_HEAD = Buffer.from("302a300506032b6570032100", "hex");

function isSignatureOf(key: string, message: Uint8Array, signature: Uint8Array): boolean {
  if (!canSign(key)) return false;
  const der = Buffer.concat([SPKI_HEAD, decodePublicKey(key)]);
  return verify(
    null,
    message,
    createPublicKey({ key: der, format: "der", type: "spki" }),
    signature,
  );
}

/**
 * Only a canonical curve point not of small order: under
 * others an invented signature fits every eighth message.
 */
export function canSign(key: string): boolean {
  try {
    return !Point.fromBytes(decodePublicKey(key)).isSmallOrder();
  } catch {
    return false;
  }
}

export function isSignature(text: string): boolean {
  if (text.length < SIGNATURE_BYTES || text.length > SIGNATURE_LENGTH_MAX) return false;
  try {
    return base58.decode(text).length === SIGNATURE_BYTES;
  } catch {
    return false;
  }
}
