import type * as Sdk from "@aws-sdk/client-s3";
import { Readable } from "node:stream";
import { codeOf, S3Failure, statusOf } from "./errors.ts";

/** By default from the SDK's own variables and files. */
export interface S3Settings {
  /** Default: `AWS_ENDPOINT_URL_S3` or `AWS_ENDPOINT_URL`. */
  endpoint?: string;
  /** Default: `AWS_REGION`, the profile's, or us-east-1. */
  region?: string;
  credentials?: { accessKeyId: string; secretAccessKey: string };
  /** For requests without an answer, with a 5xx or SlowDown. */
  attemptsMax?: number;
  connectionTimeoutMilliseconds?: number;
  /** Of one attempt until the head of its answer, and again for the body; large bodies get more. */
  requestTimeoutMilliseconds?: number;
  /** Of all attempts; large bodies get more. */
  deadlineMilliseconds?: number;
  /** First wait between our own tries; each doubles. */
  retryDelayMilliseconds?: number;
  objectBytesMax?: number;
}

export interface S3Client {
  sdk: typeof Sdk;
  client: Sdk.S3Client;
}

/** Fewer than sockets: no time-out runs in our queue. */
export const CONCURRENT_REQUESTS = 48;
const SOCKETS = 64;

const REGION_DEFAULT = "us-east-1";

/**
 * A check may take 40 s: a hanging request must fail early
 * enough for a second one, a hanging store after half a minute.
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
 * A page of 1,000 of the longest keys is 1.4 MB. The SDK parses it at
 * once: this much, crafted to be slow, takes a second or two, 8 MB eleven.
 */
const PAGE_BYTES_MAX = 2 * 1024 * 1024;
/** For errors and short answers. */
const WORDS_BYTES_MAX = 64 * 1024;

const REFUSED_STATUSES = new Set([401, 403]);
const REFUSED_CODES = new Set([
  "CredentialsProviderError",
  "ExpiredToken",
  "InvalidToken",
  "TokenRefreshRequired",
]);

export interface Connection {
  client: () => Promise<S3Client>;
  /** The next request uses a new client, if that may help. */
  renewAfter: (error: unknown) => void;
}

/**
 * The SDK caches keys from a file for ever. After a refusal a new
 * client reads them again: replacing the file needs no restart.
 */
export function createConnection(settings: S3Settings): Connection {
  let loading: Promise<S3Client> | undefined;
  return {
    async client() {
      loading ??= loadClient(settings);
      try {
        return await loading;
      } catch (error) {
        // The profile's file may have been half written.
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
 * Loading the SDK takes 0.1 s and 30 MB, which a file store need not
 * pay. Sends and checks CRC32 unless `AWS_REQUEST_CHECKSUM_CALCULATION`
 * and `AWS_RESPONSE_CHECKSUM_VALIDATION` are `when_required`.
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
    // It throws without one; most other servers do not care.
    region: await asConfigured.region().catch(() => REGION_DEFAULT),
    // Other servers rarely have a host name for each bucket.
    forcePathStyle: endpoint !== undefined,
    // Else a file of profiles is read once for the whole
    // process, and keys that were replaced in it are never seen.
    // eslint-disable-next-line @typescript-eslint/no-deprecated -- as above
    credentialDefaultProvider: (init: object) => findCredentials({ ...init, ignoreCache: true }),
    maxAttempts: settings.attemptsMax ?? S3_DEFAULTS.attemptsMax,
    requestHandler: {
      connectionTimeout:
        settings.connectionTimeoutMilliseconds ?? S3_DEFAULTS.connectionTimeoutMilliseconds,
      requestTimeout: settings.requestTimeoutMilliseconds ?? S3_DEFAULTS.requestTimeoutMilliseconds,
      // Otherwise the SDK only warns, and waits on.
      throwOnRequestTimeout: true,
      httpAgent: { maxSockets: SOCKETS },
      httpsAgent: { maxSockets: SOCKETS },
    },
  });
  boundBodies(client);
  return { sdk, client };
}

/** The SDK collects listings and errors whole, however long. */
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
    isSuccess && command === "ListObjectsV2Command" ? PAGE_BYTES_MAX : WORDS_BYTES_MAX;
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
