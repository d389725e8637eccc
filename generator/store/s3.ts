import pLimit from "p-limit";
import { parseS3Address } from "../contract/s3-address.ts";
import { assertKey, assertPrefix } from "./keys.ts";
import { CONCURRENT_REQUESTS, S3_DEFAULTS, type S3Request, type S3Settings } from "./s3/client.ts";
import { createConnection } from "./s3/connection.ts";
import { createIfAbsent } from "./s3/create.ts";
import { startDeadline } from "./s3/deadline.ts";
import { codeOf, S3Failure, statusOf, toFailure } from "./s3/errors.ts";
import { toEtag } from "./s3/etag.ts";
import { getWhole } from "./s3/get.ts";
import { listPages, PAGE_KEYS } from "./s3/list.ts";
import { sendPut } from "./s3/put.ts";
import { DamagedObjectError, StoreError, type ObjectStore, type StoredObject, type Unchanged } from "./store.ts";

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
  const limits = { ...S3_DEFAULTS, ...settings };
  const limit = pLimit(CONCURRENT_REQUESTS);
  const connection = createConnection(settings);
  let bucketWasSeen = false;

  function run<Result>(operation: string, key: string, work: (request: S3Request) => Promise<Result>): Promise<Result> {
    return limit(async () => {
      const deadline = startDeadline(limits.deadlineMilliseconds);
      try {
        const at = { Bucket: bucket, Key: root + key };
        const result = await work({ ...(await connection.client()), deadline, at });
        bucketWasSeen = true;
        return result;
      } catch (error) {
        connection.heed(error);
        const failure = toFailure(error, deadline.signal.aborted);
        throw failure.code === "DamagedBody"
          ? new DamagedObjectError(name, operation, key, failure)
          : new StoreError(name, operation, key, failure);
      } finally {
        deadline.end();
      }
    });
  }

  async function getIfPresent(
    { client, sdk, at, deadline }: S3Request,
    key: string,
    condition: { IfNoneMatch?: string } = {},
  ): Promise<StoredObject | null> {
    const ask = () => client.send(new sdk.GetObjectCommand({ ...at, ...condition }), { abortSignal: deadline.signal });
    try {
      return await getWhole({ key, ask, deadline, settings: limits });
    } catch (error) {
      if (isMissingKey(error)) return null;
      throw error;
    }
  }

  async function getUnlessKnown(
    request: S3Request,
    key: string,
    knownEtag: string,
  ): Promise<StoredObject | Unchanged | null> {
    try {
      const object = await getIfPresent(request, key, { IfNoneMatch: knownEtag });
      // Not every server knows conditions.
      return object?.etag === knownEtag ? "unchanged" : object;
    } catch (error) {
      // The SDK takes every status over 299 for an error.
      if (statusOf(error) === 304) return "unchanged";
      throw error;
    }
  }

  /** A 404 to HEAD has no body that could say what is missing. Asked until something was found in the bucket once. */
  async function assertBucket({ sdk, client, deadline }: S3Request): Promise<void> {
    if (bucketWasSeen) return;
    try {
      await client.send(new sdk.HeadBucketCommand({ Bucket: bucket }), { abortSignal: deadline.signal });
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
        const send = () => sendPut(request, body, options, limits.requestTimeoutMilliseconds);
        if (options.expect === "any") return send();
        const read = () => getIfPresent(request, key);
        const { retryDelayMilliseconds } = limits;
        return createIfAbsent({ body, send, read, retryDelayMilliseconds, signal: request.deadline.signal });
      });
    },

    async get(key) {
      assertKey(name, "get", key);
      return run("get", key, (request) => getIfPresent(request, key));
    },

    async getIfChanged(key, knownEtag) {
      assertKey(name, "get", key);
      return run("get", key, (request) =>
        knownEtag === null ? getIfPresent(request, key) : getUnlessKnown(request, key, knownEtag),
      );
    },

    async head(key) {
      assertKey(name, "head", key);
      return run("head", key, async (request) => {
        try {
          const { client, sdk, at, deadline } = request;
          const answer = await client.send(new sdk.HeadObjectCommand(at), { abortSignal: deadline.signal });
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
        run("list", prefix, ({ sdk, client, deadline }) => {
          const from = token === undefined ? { StartAfter: root + startAfter } : { ContinuationToken: token };
          const page = { Bucket: bucket, Prefix: root + prefix, MaxKeys: PAGE_KEYS };
          const command = new sdk.ListObjectsV2Command(
            startAfter === "" && token === undefined ? page : { ...page, ...from },
          );
          return client.send(command, { abortSignal: deadline.signal });
        });
      try {
        yield* listPages({ root, startAfter, fetchPage });
      } catch (error) {
        throw error instanceof S3Failure ? new StoreError(name, "list", prefix, error) : error;
      }
    },

    async delete(key) {
      assertKey(name, "delete", key);
      await run("delete", key, async ({ sdk, client, deadline, at }) => {
        try {
          await client.send(new sdk.DeleteObjectCommand(at), { abortSignal: deadline.signal });
        } catch (error) {
          if (!isMissingKey(error)) throw error;
        }
      });
    },
  };
}

/** A 404 also says that there is no such bucket, or comes from whatever else stands at that address. */
function isMissingKey(error: unknown): boolean {
  return statusOf(error) === 404 && codeOf(error) === "NoSuchKey";
}
