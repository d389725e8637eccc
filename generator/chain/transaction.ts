import { createPublicKey, verify } from "node:crypto";
import { Point } from "@noble/ed25519";
import { base58 } from "@scure/base";
import { ByteReader, TransactionError } from "./byte-reader.ts";
import { decodePublicKey, encodePublicKey, PUBLIC_KEY_BYTES } from "./public-key.ts";

export interface Transaction {
  version: "legacy" | 0;
  /** 64 bytes each, in the order of the keys. */
  signatures: Uint8Array[];
  message: Uint8Array;
  /** At least 1: the first key pays the fee. */
  requiredSignatures: number;
  /** Base58, signers first. */
  keys: string[];
  /** Keys from look-up tables; they follow the others and never sign. */
  loadedCount: number;
  instructions: TopInstruction[];
}

export interface TopInstruction {
  /** Index in `keys`; never 0, which pays the fee. */
  program: number;
  /** Also of the looked-up keys, which follow. */
  accounts: number[];
  data: Uint8Array;
}

/** Today at most 1,232 bytes; SIMD-0296 allows 4,096. */
export const TRANSACTION_BYTES_MAX = 4_096;

const SIGNATURE_BYTES = 64;
/** Decoding Base58 takes quadratic time. */
const SIGNATURE_LENGTH_MAX = 88;
const BLOCKHASH_BYTES = 32;
const KEYS_MAX = 256;
/** The first byte's other bits give the version. */
const VERSION_MARK = 0x80;

/**
 * As strictly as the runtime, so that each transaction has one encoding.
 * @throws {TransactionError}
 */
export function decodeTransaction(bytes: Uint8Array): Transaction {
  if (bytes.length > TRANSACTION_BYTES_MAX) {
    throw new TransactionError(`A transaction has ${TRANSACTION_BYTES_MAX} bytes at most, not ${bytes.length}`);
  }
  const first = bytes[0] ?? 0;
  if (first > VERSION_MARK) throw unknownVersion(first);
  const reader = new ByteReader(bytes);
  const signatures = readVector(reader, "signatures", () => reader.take(SIGNATURE_BYTES, "a signature"));
  const message = bytes.subarray(reader.offset);
  const transaction = { signatures, message, ...readMessage(reader) };
  if (reader.left > 0) throw new TransactionError(`Byte ${reader.offset}: ${reader.left} bytes stand after the end`);
  if (signatures.length !== transaction.requiredSignatures) {
    const { requiredSignatures } = transaction;
    throw new TransactionError(`${requiredSignatures} signatures are required, and ${signatures.length} are there`);
  }
  return transaction;
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

type Message = Omit<Transaction, "signatures" | "message">;

function readMessage(reader: ByteReader): Message {
  const start = reader.offset;
  const first = reader.u8("the start of the message");
  if (first > VERSION_MARK) throw unknownVersion(first);
  const version = first === VERSION_MARK ? 0 : "legacy";
  const requiredSignatures = version === 0 ? reader.u8("the count of required signatures") : first;
  const readonlySigned = reader.u8("the count of read-only signers");
  const readonlyUnsigned = reader.u8("the count of read-only keys that do not sign");
  const keys = readKeys(reader);
  // It pays, so it signs and is writable.
  if (readonlySigned >= requiredSignatures) {
    throw new TransactionError(`Byte ${start}: ${readonlySigned} of ${requiredSignatures} signers are read-only`);
  }
  if (requiredSignatures + readonlyUnsigned > keys.length) {
    throw new TransactionError(`Byte ${start}: the header speaks of more keys than the ${keys.length} there are`);
  }
  reader.take(BLOCKHASH_BYTES, "the blockhash");
  const instructionsStart = reader.offset;
  const instructions = readVector(reader, "instructions", () => readInstruction(reader));
  const loadedCount = version === 0 ? countLoaded(reader) : 0;
  checkPlaces(instructions, { keys: keys.length, loadedCount, at: instructionsStart });
  return { version, requiredSignatures, keys, loadedCount, instructions };
}

function readKeys(reader: ByteReader): string[] {
  const start = reader.offset;
  const keys = readVector(reader, "keys", () => encodePublicKey(reader.take(PUBLIC_KEY_BYTES, "a key")));
  // The runtime loads no account twice, so such a transaction never landed.
  if (new Set(keys).size < keys.length) throw new TransactionError(`Byte ${start}: a key stands there twice`);
  return keys;
}

function readInstruction(reader: ByteReader): TopInstruction {
  const program = reader.u8("the program of an instruction");
  const accounts = [...reader.take(reader.compact("a count of accounts"), "the accounts of an instruction")];
  const data = reader.take(reader.compact("a length of data"), "the data of an instruction");
  return { program, accounts, data };
}

/** The message has their number, not the keys. */
function countLoaded(reader: ByteReader): number {
  const counts = readVector(reader, "tables", () => {
    const start = reader.offset;
    reader.take(PUBLIC_KEY_BYTES, "the address of a table");
    const writable = reader.take(reader.compact("a count of writable keys"), "the writable keys of a table");
    const readonly = reader.take(reader.compact("a count of read-only keys"), "the read-only keys of a table");
    const count = writable.length + readonly.length;
    if (count === 0) throw new TransactionError(`Byte ${start}: nothing is looked up in a table`);
    return count;
  });
  return counts.reduce((sum, count) => sum + count, 0);
}

function checkPlaces(instructions: TopInstruction[], counts: { keys: number; loadedCount: number; at: number }): void {
  const { keys, loadedCount, at } = counts;
  const total = keys + loadedCount;
  if (total > KEYS_MAX) throw new TransactionError(`Byte ${at}: ${total} keys, and ${KEYS_MAX} can be named`);
  for (const { program, accounts } of instructions) {
    if (program === 0) throw new TransactionError(`Byte ${at}: the payer is called as a program`);
    if (program >= keys) throw new TransactionError(`Byte ${at}: program ${program} of ${keys} keys`);
    const beyond = accounts.find((account) => account >= total);
    if (beyond !== undefined) throw new TransactionError(`Byte ${at}: account ${beyond} of ${total} keys`);
  }
}

/** Bounded by the bytes: an element takes at least one. */
function readVector<T>(reader: ByteReader, what: string, readOne: () => T): T[] {
  const count = reader.compact(`the count of ${what}`);
  const all: T[] = [];
  for (let index = 0; index < count; index++) all.push(readOne());
  return all;
}

function unknownVersion(first: number): TransactionError {
  const version = first & ~VERSION_MARK;
  return new TransactionError(`The transaction is of version ${version}: only legacy ones and version 0 are read`);
}

/** SubjectPublicKeyInfo before the 32 bytes of an ed25519 key (RFC 8410). */
const SPKI_HEAD = Buffer.from("302a300506032b6570032100", "hex");

function isSignatureOf(key: string, message: Uint8Array, signature: Uint8Array): boolean {
  if (!canSign(key)) return false;
  const der = Buffer.concat([SPKI_HEAD, decodePublicKey(key)]);
  return verify(null, message, createPublicKey({ key: der, format: "der", type: "spki" }), signature);
}

/** Only a canonical curve point not of small order: under others an invented signature fits every eighth message. */
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
