import { TransactionError, type ByteReader } from "./byte-reader.ts";
import { skipConfig } from "./message-config.ts";
import { encodePublicKey, PUBLIC_KEY_BYTES } from "./public-key.ts";

/** A decoded message: what the signers of a transaction sign. */
export interface Message {
  version: "legacy" | 0 | 1;
  /** Number of keys that must sign. At least 1: the first key pays the fee. */
  requiredSignatures: number;
  /** Keys in Base58, signers first. */
  keys: string[];
  /**
   * Number of keys from look-up tables, which only version 0 has. They follow the others and never
   * sign.
   */
  loadedCount: number;
  instructions: TopInstruction[];
}

/** An instruction of the message itself, not one that a program calls. */
export interface TopInstruction {
  /** Index in `keys`; never 0, the payer. */
  program: number;
  /** Indexes in `keys` and, beyond them, in the looked-up keys. */
  accounts: number[];
  data: Uint8Array;
}

/** The newest version that is decoded. */
export const TRANSACTION_VERSION_MAX = 1;

const BLOCKHASH_BYTES = 32;
/** The bit that marks a versioned message; the other bits of the byte are its version. */
const VERSION_MARK = 0x80;

/** Most keys of a message, because an index is one byte. */
const KEYS_MAX = 256;
// Bounds of version 1 (SIMD-0385).
const KEYS_MAX_OF_VERSION_1 = 64;
const INSTRUCTIONS_MAX = 64;
const SIGNATURES_MAX = 12;

/**
 * Returns the version in a transaction's first byte. Version 1 begins with its message; null: the
 * transaction begins with a count of signatures.
 * @throws {TransactionError} when the version is not known
 */
export function readVersion(first: number): 1 | null {
  if (first < VERSION_MARK) return null;
  const version = first & ~VERSION_MARK;
  if (version === 0)
    throw new TransactionError("Byte 0: no signatures stand before a message of version 0");
  if (version !== 1) throw unknownVersion(version);
  return version;
}

/**
 * Reads a message, legacy or of version 0.
 * @throws {TransactionError} when the runtime would refuse it
 */
export function readMessage(reader: ByteReader): Message {
  const start = reader.offset;
  const first = reader.u8("the start of the message");
  const version = first < VERSION_MARK ? "legacy" : first & ~VERSION_MARK;
  if (version === 1)
    throw new TransactionError(`Byte ${start}: signatures stand before a message of version 1`);
  if (version !== "legacy" && version !== 0) throw unknownVersion(version);
  const header = readHeader(reader, version === "legacy" ? first : null);
  const keys = readVector(reader, "keys", () => readKey(reader));
  checkKeys(keys, header, start);
  reader.take(BLOCKHASH_BYTES, "the blockhash");
  const at = reader.offset;
  const instructions = readVector(reader, "instructions", () => readInstruction(reader));
  const loadedCount = version === 0 ? countLoaded(reader) : 0;
  if (keys.length + loadedCount > KEYS_MAX) {
    throw new TransactionError(
      `Byte ${at}: ${keys.length + loadedCount} keys, and ${KEYS_MAX} can be named`,
    );
  }
  checkIndexes(instructions, { keys: keys.length, loadedCount, at });
  return {
    version,
    requiredSignatures: header.requiredSignatures,
    keys,
    loadedCount,
    instructions,
  };
}

/**
 * Reads a message of version 1 (SIMD-0385). Each count is checked before what it counts is read.
 * @throws {TransactionError} when the runtime would refuse it
 */
export function readMessageOfVersion1(reader: ByteReader): Message {
  const start = reader.offset;
  reader.u8("the version");
  const header = readHeader(reader, null);
  const { requiredSignatures } = header;
  checkCount("signatures", requiredSignatures, { max: SIGNATURES_MAX, at: start });
  const mask = reader.u32("the mask of settings");
  reader.take(BLOCKHASH_BYTES, "the blockhash");
  const at = reader.offset;
  const instructionCount = reader.u8("the count of instructions");
  checkCount("instructions", instructionCount, { max: INSTRUCTIONS_MAX, at });
  const keyCount = reader.u8("the count of keys");
  checkCount("keys", keyCount, { max: KEYS_MAX_OF_VERSION_1, at });
  const keys = readTimes(keyCount, () => readKey(reader));
  checkKeys(keys, header, start);
  skipConfig(reader, mask);
  const headers = readTimes(instructionCount, () => ({
    program: reader.u8("the program of an instruction"),
    accountCount: reader.u8("a count of accounts"),
    dataLength: reader.u16("a length of data"),
  }));
  const instructions = headers.map(({ program, accountCount, dataLength }) => ({
    program,
    accounts: [...reader.take(accountCount, "the accounts of an instruction")],
    data: reader.take(dataLength, "the data of an instruction"),
  }));
  checkIndexes(instructions, { keys: keys.length, loadedCount: 0, at });
  return { version: 1, requiredSignatures, keys, loadedCount: 0, instructions };
}

