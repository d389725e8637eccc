import type { GetObjectCommandOutput, ListObjectsV2CommandOutput } from "@aws-sdk/client-s3";
import { Readable } from "node:stream";
import { setTimeout as wait } from "node:timers/promises";
import { isKey } from "../keys.ts";
import type { ObjectHead, StoredObject } from "../store.ts";
import type { S3Settings } from "./client.ts";
import { S3Failure } from "./errors.ts";

/** The slowest transfer that is waited for: 100 kB/s. */
const BYTES_PER_MILLISECOND_MIN = 100;

/** Our tries to read a body: the SDK retries only until the head of an answer. */
const TRIES_MAX = 3;

/** Most keys of a page, by S3. */
export const PAGE_KEYS = 1_000;

/**
 * Most pages in a row without a key of the store: some servers return empty pages for deleted keys.
 */
const BARREN_PAGES_MAX = 100;

/**
 * The time limit of one operation. `allow` prolongs it by the time that so many bytes may take;
 * `end` stops its timer.
 */
export interface Deadline {
  signal: AbortSignal;
  allow: (bytes: number) => void;
  end: () => void;
}

/** Starts a deadline, whose timer keeps no process alive. */
export function startDeadline(milliseconds: number): Deadline {
  const controller = new AbortController();
  let at = performance.now() + milliseconds;
  let timer = start();

  function start(): NodeJS.Timeout {
    return setTimeout(() => controller.abort(), at - performance.now()).unref();
  }

  return {
    signal: controller.signal,
    allow(bytes) {
      clearTimeout(timer);
      at += toTransferMilliseconds(bytes);
      timer = start();
    },
    end: () => clearTimeout(timer),
  };
}

/** Returns how long a transfer of so many bytes may take, at 100 kB/s. */
export function toTransferMilliseconds(bytes: number): number {
  return Math.ceil(bytes / BYTES_PER_MILLISECOND_MIN);
}

interface Retrieval {
  key: string;
  ask: () => Promise<GetObjectCommandOutput>;
  deadline: Deadline;
  settings: Required<
    Pick<S3Settings, "objectBytesMax" | "requestTimeoutMilliseconds" | "retryDelayMilliseconds">
  >;
}

/**
 * Reads a whole object. It retries a body that breaks off, stalls or is damaged, because a rebuild
 * reads thousands.
 * @throws the SDK's error, also for a missing object; {@link S3Failure}; the system's error for a
 * broken connection
 */
export async function getWhole({ key, ask, deadline, settings }: Retrieval): Promise<StoredObject> {
  for (let tries = 1; ; tries += 1) {
    const answer = await ask();
    const size = toLength(answer, settings.objectBytesMax);
    deadline.allow(size);
    const timeout = AbortSignal.timeout(
      settings.requestTimeoutMilliseconds + toTransferMilliseconds(size),
    );
    try {
      const body = await readBody(answer.Body, AbortSignal.any([deadline.signal, timeout]));
      const modifiedAt = answer.LastModified?.getTime() ?? null;
      return { key, etag: toEtag(answer.ETag), size, body, modifiedAt };
    } catch (error) {
      if (tries === TRIES_MAX || deadline.signal.aborted) throw error;
    }
    await wait(settings.retryDelayMilliseconds * 2 ** (tries - 1), undefined, {
      signal: deadline.signal,
    });
  }
}

/** Returns the announced length, which Node's HTTP then enforces. */
function toLength(
  { Body: body, ContentLength: length }: GetObjectCommandOutput,
  bytesMax: number,
): number {
  if (length !== undefined && length <= bytesMax) return length;
  if (body instanceof Readable) body.on("error", () => undefined).destroy();
  if (length === undefined)
    throw new S3Failure("InvalidAnswer", "the answer does not say its length");
  throw new S3Failure("EntityTooLarge", `it has ${length} bytes, more than ${bytesMax}`);
}

async function readBody(body: unknown, signal: AbortSignal): Promise<Buffer> {
  if (!(body instanceof Readable)) throw new S3Failure("InvalidAnswer", "the answer has no body");
  const stop = () => body.destroy(new S3Failure("TimeoutError", "the body stalled (time-out)"));
  signal.addEventListener("abort", stop, { once: true });
  try {
    return Buffer.concat(await Array.fromAsync(body as AsyncIterable<Buffer>));
  } catch (error) {
    // The SDK's error for a wrong checksum has no name of its own.
    if (error instanceof Error && error.name === "Error" && !("code" in error))
      throw new S3Failure("DamagedBody", "DamagedBody, the bytes do not match their checksum");
    throw error;
  } finally {
    signal.removeEventListener("abort", stop);
    body.destroy();
  }
}

/**
 * Normalises an ETag: some servers leave out the quotes or mark it weak.
 * @throws {S3Failure} when there is no ETag, since the server then is hardly a store
 */
export function toEtag(header: string | undefined): string {
  const value = /^(?:W\/)?"?([^"]+)"?$/.exec(header ?? "")?.[1];
  if (value === undefined)
    throw new S3Failure("InvalidAnswer", "the answer has no ETag: is this an S3 server?");
  return `"${value}"`;
}

interface Listing {
  /** Prefix of all keys of the store in the bucket. */
  root: string;
  /** Key after which the listing begins, relative to the root. */
  startAfter: string;
  fetchPage: (token: string | undefined) => Promise<ListObjectsV2CommandOutput>;
}

/**
 * Lists the objects below a prefix, page by page.
 * @throws {S3Failure} rather than return half a listing or another order, which the fold would take
 * for missing observations
 */
export async function* listPages({
  root,
  startAfter,
  fetchPage,
}: Listing): AsyncIterable<ObjectHead> {
  let last = startAfter;
  let token: string | undefined;
  let barrenPages = 0;
  do {
    const page = await fetchPage(token);
    barrenPages += 1;
    for (const { Key = "", ETag, Size } of page.Contents ?? []) {
      const key = Key.slice(root.length);
      if (!Key.startsWith(root) || !isKey(key)) continue;
      if (key <= last) throw toInvalid(`${key} is listed after ${last}: not in the order of bytes`);
      if (Size === undefined) throw toInvalid(`${key} is listed without its size`);
      last = key;
      barrenPages = 0;
      yield { key, etag: toEtag(ETag), size: Size };
    }
    token = toNextToken(page, token);
    if (barrenPages === BARREN_PAGES_MAX)
      throw toInvalid(
        `${BARREN_PAGES_MAX} pages of it have no object of this store: give it a prefix where nothing else lies`,
      );
  } while (token !== undefined);
}

function toNextToken(
  page: ListObjectsV2CommandOutput,
  before: string | undefined,
): string | undefined {
  // The SDK parses a login page, for example, as an empty listing without this field.
  if (page.IsTruncated === undefined) throw toInvalid("the answer is no listing");
  if (!page.IsTruncated) return undefined;
  const token = page.NextContinuationToken;
  if (token === undefined || token === "" || token === before)
    throw toInvalid("the listing is truncated and does not say where it goes on");
  return token;
}

function toInvalid(message: string): S3Failure {
  return new S3Failure("InvalidListing", message);
}
