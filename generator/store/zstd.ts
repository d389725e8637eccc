import { promisify } from "node:util";
import { constants, zstdCompress, zstdDecompress } from "node:zlib";

const compressBytes = promisify(zstdCompress);
const decompressBytes = promisify(zstdDecompress);

/** Unpacked bytes at a time. Handing over Node's 16 KiB takes longer than unpacking them. */
const PIECE_BYTES = 256 * 1024;

/** Compresses with a checksum, so that reading detects a flipped bit. */
export function compress(bytes: Uint8Array): Promise<Buffer> {
  return compressBytes(bytes, { params: { [constants.ZSTD_c_checksumFlag]: 1 } });
}

/**
 * Decompresses.
 * @param bytesMax most unpacked bytes: a small object must not fill the memory
 * @throws {Error} when the input is empty, cut, damaged, no zstd, or unpacks to more
 */
export function decompress(bytes: Uint8Array, { bytesMax }: { bytesMax: number }): Promise<Buffer> {
  return decompressBytes(bytes, { chunkSize: PIECE_BYTES, maxOutputLength: bytesMax });
}
