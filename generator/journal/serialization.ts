import { DefaultDeserializer, DefaultSerializer } from "node:v8";
import { compress, decompress } from "../store/zstd.ts";

/*
 * A value is stored in blocks, each compressed by itself, so that large columns are not in memory
 * twice. The first block holds the value with the type and length of each column.
 */

type Column = Uint8Array | Uint16Array | BigUint64Array;

const BLOCK_BYTES = 4 * 1024 * 1024;
/** Each block begins with its compressed length, a u32. */
const LENGTH_BYTES = 4;

const COLUMN_TYPES = [Uint16Array, BigUint64Array, Uint8Array] as const;

/**
 * @throws {TypeError} for a typed array that is no column
 */
export function serialize(value: unknown): Uint8Array {
  const columns: Column[] = [];
  const serializer = Object.assign(new DefaultSerializer(), {
    _writeHostObject(view: ArrayBufferView) {
      const type = COLUMN_TYPES.findIndex((one) => view instanceof one);
      if (type === -1) throw new TypeError("a typed array that is no column cannot be serialized");
      const column = view as Column;
      columns.push(column);
      serializer.writeUint32(type);
      serializer.writeUint32(column.length);
    },
  });
  serializer.writeHeader();
  serializer.writeValue(value);
  const blocks: Uint8Array[] = [];
  for (const block of [[serializer.releaseBuffer()], ...toBlocks(columns)]) {
    const body = compress(Buffer.concat(block));
    const length = Buffer.alloc(LENGTH_BYTES);
    length.writeUInt32LE(body.byteLength);
    blocks.push(length, body);
  }
  return Buffer.concat(blocks);
}

function toBlocks(columns: Column[]): Uint8Array[][] {
  const blocks: Uint8Array[][] = [];
  let room = 0;
  for (const column of columns) {
    if (room <= 0) {
      blocks.push([]);
      room = BLOCK_BYTES;
    }
    blocks.at(-1)?.push(bytesOf(column));
    room -= column.byteLength;
  }
  return blocks;
}

/**
 * The inverse of {@link serialize}. Each column owns its memory: a view would keep its whole block
 * alive.
 * @param options.bytesMax most bytes to unpack
 * @throws {Error} when the bytes are cut, damaged, no serialized value, or unpack to more
 */
export function deserialize(bytes: Uint8Array, { bytesMax }: { bytesMax: number }): unknown {
  const [first, ...rest] = cutBlocks(bytes);
  if (first === undefined) throw new Error("it is empty");
  const columns: Column[] = [];
  const body = decompress(first, { bytesMax });
  let left = bytesMax - body.byteLength;
  const deserializer = Object.assign(new DefaultDeserializer(body), {
    _readHostObject(): Column {
      const type = COLUMN_TYPES[deserializer.readUint32()];
      const length = deserializer.readUint32();
      left -= length * (type?.BYTES_PER_ELEMENT ?? Infinity);
      if (type === undefined || left < 0)
        throw new Error("a column has an unknown type or is too long");
      const column = new type(length);
      columns.push(column);
      return column;
    },
  });
  deserializer.readHeader();
  const value: unknown = deserializer.readValue();
  fill(columns, rest, { bytesMax });
  return value;
}

function fill(columns: Column[], blocks: Uint8Array[], { bytesMax }: { bytesMax: number }): void {
  const unfilled = columns.map(bytesOf).filter(({ byteLength }) => byteLength > 0);
  let next = 0;
  for (const block of blocks) {
    const numbers = decompress(block, { bytesMax });
    for (let start = 0; start < numbers.byteLength; next += 1) {
      const column = unfilled[next];
      if (column === undefined || start + column.byteLength > numbers.byteLength)
        throw new Error("its columns do not match its blocks");
      column.set(numbers.subarray(start, start + column.byteLength));
      start += column.byteLength;
    }
  }
  if (next < unfilled.length) throw new Error("a block of columns is missing");
}

function cutBlocks(bytes: Uint8Array): Uint8Array[] {
  const blocks: Uint8Array[] = [];
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  for (let start = 0; start < bytes.byteLength;) {
    const begin = start + LENGTH_BYTES;
    const end = begin <= bytes.byteLength ? begin + view.getUint32(start, true) : Infinity;
    if (end > bytes.byteLength) throw new Error("it is cut");
    blocks.push(bytes.subarray(begin, end));
    start = end;
  }
  return blocks;
}

function bytesOf({ buffer, byteOffset, byteLength }: Column): Uint8Array {
  return new Uint8Array(buffer, byteOffset, byteLength);
}
