/**
 * A transaction of the cluster, read independently of the generator: what a reader checks must not
 * rest on the code that is checked.
 */
export interface SignedTransaction {
  /** Of 64 bytes, in the order of the keys. */
  signatures: Uint8Array[];
  /** The bytes that the signers sign. */
  message: Uint8Array;
  /** Of 32 bytes, signers first; without those of look-up tables. */
  keys: Uint8Array[];
  instructions: { program: number; accounts: number[]; data: Uint8Array }[];
}

const SIGNATURE_BYTES = 64;
const KEY_BYTES = 32;
/** The bit of a versioned message. */
const VERSION_MARK = 0x80;
const VERSION_1 = VERSION_MARK | 1;
/** The header's counts after the first, which read-only keys are. */
const READ_ONLY_COUNTS = 2;

/**
 * Reads a legacy transaction, or one of version 0 or 1.
 * @throws {RangeError} the bytes are none
 */
export function readTransaction(bytes: Uint8Array): SignedTransaction {
  const reader = createReader(bytes);
  return bytes[0] === VERSION_1 ? readVersion1(reader, bytes) : readSignaturesFirst(reader, bytes);
}

function readSignaturesFirst(reader: Reader, bytes: Uint8Array): SignedTransaction {
  const signatures = reader.vector(() => reader.take(SIGNATURE_BYTES));
  const message = bytes.subarray(reader.offset());
  const isVersioned = (message[0] ?? 0) >= VERSION_MARK;
  if (isVersioned && reader.u8() !== VERSION_MARK) throw new RangeError("An unknown version");
  if (reader.u8() !== signatures.length) throw new RangeError("Not as many signatures as signers");
  reader.take(READ_ONLY_COUNTS);
  const keys = reader.vector(() => reader.take(KEY_BYTES));
  reader.take(KEY_BYTES); // The blockhash.
  const instructions = reader.vector(() => ({
    program: reader.u8(),
    accounts: reader.vector(() => reader.u8()),
    data: reader.take(reader.compact()),
  }));
  return { signatures, message, keys, instructions };
}

/** Its signatures stand at its end (SIMD-0385). */
function readVersion1(reader: Reader, bytes: Uint8Array): SignedTransaction {
  reader.u8();
  const signers = reader.u8();
  reader.take(READ_ONLY_COUNTS);
  const settings = reader.u32();
  reader.take(KEY_BYTES); // The blockhash.
  const [instructionCount, keyCount] = [reader.u8(), reader.u8()];
  const keys = times(keyCount, () => reader.take(KEY_BYTES));
  reader.take(4 * countBits(settings));
  const heads = times(instructionCount, () => ({
    program: reader.u8(),
    accountCount: reader.u8(),
    dataLength: reader.u16(),
  }));
  const instructions = heads.map(({ program, accountCount, dataLength }) => ({
    program,
    accounts: [...reader.take(accountCount)],
    data: reader.take(dataLength),
  }));
  const message = bytes.subarray(0, reader.offset());
  const signatures = times(signers, () => reader.take(SIGNATURE_BYTES));
  return { signatures, message, keys, instructions };
}

type Reader = ReturnType<typeof createReader>;

function createReader(bytes: Uint8Array) {
  let at = 0;
  const take = (count: number) => {
    if (at + count > bytes.length) throw new RangeError("The bytes end too soon");
    at += count;
    return bytes.subarray(at - count, at);
  };
  const little = (count: number) => take(count).reduceRight((value, byte) => value * 256 + byte, 0);
  const u8 = () => little(1);
  /** Seven bits a byte, lowest first. */
  const compact = () => {
    let value = 0;
    for (let shift = 0; shift < 21; shift += 7) {
      const byte = u8();
      value |= (byte & 0x7f) << shift;
      if (byte < 0x80) return value;
    }
    throw new RangeError("A count is too long");
  };
  return {
    offset: () => at,
    take,
    u8,
    u16: () => little(2),
    u32: () => little(4),
    compact,
    vector: <Item>(readOne: () => Item) => times(compact(), readOne),
  };
}

function times<Item>(count: number, readOne: () => Item): Item[] {
  return Array.from({ length: count }, readOne);
}

function countBits(mask: number): number {
  return mask.toString(2).replaceAll("0", "").length;
}
