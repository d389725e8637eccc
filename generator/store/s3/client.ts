import type * as Sdk from "@aws-sdk/client-s3";
import { Readable } from "node:stream";
import { codeOf, S3Failure, statusOf } from "./errors.ts";

/** What is left out comes from the SDK's own variables and files, or from here. */
export interface S3Settings {
  /** http(s) address of a server other than AWS; else `AWS_ENDPOINT_URL_S3` or `AWS_ENDPOINT_URL`. */
  endpoint?: string;
  /** Else `AWS_REGION` or the profile's, else us-east-1. */
  region?: string;
  /** Else the SDK's own chain: variables, profile, container, machine. */
  credentials?: { accessKeyId: string; secretAccessKey: string };
  /** Least 1; at a request that gets no answer, a 5xx or SlowDown. */
  attemptsMax?: number;
  connectionTimeoutMilliseconds?: number;
  /** For one attempt until the head of its answer, and then for the body. Large bodies have longer. */
  requestTimeoutMilliseconds?: number;
  /** For a whole operation with all its attempts. Large bodies have longer. */
  deadlineMilliseconds?: number;
  /** The first wait before another try of ours; each doubles. */
  retryDelayMilliseconds?: number;
  /** Largest object that is read into memory. */
  objectBytesMax?: number;
}

/** The SDK, loaded, and a client of it. */
export interface S3Client {
  sdk: typeof Sdk;
  client: Sdk.S3Client;
}

/** Fewer than sockets: what waits, waits in our queue, where no time-out runs. */
export const CONCURRENT_REQUESTS = 48;
const SOCKETS = 64;

const REGION_DEFAULT = "us-east-1";

/**
 * A check each minute may read the cluster for 40 s: a hanging request is given up while a second one fits into the
 * minute, a hanging store after half a minute; the next run repairs.
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
 * A page of 1,000 of the longest keys has 1.4 MB, one of ours 300 kB. The SDK parses it in one go: this much, made to
 * be slow, takes a second or two, 8 MB eleven.
 */
const PAGE_BYTES_MAX = 2 * 1024 * 1024;
/** What else a server says: an error, or next to nothing. */
const WORDS_BYTES_MAX = 64 * 1024;

const REFUSED_STATUSES = new Set([401, 403]);
const REFUSED_CODES = new Set(["CredentialsProviderError", "ExpiredToken", "InvalidToken", "TokenRefreshRequired"]);

/** The one client of a store, there when it is first needed. */
export interface Connection {
  client: () => Promise<S3Client>;
  /** Where it may help, the next request has a new client. */
  heed: (error: unknown) => void;
}

/**
 * The SDK keeps keys of a file for ever: after a refusal they are looked for anew, so that replacing the file needs no
 * restart.
 */
export function createConnection(settings: S3Settings): Connection {
  let loading: Promise<S3Client> | undefined;
  return {
    async client() {
      loading ??= loadClient(settings);
      try {
        return await loading;
      } catch (error) {
        // A profile's file that was being written just then.
        loading = undefined;
        throw error;
      }
    },
    heed(error) {
      if (REFUSED_STATUSES.has(statusOf(error) ?? 0) || REFUSED_CODES.has(codeOf(error))) loading = undefined;
    },
  };
}

/**
 * Loading the SDK takes a tenth of a second and some 30 MB, which who keeps files does not pay. No network I/O. It
 * sends and checks CRC32 unless `AWS_REQUEST_CHECKSUM_CALCULATION` and `AWS_RESPONSE_CHECKSUM_VALIDATION` are
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
    // It throws when there is none; other servers mostly do not care.
    region: await asConfigured.region().catch(() => REGION_DEFAULT),
    // Other servers rarely have a host name for each bucket.
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

/** The SDK collects listings and errors whole, however long they are. The body of an object is left as it is. */
function boundBodies(client: Sdk.S3Client): void {
  client.middlewareStack.add(
    (next, context) => async (request) => {
      const answer = await next(request);
      if (isHttpAnswer(answer.response)) boundBody(answer.response, String(context["commandName"]));
      return answer;
    },
    // Last to be asked and first to be answered: before what parses.
    { name: "boundBodies", step: "deserialize", priority: "low" },
  );
}

interface HttpAnswer {
  statusCode: number;
  body: unknown;
}

function isHttpAnswer(response: unknown): response is HttpAnswer {
  return typeof response === "object" && response !== null && "statusCode" in response && "body" in response;
}

function boundBody(answer: HttpAnswer, command: string): void {
  const { body, statusCode } = answer;
  const isSuccess = statusCode >= 200 && statusCode <= 299;
  if (!(body instanceof Readable) || (isSuccess && command === "GetObjectCommand")) return;
  const bytesMax = isSuccess && command === "ListObjectsV2Command" ? PAGE_BYTES_MAX : WORDS_BYTES_MAX;
  const tooLong = `the answer, HTTP ${statusCode}, is longer than ${bytesMax} bytes`;
  answer.body = Readable.from(upTo(body, bytesMax, tooLong), { objectMode: false });
}

async function* upTo(body: AsyncIterable<Buffer>, bytesMax: number, tooLong: string): AsyncGenerator<Buffer> {
  let bytes = 0;
  for await (const chunk of body) {
    bytes += chunk.byteLength;
    if (bytes > bytesMax) throw new S3Failure("EntityTooLarge", tooLong);
    yield chunk;
  }
}