/**
 * Reads a compact count and as many elements. An element takes at least one byte, so the input
 * bounds the count.
 */
export function readVector<T>(reader: ByteReader, what: string, readOne: () => T): T[] {
  return readTimes(reader.compact(`the count of ${what}`), readOne);
}

/** Calls `readOne` `count` times, in order. */
export function readTimes<T>(count: number, readOne: () => T): T[] {
  const all: T[] = [];
  for (let index = 0; index < count; index++) all.push(readOne());
  return all;
}

interface Header {
  requiredSignatures: number;
  readonlySigned: number;
  readonlyUnsigned: number;
}

/** @param requiredSignatures null: read it from the bytes */
function readHeader(reader: ByteReader, requiredSignatures: number | null): Header {
  return {
    requiredSignatures: requiredSignatures ?? reader.u8("the count of required signatures"),
    readonlySigned: reader.u8("the count of read-only signers"),
    readonlyUnsigned: reader.u8("the count of read-only keys that do not sign"),
  };
}

function readKey(reader: ByteReader): string {
  return encodePublicKey(reader.take(PUBLIC_KEY_BYTES, "a key"));
}

function checkKeys(keys: readonly string[], header: Header, at: number): void {
  const { requiredSignatures, readonlySigned, readonlyUnsigned } = header;
  // The runtime loads no account twice, so such a transaction was never executed.
  if (new Set(keys).size < keys.length)
    throw new TransactionError(`Byte ${at}: a key stands there twice`);
  // The first key pays, so it signs and is writable.
  if (readonlySigned >= requiredSignatures) {
    throw new TransactionError(
      `Byte ${at}: ${readonlySigned} of ${requiredSignatures} signers are read-only`,
    );
  }
  if (requiredSignatures + readonlyUnsigned > keys.length) {
    throw new TransactionError(
      `Byte ${at}: the header speaks of more keys than the ${keys.length} there are`,
    );
  }
}

function readInstruction(reader: ByteReader): TopInstruction {
  const program = reader.u8("the program of an instruction");
  const accounts = [
    ...reader.take(reader.compact("a count of accounts"), "the accounts of an instruction"),
  ];
  const data = reader.take(reader.compact("a length of data"), "the data of an instruction");
  return { program, accounts, data };
}

/**
 * Counts keys from look-up tables: the message holds their positions in the tables, not the keys.
 */
function countLoaded(reader: ByteReader): number {
  const counts = readVector(reader, "tables", () => {
    const start = reader.offset;
    reader.take(PUBLIC_KEY_BYTES, "the address of a table");
    const writable = reader.take(
      reader.compact("a count of writable keys"),
      "the writable keys of a table",
    );
    const readonly = reader.take(
      reader.compact("a count of read-only keys"),
      "the read-only keys of a table",
    );
    const count = writable.length + readonly.length;
    if (count === 0) throw new TransactionError(`Byte ${start}: nothing is looked up in a table`);
    return count;
  });
  return counts.reduce((sum, count) => sum + count, 0);
}

function checkIndexes(
  instructions: readonly TopInstruction[],
  { keys, loadedCount, at }: { keys: number; loadedCount: number; at: number },
): void {
  const total = keys + loadedCount;
  for (const { program, accounts } of instructions) {
    if (program === 0) throw new TransactionError(`Byte ${at}: the payer is called as a program`);
    if (program >= keys)
      throw new TransactionError(`Byte ${at}: program ${program} of ${keys} keys`);
    const beyond = accounts.find((account) => account >= total);
    if (beyond !== undefined)
      throw new TransactionError(`Byte ${at}: account ${beyond} of ${total} keys`);
  }
}

function checkCount(what: string, count: number, { max, at }: { max: number; at: number }): void {
  if (count > max)
    throw new TransactionError(`Byte ${at}: ${count} ${what}, and version 1 allows ${max}`);
}

function unknownVersion(version: number): TransactionError {
  return new TransactionError(
    `The transaction is of version ${version}: only legacy ones and versions 0 and 1 are read`,
  );
}
