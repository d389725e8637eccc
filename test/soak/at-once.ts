import { syncBuiltinESMExports } from "node:module";
import { Transform, type TransformCallback } from "node:stream";
import zlib from "node:zlib";

/* Node's compression, but synchronous: only the scheduler decides
   who runs next, and a seed tells one story. Import it first. */

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

/** Node's `info`: the bytes read say whether something followed the first frame. */
interface Worked {
  buffer: Buffer;
  engine: { bytesWritten: number };
}

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
// Some of these can be redefined but not assigned.
for (const [name, value] of Object.entries(AT_ONCE)) Object.defineProperty(zlib, name, { value });
syncBuiltinESMExports();
