import { pipeline, type Readable } from "node:stream";
import { createGunzip } from "node:zlib";
import { RpcError } from "./error.ts";

const GZIP_NAMES = new Set(["gzip", "x-gzip"]);
/** Told by name; any other name is a stranger's text. */
const OTHER_NAMES = new Set(["br", "compress", "deflate", "zstd"]);
/** Large pieces: what is done for each costs more than the unpacking. */
const PIECE_BYTES = 256 * 1024;

/**
 * A body as it was before it was packed for the way (RFC 9110 §8.4). Only gzip is ever asked for.
 * @throws {RpcError} `body` for any other packing, and while reading, when it is not packed as it says or is cut
 */
export function unpack(body: Readable, encoding: string | string[] | undefined): AsyncIterable<Uint8Array> {
  const name = String(encoding ?? "")
    .trim()
    .toLowerCase();
  if (name === "" || name === "identity") return body;
  if (!GZIP_NAMES.has(name)) {
    const way = OTHER_NAMES.has(name) ? `as ${name}` : "in an unknown way";
    throw new RpcError({ kind: "body", message: `the answer is packed ${way}, and was not asked to be` });
  }
  return readUnpacked(body);
}

async function* readUnpacked(body: Readable): AsyncGenerator<Uint8Array> {
  // The callback is required; the error it is given also ends the iteration over the result, and is handled there.
  const unpacked = pipeline(body, createGunzip({ chunkSize: PIECE_BYTES }), () => undefined);
  try {
    yield* unpacked as AsyncIterable<Uint8Array>;
  } catch (error) {
    const isPackError = error instanceof Error && "code" in error && String(error.code).startsWith("Z_");
    if (!isPackError) throw error;
    throw new RpcError({ kind: "body", message: "the packed answer is cut or not packed as it says" });
  }
}
