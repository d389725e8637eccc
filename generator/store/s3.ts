import { setTimeout as wait } from "node:timers/promises";
import pLimit from "p-limit";
import { parseS3Address } from "../contract/s3-address.ts";
import { assertKey, assertPrefix } from "./keys.ts";
import {
  getWhole,
  listPages,
  PAGE_KEYS,
  startDeadline,
  toEtag,
  toTransferMilliseconds,
  type Deadline,
} from "./s3/answers.ts";
import {
  CONCURRENT_REQUESTS,
  createConnection,
  S3_DEFAULTS,
  type S3Client,
  type S3Settings,
} from "./s3/client.ts";
import { attemptsOf, codeOf, S3Failure, statusOf, toFailure } from "./s3/errors.ts";
import {
  DamagedObjectError,
  StoreError,
  type ObjectStore,
  type PutOptions,
  type StoredObject,
} from "./store.ts";

const CREATE_TRIES_MAX = 5;

interface S3Request extends S3Client {
  deadline: Deadline;
  at: { Bucket: string; Key: string };
}

/**
 * Opens a store in AWS S3 or another server with its protocol. It queues requests, so callers may
 * make any number at once. It loads the SDK and looks for credentials with the first operation, and
 * keeps no process alive.
 * @throws {Error} unless `url` is `s3://BUCKET` or `s3://BUCKET/PREFIX`
 */
