import { constants, zstdCompressSync, zstdDecompressSync } from "node:zlib";

/*
 * Synchronous: the thread pool takes ten times as long for a small object and
 * three times for a large one, and nothing of ours could go on meanwhile.
 */

/**
 * Unpacked bytes at a time. Node's 16 KiB makes too many pieces of a large object, and to allocate
 * more takes longer than to unpack a small one.
 */
const PIECE_BYTES = { least: 16 * 1024, most: 256 * 1024 };
/** What of ours unpacks to more than so many times its size takes several pieces. */
const USUAL_RATIO = 16;

/** Compresses with a checksum, so that reading detects a flipped bit. */
export function compress(bytes: Uint8Array): Buffer {
  return zstdCompressSync(bytes, { params: { [constants.ZSTD_c_checksumFlag]: 1 } });
}

/**
 * Decompresses.
 * @param bytesMax most unpacked bytes: a small object must not fill the memory
 * @throws {Error} when the input is empty, cut, damaged, no zstd, or unpacks to more
 */
export function decompress(bytes: Uint8Array, { bytesMax }: { bytesMax: number }): Buffer {
  const { least, most } = PIECE_BYTES;
  const chunkSize = Math.min(Math.max(least, bytes.byteLength * USUAL_RATIO), most);
  return zstdDecompressSync(bytes, { chunkSize, maxOutputLength: bytesMax });
}
