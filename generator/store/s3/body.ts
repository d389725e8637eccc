import { Readable } from "node:stream";
import { S3Failure } from "./errors.ts";

interface Answer {
  body: unknown;
  /** Bytes, as its head says. */
  contentLength: number;
  /** Ends the reading. */
  signal: AbortSignal;
}

/**
 * The whole body of an answer, or an error: never a part of it.
 *
 * @throws {S3Failure} when the connection ends before the length that was promised, when the body does not fit the checksum
 * that came with it, or when its time is over. The system's error when the connection breaks.
 */
export async function readWholeBody({ body, contentLength, signal }: Answer): Promise<Buffer> {
  if (!(body instanceof Readable)) throw new S3Failure("IncompleteBody", "the answer has no body");
  const stop = () => body.destroy(new S3Failure("TimeoutError", "the body stalled (time-out)"));
  signal.addEventListener("abort", stop, { once: true });
  try {
    const chunks: Buffer[] = [];
    let bytes = 0;
    for await (const chunk of withNames(body)) {
      bytes += chunk.byteLength;
      if (bytes > contentLength) break;
      chunks.push(chunk);
    }
    if (bytes !== contentLength) throw new S3Failure("IncompleteBody", `${bytes} of ${contentLength} bytes came`);
    return Buffer.concat(chunks, bytes);
  } finally {
    signal.removeEventListener("abort", stop);
    body.destroy();
  }
}

/** The SDK's error about a checksum has no name of its own, unlike those of the system. */
async function* withNames(body: Readable): AsyncIterable<Buffer> {
  try {
    yield* body as AsyncIterable<Buffer>;
  } catch (error) {
    if (error instanceof Error && (error.name !== "Error" || "code" in error)) throw error;
    throw new S3Failure("DamagedBody", "DamagedBody, the bytes do not fit their checksum");
  }
}
