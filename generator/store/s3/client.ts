import type * as Sdk from "@aws-sdk/client-s3";
import { Readable } from "node:stream";
import { codeOf, S3Failure, statusOf } from "./errors.ts";

/** Settings of a client. Those left out come from the SDK's own variables and files. */
export interface S3Settings {
  /** Default: `AWS_ENDPOINT_URL_S3` or `AWS_ENDPOINT_URL`. */
  endpoint?: string;
  /** Default: `AWS_REGION`, the profile's, or us-east-1. */
  region?: string;
  credentials?: { accessKeyId: string; secretAccessKey: string };
  /** Attempts of the SDK after no answer, a 5xx or SlowDown. */
  attemptsMax?: number;
  connectionTimeoutMilliseconds?: number;
  /**
   * Longest time of an attempt until the head of its answer, and again for the body; large bodies
   * get more.
   */
  requestTimeoutMilliseconds?: number;
  /** Longest time of all attempts; large bodies get more. */
  deadlineMilliseconds?: number;
  /** First wait between our own tries; each further one doubles. */
  retryDelayMilliseconds?: number;
  /** Longest object that is read. */
  objectBytesMax?: number;
}

/** The SDK, loaded, and a client of it. */
export interface S3Client {
  sdk: typeof Sdk;
  client: Sdk.S3Client;
}

/**
 * Requests at a time. Fewer than sockets, so that no time-out runs while a request waits for one.
 */
export const CONCURRENT_REQUESTS = 48;
const SOCKETS = 64;

const REGION_DEFAULT = "us-east-1";

/**
 * Defaults. A check may take 40 s, so a hanging request must fail early enough for a second one,
 * and a hanging store after half a minute.
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
 * Longest page of a listing: 1,000 of the longest keys are 1.4 MB. The SDK parses it in one go: a
 * page of this length made to be slow takes a second or two, one of 8 MB eleven.
 */
const PAGE_BYTES_MAX = 2 * 1024 * 1024;
/** Longest body of errors and other short answers. */
const MESSAGE_BYTES_MAX = 64 * 1024;

const REFUSED_STATUSES = new Set([401, 403]);
const REFUSED_CODES = new Set([
  "CredentialsProviderError",
  "ExpiredToken",
  "InvalidToken",
  "TokenRefreshRequired",
]);

/** Holds the client of a store. */
export interface Connection {
  client: () => Promise<S3Client>;
  /** Lets the next request use a new client, if that may help after this error. */
  renewAfter: (error: unknown) => void;
}

/**
 * Makes a connection. The SDK caches keys from a file for ever; a new client after a refusal reads
 * them again, so replacing the file needs no restart.
 */
export function createConnection(settings: S3Settings): Connection {
  let loading: Promise<S3Client> | undefined;
  return {
    async client() {
      loading ??= loadClient(settings);
      try {
        return await loading;
      } catch (error) {
        // The file of profiles may have been half written.
        loading = undefined;
        throw error;
      }
    },
    renewAfter(error) {
      if (REFUSED_STATUSES.has(statusOf(error) ?? 0) || REFUSED_CODES.has(codeOf(error)))
        loading = undefined;
    },
  };
}

/**
 * Loads the SDK, which takes 0.1 s and 30 MB that a file store need not spend. The client sends and
 * checks CRC32 unless `AWS_REQUEST_CHECKSUM_CALCULATION` and `AWS_RESPONSE_CHECKSUM_VALIDATION` are
 * `when_required`.
 */
async function loadClient(settings: S3Settings): Promise<S3Client> {
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
    // The SDK throws without a region; most other servers ignore it.
    region: await asConfigured.region().catch(() => REGION_DEFAULT),
    // Servers other than AWS rarely have a host name for each bucket.
    forcePathStyle: endpoint !== undefined,
    // Otherwise the SDK reads a file of profiles once for the whole process, and keys replaced in
    // it are never seen.
    // eslint-disable-next-line @typescript-eslint/no-deprecated -- as above
    credentialDefaultProvider: (init: object) => findCredentials({ ...init, ignoreCache: true }),
    maxAttempts: settings.attemptsMax ?? S3_DEFAULTS.attemptsMax,
    requestHandler: {
      connectionTimeout:
        settings.connectionTimeoutMilliseconds ?? S3_DEFAULTS.connectionTimeoutMilliseconds,
      requestTimeout: settings.requestTimeoutMilliseconds ?? S3_DEFAULTS.requestTimeoutMilliseconds,
      // Otherwise the SDK only warns and goes on waiting.
      throwOnRequestTimeout: true,
      httpAgent: { maxSockets: SOCKETS },
      httpsAgent: { maxSockets: SOCKETS },
    },
  });
  boundBodies(client);
  return { sdk, client };
}

/** Bounds the bodies of listings and errors, which the SDK collects whole, however long. */
function boundBodies(client: Sdk.S3Client): void {
  client.middlewareStack.add(
    (next, context) => async (request) => {
      const answer = await next(request);
      if (isHttpAnswer(answer.response)) boundBody(answer.response, String(context["commandName"]));
      return answer;
    },
    // Runs right before the parser.
    { name: "boundBodies", step: "deserialize", priority: "low" },
  );
}

interface HttpAnswer {
  statusCode: number;
  body: unknown;
}

function isHttpAnswer(response: unknown): response is HttpAnswer {
  return (
    typeof response === "object" &&
    response !== null &&
    "statusCode" in response &&
    "body" in response
  );
}

function boundBody(answer: HttpAnswer, command: string): void {
  const { body, statusCode } = answer;
  const isSuccess = statusCode >= 200 && statusCode <= 299;
  if (!(body instanceof Readable) || (isSuccess && command === "GetObjectCommand")) return;
  const bytesMax =
    isSuccess && command === "ListObjectsV2Command" ? PAGE_BYTES_MAX : MESSAGE_BYTES_MAX;
  const tooLong = `the answer, HTTP ${statusCode}, is longer than ${bytesMax} bytes`;
  answer.body = Readable.from(upTo(body, bytesMax, tooLong), { objectMode: false });
}

async function* upTo(
  body: AsyncIterable<Buffer>,
  bytesMax: number,
  tooLong: string,
): AsyncGenerator<Buffer> {
  let bytes = 0;
  for await (const chunk of body) {
    bytes += chunk.byteLength;
    if (bytes > bytesMax) throw new S3Failure("EntityTooLarge", tooLong);
    yield chunk;
  }
}
