import { promisify } from "node:util";
import { brotliCompress, constants, gzip } from "node:zlib";
import { LRUCache } from "lru-cache";
import pLimit from "p-limit";
import { toVariant, type Answer, type Compression, type Representation } from "../answer.ts";
import { createPlace, MEMORY, toSize } from "./memory.ts";
import type { Context } from "./store.ts";

/**
 * A longer answer is compressed when it is first asked for: lists of events have hundreds of KB.
 */
const LONG_MIN_BYTES = 64 * 1024;
/** Half of the threads that zlib shares with file reads. */
const RUNNING_MAX = 2;
/** Compressions that may wait: whoever comes later gets the plain answer. */
const WAITING_MAX = 256;
const WANTED_MAX = 1_024;

export type Variants = ReturnType<typeof createVariants>;

export const NO_VARIANTS: Variants = {
  get: () => undefined,
  want: () => undefined,
  make: () => Promise.resolve(),
};

/**
 * Keeps variants by content, so that they outlive a snapshot;
 * makes them in the background, of short answers when asked twice.
 */
export function createVariants(
  { log, onPlace }: Pick<Context, "log" | "onPlace">,
  maxBytes = MEMORY.variantsMaxBytes,
) {
  const kept = createPlace<Representation>("variants", maxBytes, onPlace);
  const wantedBefore = new LRUCache<string, true>({ max: WANTED_MAX });
  const limit = pLimit(RUNNING_MAX);
  const running = new Map<string, Promise<void>>();

  async function make(answer: Answer, coding: Compression): Promise<void> {
    const key = answer.etag + coding;
    if (!answer.content.varies || kept.has(key) || limit.pendingCount >= WAITING_MAX) return;
    const made = running.get(key) ?? limit(() => compress(answer, coding, key));
    running.set(key, made);
    await made;
  }

  async function compress(answer: Answer, coding: Compression, key: string): Promise<void> {
    try {
      // A copy: zlib returns a piece of a 16 KB buffer, which would be kept whole.
      const body = Buffer.from(new Uint8Array(await COMPRESS[coding](answer.body)).buffer);
      kept.set(key, toVariant(answer, coding, body), toSize(body.byteLength));
    } catch (error) {
      log({
        level: "warn",
        message: `cannot compress an answer with ${coding}, it is sent as it is`,
        error,
      });
    } finally {
      running.delete(key);
    }
  }

  return {
    get: ({ etag }: Answer, coding: Compression) => kept.get(etag + coding),
    want(answer: Answer, coding: Compression): void {
      const isWorthIt = wantedBefore.has(answer.etag) || answer.body.byteLength >= LONG_MIN_BYTES;
      wantedBefore.set(answer.etag, true);
      // No queue: a popular answer is asked for again.
      if (isWorthIt && running.size < RUNNING_MAX) void make(answer, coding);
    },
    make,
  };
}

/**
 * Measured: br 9 takes 14 times as long as br 5 for 2 %
 * less, gzip 9 a tenth longer than gzip 6 for 1 % less.
 */
const BROTLI = {
  [constants.BROTLI_PARAM_QUALITY]: 5,
  [constants.BROTLI_PARAM_MODE]: constants.BROTLI_MODE_TEXT,
};
const brotli = promisify(brotliCompress);
const COMPRESS: Record<Compression, (body: Buffer) => Promise<Buffer>> = {
  br: (body) => brotli(body, { params: BROTLI }),
  gzip: promisify<Buffer, Buffer>(gzip),
};