export function openS3Store(url: string, settings: S3Settings = {}): ObjectStore {
  const { bucket, prefix: root } = parseS3Address(url);
  const name = `s3://${bucket}/${root}`.replace(/\/$/, "");
  const limits = { ...S3_DEFAULTS, ...settings };
  const limit = pLimit(CONCURRENT_REQUESTS);
  const connection = createConnection(settings);
  let bucketWasSeen = false;

  function request<Result>(
    operation: string,
    key: string,
    work: (request: S3Request) => Promise<Result>,
  ): Promise<Result> {
    return limit(async () => {
      const deadline = startDeadline(limits.deadlineMilliseconds);
      try {
        const at = { Bucket: bucket, Key: root + key };
        const result = await work({ ...(await connection.client()), deadline, at });
        bucketWasSeen = true;
        return result;
      } catch (error) {
        connection.renewAfter(error);
        const failure = toFailure(error, deadline.signal.aborted);
        throw failure.code === "DamagedBody"
          ? new DamagedObjectError(name, operation, key, failure)
          : new StoreError(name, operation, key, failure);
      } finally {
        deadline.end();
      }
    });
  }

  async function run<Result>(
    operation: string,
    key: string,
    work: (request: S3Request) => Promise<Result>,
  ): Promise<Result> {
    assertKey(name, operation, key);
    return request(operation, key, work);
  }

  async function send(
    { sdk, client, at, deadline }: S3Request,
    body: Uint8Array,
    { expect, contentType, cacheControl }: PutOptions,
  ): Promise<{ etag: string }> {
    const command = new sdk.PutObjectCommand({
      ...at,
      // A stream would be sent in chunks, which many servers do not support.
      Body: body,
      ContentLength: body.byteLength,
      ContentType: contentType,
      CacheControl: cacheControl,
      IfNoneMatch: expect === "absent" ? "*" : undefined,
    });
    deadline.allow(body.byteLength);
    const { ETag } = await client.send(command, {
      abortSignal: deadline.signal,
      requestTimeout: limits.requestTimeoutMilliseconds + toTransferMilliseconds(body.byteLength),
    });
    return { etag: toEtag(ETag) };
  }

  /**
   * Creates an object; null: the key exists.
   * - 412: the key exists, perhaps by our own write whose answer was lost; then the bytes are
   * equal. Equal bytes of another writer do no harm: names hold the content's hash, and a lease
   * names its holder.
   * - 409: someone else is writing the key; the next try shows who won.
   * On file systems `a/b` can never be written while `a` is an object.
   */
  async function create(
    asked: S3Request,
    key: string,
    body: Uint8Array,
    options: PutOptions,
  ): Promise<{ etag: string } | null> {
    let attempts = 0;
    for (let tries = 1; ; tries += 1) {
      try {
        return await send(asked, body, options);
      } catch (error) {
        attempts += attemptsOf(error);
        if (statusOf(error) === 412) {
          const found = attempts > 1 ? await getIfPresent(asked, key) : null;
          return found !== null && Buffer.compare(found.body, body) === 0
            ? { etag: found.etag }
            : null;
        }
        if (codeOf(error) !== "ConditionalRequestConflict" || tries === CREATE_TRIES_MAX)
          throw error;
      }
      const { signal } = asked.deadline;
      await wait(limits.retryDelayMilliseconds * 2 ** (tries - 1), undefined, { signal });
    }
  }

  async function getIfPresent(
    { client, sdk, at, deadline }: S3Request,
    key: string,
    condition: { IfNoneMatch?: string } = {},
  ): Promise<StoredObject | null> {
    const ask = () =>
      client.send(new sdk.GetObjectCommand({ ...at, ...condition }), {
        abortSignal: deadline.signal,
      });
    try {
      return await getWhole({ key, ask, deadline, settings: limits });
    } catch (error) {
      if (isMissingKey(error)) return null;
      throw error;
    }
  }

  /** Checks that the bucket exists, because a 404 to HEAD has no body to say what is missing. */
  async function assertBucket({ sdk, client, deadline }: S3Request): Promise<void> {
    if (bucketWasSeen) return;
    try {
      await client.send(new sdk.HeadBucketCommand({ Bucket: bucket }), {
        abortSignal: deadline.signal,
      });
    } catch (error) {
      if (statusOf(error) === 404)
        throw new S3Failure("NoSuchBucket", "NoSuchBucket, HTTP 404, there is no such bucket");
      if (statusOf(error) !== 403) throw error;
    }
  }

  return {
    name,

    put: (key, body, options) =>
      run("put", key, (asked) =>
        options.expect === "any" ? send(asked, body, options) : create(asked, key, body, options),
      ),

    get: (key) => run("get", key, (asked) => getIfPresent(asked, key)),

    getIfChanged: (key, knownEtag) =>
      run("get", key, async (asked) => {
        if (knownEtag === null) return getIfPresent(asked, key);
        try {
          const object = await getIfPresent(asked, key, { IfNoneMatch: knownEtag });
          // Not every server supports conditional requests.
          return object?.etag === knownEtag ? "unchanged" : object;
        } catch (error) {
          // The SDK treats every status over 299 as an error.
          if (statusOf(error) === 304) return "unchanged";
          throw error;
        }
      }),

    head: (key) =>
      run("head", key, async (asked) => {
        const { client, sdk, at, deadline } = asked;
        try {
          const answer = await client.send(new sdk.HeadObjectCommand(at), {
            abortSignal: deadline.signal,
          });
          if (answer.ContentLength === undefined)
            throw new S3Failure("InvalidAnswer", "the answer does not say the size");
          return { key, etag: toEtag(answer.ETag), size: answer.ContentLength };
        } catch (error) {
          if (statusOf(error) !== 404) throw error;
          await assertBucket(asked);
          return null;
        }
      }),

    async *list(prefix, { startAfter = "" } = {}) {
      assertPrefix(name, prefix);
      const fetchPage = (token: string | undefined) =>
        request("list", prefix, ({ sdk, client, deadline }) => {
          const command = new sdk.ListObjectsV2Command({
            Bucket: bucket,
            Prefix: root + prefix,
            MaxKeys: PAGE_KEYS,
            ContinuationToken: token,
            StartAfter: token === undefined && startAfter !== "" ? root + startAfter : undefined,
          });
          return client.send(command, { abortSignal: deadline.signal });
        });
      try {
        yield* listPages({ root, startAfter, fetchPage });
      } catch (error) {
        throw error instanceof S3Failure ? new StoreError(name, "list", prefix, error) : error;
      }
    },

    delete: (key) =>
      run("delete", key, async ({ sdk, client, deadline, at }) => {
        try {
          await client.send(new sdk.DeleteObjectCommand(at), { abortSignal: deadline.signal });
        } catch (error) {
          if (!isMissingKey(error)) throw error;
        }
      }),
  };
}

/**
 * Whether only the object is missing: 404 may also mean a missing bucket, or a server that is no
 * store.
 */
function isMissingKey(error: unknown): boolean {
  return statusOf(error) === 404 && codeOf(error) === "NoSuchKey";
}
