import { TransactionError, type ByteReader } from "./byte-reader.ts";

// Each bit of the mask stands for four bytes of settings.
const PRIORITY_FEE = 0b11;
const COMPUTE_UNITS = 0b100;
const LOADED_BYTES = 0b1000;
const HEAP_BYTES = 0b1_0000;
const KNOWN = PRIORITY_FEE | COMPUTE_UNITS | LOADED_BYTES | HEAP_BYTES;

const HEAP_BYTES_MIN = 32 * 1024;
const HEAP_BYTES_MAX = 256 * 1024;
const HEAP_BYTES_STEP = 1024;

/**
 * Reads past the limits of a transaction of version 1 (SIMD-0385).
 * @throws {TransactionError} on unknown bits, because later settings may not have four bytes, and
 * on values that the runtime refuses
 */
export function skipConfig(reader: ByteReader, mask: number): void {
  if ((mask & ~KNOWN) !== 0)
    throw new TransactionError(`Settings are not known, of the mask ${mask.toString(2)}`);
  const fee = mask & PRIORITY_FEE;
  if (fee !== 0 && fee !== PRIORITY_FEE)
    throw new TransactionError("Half of the priority fee is missing");
  if (fee !== 0) reader.u64("the priority fee");
  if ((mask & COMPUTE_UNITS) !== 0) reader.u32("the limit of compute units");
  if ((mask & LOADED_BYTES) !== 0) reader.u32("the limit of loaded bytes");
  if ((mask & HEAP_BYTES) !== 0) checkHeap(reader.u32("the size of the heap"));
}

function checkHeap(bytes: number): void {
  if (bytes >= HEAP_BYTES_MIN && bytes <= HEAP_BYTES_MAX && bytes % HEAP_BYTES_STEP === 0) return;
  throw new TransactionError(`No program has a heap of ${bytes} bytes`);
}
