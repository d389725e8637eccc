import { buffer } from "node:stream/consumers";
import { constants, createZstdCompress, createZstdDecompress, type ZstdCompress } from "node:zlib";

/* One zstd frame as a stream: only the packed bytes are held whole. */

/** Spans nine checks back to the last snapshot. Every decoder allows 2^24 bytes by default. */
const WINDOW_LOG = 24;
const LEVEL = 3;
const CHUNK_BYTES = 256 * 1024;
const LINE_END = 0x0a;

/** @param lines without their ends */
export async function packLines(lines: AsyncIterable<Uint8Array>): Promise<Buffer> {
  const compress = createZstdCompress({
    params: {
      [constants.ZSTD_c_compressionLevel]: LEVEL,
      [constants.ZSTD_c_windowLog]: WINDOW_LOG,
      [constants.ZSTD_c_enableLongDistanceMatching]: 1,
      [constants.ZSTD_c_checksumFlag]: 1,
    },
  });
  const [packed] = await Promise.all([buffer(compress), writeAll(compress, lines)]);
  return packed;
}

/**
 * Waits for each write: if it is ended while still at work, Node's compressor adds a second, empty
 * frame.
 */
async function writeAll(compress: ZstdCompress, lines: AsyncIterable<Uint8Array>): Promise<void> {
  const end = Uint8Array.of(LINE_END);
  const write = (bytes: Uint8Array) =>
    new Promise<void>((resolve, reject) => {
      compress.write(bytes, (error) => {
        if (error) reject(error);
        else resolve();
      });
    });
  try {
    for await (const line of lines) {
      await write(line);
      await write(end);
    }
    compress.end();
  } catch (error) {
    compress.destroy(error instanceof Error ? error : new Error(String(error)));
    throw error;
  }
}

/**
 * @throws {Error} when the bytes are cut, damaged or no zstd, or a line is too long or has no end
 */
export async function* unpackLines(
  packed: Uint8Array,
  { lineBytesMax }: { lineBytesMax: number },
): AsyncGenerator<Uint8Array> {
  const decompress = createZstdDecompress({ chunkSize: CHUNK_BYTES });
  decompress.end(packed);
  let begun: Buffer[] = [];
  let begunBytes = 0;
  for await (const chunk of decompress as AsyncIterable<Buffer>) {
    let start = 0;
    for (let end = chunk.indexOf(LINE_END); end !== -1; end = chunk.indexOf(LINE_END, start)) {
      yield Buffer.concat([...begun, chunk.subarray(start, end)]);
      [begun, begunBytes, start] = [[], 0, end + 1];
    }
    begun.push(chunk.subarray(start));
    begunBytes += chunk.length - start;
    if (begunBytes > lineBytesMax)
      throw new Error(`a line of it has more than ${lineBytesMax} bytes`);
  }
  if (begunBytes > 0) throw new Error("its last line is cut");
  // Node reads only the first frame and ignores what follows.
  if (decompress.bytesWritten !== packed.byteLength) throw new Error("other data follows it");
}
