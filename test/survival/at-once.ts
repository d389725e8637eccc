import { syncBuiltinESMExports } from "node:module";
import zlib from "node:zlib";

/*
 * Compresses and unpacks with the very functions of Node, but at once and not on another thread. Between two operations on a
 * store a generator then only goes on, without waiting: who is next is the scheduler's decision alone, and a seed tells the
 * same story each time. To be imported before anything that compresses.
 */

type Callback = (error: Error | null, bytes?: Buffer) => void;
type Work = (bytes: Uint8Array, options: zlib.ZstdOptions) => Buffer;

function answerAtOnce(work: Work) {
  return (bytes: Uint8Array, options: zlib.ZstdOptions, callback: Callback): void => {
    let result: Buffer;
    try {
      result = work(bytes, options);
    } catch (error) {
      callback(error as Error);
      return;
    }
    callback(null, result);
  };
}

Object.assign(zlib, {
  zstdCompress: answerAtOnce(zlib.zstdCompressSync),
  zstdDecompress: answerAtOnce(zlib.zstdDecompressSync),
});
syncBuiltinESMExports();
