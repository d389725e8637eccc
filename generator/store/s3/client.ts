import type * as Sdk from "@aws-sdk/client-s3";
import { boundBodies } from "./bounded.ts";
import type { Deadline } from "./deadline.ts";

/** What tests and unusual servers set; whatever is left out comes from the SDK's own variables and files, or from here. */
export interface S3Settings {
  /** http(s) address of a server other than AWS; else `AWS_ENDPOINT_URL_S3` or `AWS_ENDPOINT_URL`. */
  endpoint?: string;
  /** Else `AWS_REGION` or the profile's, else us-east-1. */
  region?: string;
  /** Else the SDK's own chain: variables, profile, container, machine. */
  credentials?: { accessKeyId: string; secretAccessKey: string };
  /** Least 1. Attempts the SDK makes at a request that gets no answer, a 5xx or SlowDown. */
  attemptsMax?: number;
  connectionTimeoutMilliseconds?: number;
  /** For one attempt, from its beginning to the head of its answer; and then for the body. Large bodies have longer. */
  requestTimeoutMilliseconds?: number;
  /** For a whole operation with all its attempts. Large bodies have longer. */
  deadlineMilliseconds?: number;
  /** Wait before another try of ours, the first time; each one after it waits twice as long. */
  retryDelayMilliseconds?: number;
  /** Largest object that is read into memory. */
  objectBytesMax?: number;
}

/** The SDK, loaded, and a client of it. */
export interface S3Client {
  sdk: typeof Sdk;
  client: Sdk.S3Client;
}

/** An operation under way on one key. */
export interface S3Request extends S3Client {
  deadline: Deadline;
  /** Bucket and key in it. */
  at: { Bucket: string; Key: string };
}

/**
 * Requests at the same time. Fewer than sockets: what waits, waits in our own queue, where no time-out runs and the SDK does
 * not warn.
 */
export const CONCURRENT_REQUESTS = 48;
const SOCKETS = 64;

const REGION_DEFAULT = "us-east-1";

/**
 * A check comes every minute and may read the cluster for 40 s of it. So a request that hangs is given up while a second
 * one still fits into the minute, and a store that hangs after half a minute: the next run repairs what this one left.
 */
export const S3_DEFAULTS = {
  attemptsMax: 5,
  connectionTimeoutMilliseconds: 3_000,
  requestTimeoutMilliseconds: 10_000,
  deadlineMilliseconds: 30_000,
  retryDelayMilliseconds: 100,
  objectBytesMax: 512 * 1024 * 1024,
} satisfies S3Settings;

/**
 * Loads the SDK (a tenth of a second and some 30 MB, which who keeps files does not pay) and makes a client of it. Does no
 * network I/O.
 *
 * Checksums are the SDK's own: it sends and checks CRC32 unless `AWS_REQUEST_CHECKSUM_CALCULATION` and
 * `AWS_RESPONSE_CHECKSUM_VALIDATION` are `when_required`, for servers that do not know them.
 */
export async function loadS3Client(settings: S3Settings): Promise<S3Client> {
  const sdk = await import("@aws-sdk/client-s3");
  const given = {
    ...(settings.endpoint !== undefined && { endpoint: settings.endpoint }),
    ...(settings.region !== undefined && { region: settings.region }),
    ...(settings.credentials !== undefined && { credentials: settings.credentials }),
  };
  const asConfigured = new sdk.S3Client(given).config;
  // eslint-disable-next-line @typescript-eslint/no-deprecated -- `credentials` would replace the SDK's whole chain of sources
  const { credentialDefaultProvider: findCredentials } = asConfigured;
  const endpoint = settings.endpoint ?? (await asConfigured.serviceConfiguredEndpoint?.());
  const client = new sdk.S3Client({
    ...given,
    // It throws when there is none; a server that is not AWS's mostly does not care.
    region: await asConfigured.region().catch(() => REGION_DEFAULT),
    // Other servers rarely have a host name for each bucket; AWS wants one.
    forcePathStyle: endpoint !== undefined,
    // Else a file of profiles is read once for the whole process, and keys that were replaced in it are never seen.
    // eslint-disable-next-line @typescript-eslint/no-deprecated -- as above
    credentialDefaultProvider: (init: object) => findCredentials({ ...init, ignoreCache: true }),
    maxAttempts: settings.attemptsMax ?? S3_DEFAULTS.attemptsMax,
    requestHandler: {
      connectionTimeout: settings.connectionTimeoutMilliseconds ?? S3_DEFAULTS.connectionTimeoutMilliseconds,
      requestTimeout: settings.requestTimeoutMilliseconds ?? S3_DEFAULTS.requestTimeoutMilliseconds,
      // Without it the SDK would only warn, and wait on.
      throwOnRequestTimeout: true,
      httpAgent: { maxSockets: SOCKETS },
      httpsAgent: { maxSockets: SOCKETS },
    },
  });
  boundBodies(client);
  return { sdk, client };
}
