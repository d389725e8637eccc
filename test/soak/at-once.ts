import { syncBuiltinESMExports } from "node:module";
import { Transform, type TransformCallback } from "node:stream";
import zlib from "node:zlib";

/*
 * Compresses and unpacks with the very functions of Node, but at once and not on another thread. Between two operations on a
 * store a generator then only goes on, without waiting: who is next is the scheduler's decision alone, and a seed tells the
 * same story each time. Streams count as well: while one of them worked, nobody seemed to be awake, and hours were let pass
 * unobserved. To be imported before anything that compresses.
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

/** What `info` makes Node answer: how much was read says whether something followed the first frame. */
interface Worked {
  buffer: Buffer;
  engine: { bytesWritten: number };
}

/** A stream that works when all of it has come. */
class StreamAtOnce extends Transform {
  readonly #parts: Buffer[] = [];
  readonly #work: (bytes: Buffer) => Worked;
  bytesWritten = 0;

  constructor(work: (bytes: Buffer) => Worked) {
    super();
    this.#work = work;
  }

  override _transform(part: Buffer, _encoding: BufferEncoding, done: TransformCallback): void {
    this.#parts.push(part);
    done();
  }

  override _flush(done: TransformCallback): void {
    try {
      const { buffer, engine } = this.#work(Buffer.concat(this.#parts));
      this.bytesWritten = engine.bytesWritten;
      done(null, buffer);
    } catch (error) {
      done(error as Error);
    }
  }
}

function streamAtOnce(work: Work) {
  return (options: zlib.ZstdOptions): StreamAtOnce =>
    new StreamAtOnce((bytes) => work(bytes, { ...options, info: true }) as unknown as Worked);
}

const AT_ONCE = {
  zstdCompress: answerAtOnce(zlib.zstdCompressSync),
  zstdDecompress: answerAtOnce(zlib.zstdDecompressSync),
  createZstdCompress: streamAtOnce(zlib.zstdCompressSync),
  createZstdDecompress: streamAtOnce(zlib.zstdDecompressSync),
};
// Node lets some of them be defined anew but not assigned.
for (const [name, value] of Object.entries(AT_ONCE)) Object.defineProperty(zlib, name, { value });
syncBuiltinESMExports();
