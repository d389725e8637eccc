import pLimit from "p-limit";
import { parseS3Address } from "../contract/s3-address.ts";
import { assertKey, assertPrefix } from "./keys.ts";
import { readWholeBody } from "./s3-body.ts";
import { CONCURRENT_REQUESTS, loadS3Client, S3_DEFAULTS, type S3Client, type S3Settings } from "./s3-client.ts";
import { createIfAbsent } from "./s3-create.ts";
import { codeOf, S3Failure, statusOf, toFailure } from "./s3-errors.ts";
import { toEtag } from "./s3-etag.ts";
import { listPages, PAGE_KEYS } from "./s3-list.ts";
import { StoreError, type ObjectStore, type PutOptions, type StoredObject } from "./store.ts";

interface Request extends S3Client {
  /** Ends the operation when its time is over. */
  signal: AbortSignal;
  /** Bucket and key in it. */
  at: { Bucket: string; Key: string };
}

/**
 * A bucket, or what lies below a prefix in it, as a store: AWS S3 and what speaks its protocol. Keys are relative to the
 * prefix. Whoever calls may call as often as it likes: requests wait for each other here.
 *
 * Loads the SDK and looks for settings and credentials with the first operation. Keeps no process alive: idle sockets do not
 * count.
 *
 * @param url `s3://BUCKET` or `s3://BUCKET/PREFIX`.
 * @throws {Error} when the address is none, see {@link parseS3Address}.
 */
export function openS3Store(url: string, settings: S3Settings = {}): ObjectStore {
  const { bucket, prefix: root } = parseS3Address(url);
  const name = `s3://${bucket}/${root}`.replace(/\/$/, "");
  const { deadlineMilliseconds, conflictDelayMilliseconds, objectBytesMax } = { ...S3_DEFAULTS, ...settings };
  const limit = pLimit(CONCURRENT_REQUESTS);
  let connection: Promise<S3Client> | undefined;
  let bucketWasSeen = false;

  function run<Result>(operation: string, key: string, work: (request: Request) => Promise<Result>): Promise<Result> {
    return limit(async () => {
      const signal = AbortSignal.timeout(deadlineMilliseconds);
      try {
        connection ??= loadS3Client(settings);
        const result = await work({ ...(await connection), signal, at: { Bucket: bucket, Key: root + key } });
        bucketWasSeen = true;
        return result;
      } catch (error) {
        throw new StoreError(name, operation, key, toFailure(error, signal.aborted));
      }
    });
  }

  /** A 404 to HEAD has no body that could say what is missing. Asked until something was found in the bucket once. */
  async function assertBucket({ sdk, client, signal }: Request): Promise<void> {
    if (bucketWasSeen) return;
    try {
      await client.send(new sdk.HeadBucketCommand({ Bucket: bucket }), { abortSignal: signal });
    } catch (error) {
      if (statusOf(error) === 404)
        throw new S3Failure("NoSuchBucket", "NoSuchBucket, HTTP 404, there is no such bucket");
      // Who may read objects need not be allowed to ask for the bucket.
      if (statusOf(error) !== 403) throw error;
    }
  }

  return {
    name,

    async put(key, body, options) {
      assertKey(name, "put", key);
      return run("put", key, (request) => {
        const send = () => sendPut(request, body, options);
        if (options.expect === "any") return send();
        const read = () => getWhole(request, key, objectBytesMax);
        return createIfAbsent({ body, send, read, conflictDelayMilliseconds, signal: request.signal });
      });
    },

    async get(key) {
      assertKey(name, "get", key);
      return run("get", key, (request) => getWhole(request, key, objectBytesMax));
    },

    async head(key) {
      assertKey(name, "head", key);
      return run("head", key, async (request) => {
        try {
          const { client, sdk, at, signal } = request;
          const answer = await client.send(new sdk.HeadObjectCommand(at), { abortSignal: signal });
          if (answer.ContentLength === undefined)
            throw new S3Failure("InvalidAnswer", "the answer does not say the size");
          return { key, etag: toEtag(answer.ETag), size: answer.ContentLength };
        } catch (error) {
          if (statusOf(error) !== 404) throw error;
          await assertBucket(request);
          return null;
        }
      });
    },

    async *list(prefix, { startAfter = "" } = {}) {
      assertPrefix(name, prefix);
      const fetchPage = (token: string | undefined) =>
        run("list", prefix, ({ sdk, client, signal }) => {
          const from = token === undefined ? { StartAfter: root + startAfter } : { ContinuationToken: token };
          const page = { Bucket: bucket, Prefix: root + prefix, MaxKeys: PAGE_KEYS };
          const command = new sdk.ListObjectsV2Command(
            startAfter === "" && token === undefined ? page : { ...page, ...from },
          );
          return client.send(command, { abortSignal: signal });
        });
      try {
        yield* listPages({ root, startAfter, fetchPage });
      } catch (error) {
        throw error instanceof S3Failure ? new StoreError(name, "list", prefix, error) : error;
      }
    },

    async delete(key) {
      assertKey(name, "delete", key);
      await run("delete", key, async ({ sdk, client, signal, at }) => {
        try {
          await client.send(new sdk.DeleteObjectCommand(at), { abortSignal: signal });
        } catch (error) {
          if (!isMissingKey(error)) throw error;
        }
      });
    },
  };
}

async function sendPut({ sdk, client, signal, at }: Request, body: Uint8Array, options: PutOptions) {
  const command = new sdk.PutObjectCommand({
    ...at,
    // Bytes and their length, never a stream: that would go up in chunks, which many servers do not understand.
    Body: body,
    ContentLength: body.byteLength,
    ContentType: options.contentType,
    ...(options.cacheControl !== undefined && { CacheControl: options.cacheControl }),
    ...(options.expect === "absent" && { IfNoneMatch: "*" }),
  });
  const { ETag } = await client.send(command, { abortSignal: signal });
  return { etag: toEtag(ETag) };
}

async function getWhole(
  { sdk, client, signal, at }: Request,
  key: string,
  bytesMax: number,
): Promise<StoredObject | null> {
  try {
    const answer = await client.send(new sdk.GetObjectCommand(at), { abortSignal: signal });
    const body = await readWholeBody({ body: answer.Body, contentLength: answer.ContentLength, bytesMax, signal });
    return { key, etag: toEtag(answer.ETag), size: body.byteLength, body };
  } catch (error) {
    if (isMissingKey(error)) return null;
    throw error;
  }
}

/** A 404 also says that there is no such bucket, or comes from whatever else stands at that address. */
function isMissingKey(error: unknown): boolean {
  return statusOf(error) === 404 && codeOf(error) === "NoSuchKey";
}
