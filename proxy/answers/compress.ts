import { promisify } from "node:util";
import { brotliCompress, constants, gzip } from "node:zlib";
import { LRUCache } from "lru-cache";
import { MEMORY, type OnPlace } from "../memory.ts";
import type { Log } from "../log/entry.ts";
import { toVariant, type Answer, type Compression, type Representation } from "./answer.ts";

/** A longer answer is worth its compression though only one more should ask for it: a list of events has hundreds of KB. */
const LONG_MIN_BYTES = 64 * 1024;
/** Compressed at a time: half of the threads that zlib shares with the reading of files. */
const RUNNING_MAX = 2;

interface VariantsOptions {
  log: Log;
  /** Kept of each coding, over all networks, snapshots and documents. */
  maxBytes?: number;
  onPlace?: OnPlace;
}

/** The compressed variants of the answers that repeat. */
export interface Variants {
  /** The variant, if it is at hand. */
  get(answer: Answer, compression: Compression): Representation | undefined;
  /** Says that a variant was wanted that is not at hand. It is made in the background: from the second time on, if it is short. */
  want(answer: Answer, compression: Compression): void;
}

/**
 * Keeps compressed variants by the content they were made of: they outlive the answer if the next snapshot has the same
 * bytes, else they are the first to be pushed out. Nobody waits for one, and what is short and asked for once is not compressed.
 */
export function createVariants({ log, maxBytes = MEMORY.variantsMaxBytes, onPlace }: VariantsOptions): Variants {
  const kept = { br: keepVariants(maxBytes), gzip: keepVariants(maxBytes) };
  for (const variants of Object.values(kept))
    onPlace?.({ name: "variants", maxBytes, getBytes: () => variants.calculatedSize });
  const wantedBefore = new WeakSet<Answer>();
  const running = new Set<string>();

  async function make(answer: Answer, compression: Compression, name: string): Promise<void> {
    running.add(name);
    try {
      // A copy of just its size: zlib hands over a piece of a buffer of 16 KB, all of which would be kept.
      const body = new Uint8Array(await COMPRESS[compression](answer.body));
      kept[compression].set(answer.etag, toVariant(answer, compression, body));
    } catch (error) {
      log({ level: "warn", message: `cannot compress an answer with ${compression}, it is sent as it is`, error });
    } finally {
      running.delete(name);
    }
  }

  return {
    get: (answer, compression) => kept[compression].get(answer.etag),
    want(answer, compression) {
      const isWorthIt = wantedBefore.has(answer) || answer.body.byteLength >= LONG_MIN_BYTES;
      if (!isWorthIt) return void wantedBefore.add(answer);
      const name = `${answer.etag} ${compression}`;
      // Not queued: an answer worth compressing is asked for again.
      if (running.size < RUNNING_MAX && !running.has(name)) void make(answer, compression, name);
    },
  };
}

function keepVariants(maxSize: number) {
  return new LRUCache<string, Representation>({
    maxSize,
    sizeCalculation: ({ body }) => MEMORY.entryBytes + body.byteLength,
  });
}

const toBrotli = promisify(brotliCompress);
const toGzip = promisify(gzip);

/**
 * Levels by measurement: a list page of 34 KB becomes 6.3 KB with br 5 in 0.6 ms and 6.6 KB with gzip 6 in 0.4 ms. br 9
 * takes 14 times as long and gzip 9 a tenth longer, for 2 and 1 % less; zstd, at every level, makes no less of it than br 5.
 */
const COMPRESS: Record<Compression, (body: Uint8Array) => Promise<Buffer>> = {
  br: (body) =>
    toBrotli(body, {
      params: {
        [constants.BROTLI_PARAM_QUALITY]: 5,
        [constants.BROTLI_PARAM_MODE]: constants.BROTLI_MODE_TEXT,
        [constants.BROTLI_PARAM_SIZE_HINT]: body.byteLength,
      },
    }),
  gzip: (body) => toGzip(body, { level: 6 }),
};
