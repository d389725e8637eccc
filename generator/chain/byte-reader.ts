const COMPACT_BYTES_MAX = 3;
const U16_MAX = 0xffff;

/**
 * Reads little-endian numbers and bytes in order. Every method throws {@link TransactionError} when
 * fewer bytes are left, naming `what`.
 */
export class ByteReader {
  readonly #bytes: Uint8Array;
  readonly #view: DataView;
  #offset = 0;

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
    this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  }

  get offset(): number {
    return this.#offset;
  }

  get left(): number {
    return this.#bytes.length - this.#offset;
  }

  /** The bytes share memory with the input. */
  take(count: number, what: string): Uint8Array {
    const start = this.#advance(count, what);
    return this.#bytes.subarray(start, start + count);
  }

  u8(what: string): number {
    return this.#view.getUint8(this.#advance(1, what));
  }

  u16(what: string): number {
    return this.#view.getUint16(this.#advance(2, what), true);
  }

  u32(what: string): number {
    return this.#view.getUint32(this.#advance(4, what), true);
  }

  u64(what: string): bigint {
    return this.#view.getBigUint64(this.#advance(8, what), true);
  }

  /**
   * Reads a compact u16: seven bits a byte, lowest first. As in the runtime only the shortest form
   * is valid; otherwise one signed message would have several encodings.
   * @throws {TransactionError} also when the number is over 65535
   */
  compact(what: string): number {
    const start = this.#offset;
    let count = 0;
    for (let group = 0; group < COMPACT_BYTES_MAX; group++) {
      const byte = this.u8(what);
      if (byte === 0 && group > 0)
        throw new TransactionError(`Byte ${start}: ${what} is written longer than it must be`);
      count |= (byte & 0x7f) << (7 * group);
      if (byte >= 0x80) continue;
      if (count > U16_MAX) break;
      return count;
    }
    throw new TransactionError(`Byte ${start}: ${what} is more than ${U16_MAX}`);
  }

  #advance(count: number, what: string): number {
    const start = this.#offset;
    if (count > this.left) {
      throw new TransactionError(
        `Byte ${start}: ${what} takes ${count} bytes, and ${this.left} are left`,
      );
    }
    this.#offset = start + count;
    return start;
  }
}

/** Bytes are no valid transaction. The message names the error and its byte. */
export class TransactionError extends Error {
  override readonly name = "TransactionError";
}
