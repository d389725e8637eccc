import { promisify } from "node:util";
import { gunzip } from "node:zlib";
import { Agent, request, type Dispatcher } from "undici";
import { FORMS, formOf } from "../contract/forms.ts";
import { parseHttpsAddress } from "../contract/https-address.ts";
import { assertKey } from "./keys.ts";
import { StoreError, type ObjectHead, type ObjectStore, type StoredObject } from "./store.ts";

const unzip = promisify(gunzip);

/** Longest body, also unpacked: ten times the largest document at planning size. */
const BODY_BYTES_MAX = 64 * 1024 * 1024;
/** Longest page of a missing object that is read. */
const PAGE_BYTES_MAX = 64 * 1024;

/** Time-outs in milliseconds. */
interface HttpsStoreTimes {
  connect: number;
  /** Until the last byte of the answer. */
  answer: number;
}

const TIMES: HttpsStoreTimes = { connect: 3_000, answer: 15_000 };

interface Question {
  method: "GET" | "HEAD";
  key: string;
  /** Makes the request conditional (RFC 9110 §13.1.2). */
  knownEtag?: string | null;
  signal: AbortSignal;
}

/**
 * Opens a read-only store behind a web server or CDN. Does no I/O; put, list and delete throw
 * {@link StoreError}.
 * @throws {Error} unless `base` is `https://HOST/PATH`
 */
export function openHttpsStore(base: string, times: HttpsStoreTimes = TIMES): ObjectStore {
  const root = parseHttpsAddress(base);
  const name = root.href;
  let agent: Agent | undefined;

  /**
   * Does not follow redirects, which would lead to documents that nobody chose. It uses HTTP/1.1,
   * which shows where a body is cut.
   */
  function ask({ method, key, knownEtag, signal }: Question): Promise<Dispatcher.ResponseData> {
    agent ??= new Agent({ connect: { timeout: times.connect }, allowH2: false });
    const address = new URL(key.split("/").map(encodeURIComponent).join("/"), root);
    const headers = {
      accept: typesOf(key).join(", "),
      ...(method === "GET" && { "accept-encoding": "gzip" }),
      ...(isEntityTag(knownEtag) && { "if-none-match": knownEtag }),
    };
    return request(address, {
      method,
      headers,
      dispatcher: agent,
      signal,
      headersTimeout: 0,
      bodyTimeout: 0,
    });
  }

  async function run<Result>(
    { method, key, knownEtag = null }: Omit<Question, "signal">,
    take: (answer: Dispatcher.ResponseData) => Promise<Result>,
  ): Promise<Result | null> {
    const operation = method.toLowerCase();
    assertKey(name, operation, key);
    const signal = AbortSignal.timeout(times.answer);
    try {
      const answer = await ask({ method, key, knownEtag, signal });
      try {
        if (isThere(answer, { key, knownEtag })) return await take(answer);
        // Reading the page to its end keeps the connection usable.
        await answer.body.dump({ limit: PAGE_BYTES_MAX });
        return null;
      } finally {
        answer.body.on("error", () => undefined).destroy();
      }
    } catch (error) {
      throw new StoreError(
        name,
        operation,
        key,
        signal.aborted ? `no answer within ${times.answer} ms` : error,
      );
    }
  }

  const getIfChanged: ObjectStore["getIfChanged"] = (key, knownEtag) =>
    run({ method: "GET", key, knownEtag }, async (answer) => {
      if (answer.statusCode === 304) return "unchanged";
      const object = await readObject(key, answer);
      // Not every server supports conditional requests.
      return object.etag === knownEtag ? "unchanged" : object;
    });

  const refuse = (operation: string) => (key: string) =>
    Promise.reject(
      new StoreError(name, operation, key, "an https store can only be read, an object at a time"),
    );

  return {
    name,
    put: refuse("put"),
    get: (key) => run({ method: "GET", key }, (answer) => readObject(key, answer)),
    getIfChanged,
    head: (key) =>
      run({ method: "HEAD", key }, (answer): Promise<ObjectHead> => {
        const size = Number(headerOf(answer, "content-length") ?? Number.NaN);
        if (!Number.isSafeInteger(size))
          throw new Error("the server does not say how long the object is");
        return Promise.resolve({ key, etag: etagOf(answer), size });
      }),
    // eslint-disable-next-line require-yield -- it has nothing to give, only to refuse
    async *list(prefix) {
      await refuse("list")(prefix);
    },
    delete: refuse("delete"),
  };
}

/**
 * Whether the answer holds the object; false: it does not exist. 403 throws, because with broken
 * permissions every object would seem missing.
 */
function isThere(
  { statusCode, headers }: Dispatcher.ResponseData,
  { key, knownEtag }: { key: string; knownEtag: string | null },
): boolean {
  if (statusCode === 304 && isEntityTag(knownEtag)) return true;
  if (statusCode === 404 || statusCode === 410) return false;
  if (statusCode === 403)
    throw new Error(
      "status 403: let the public read and list the bucket (or the CDN answer 404 where it " +
        "says 403)",
    );
  if (statusCode >= 300 && statusCode < 400)
    throw new Error(`status ${statusCode}: redirects are not followed`);
  if (statusCode !== 200) throw new Error(`status ${statusCode}`);
  const type = String(headers["content-type"] ?? "").split(";", 1)[0] ?? "";
  // Many hosts answer any path with status 200 and a page.
  const types = typesOf(key);
  if (!types.includes(type.trim().toLowerCase()))
    throw new Error(`the answer is not ${types.join(" or ")}`);
  return true;
}

/**
 * Content types that a key may have. A web server that decides by file endings knows one type for
 * all JSON.
 */
function typesOf(key: string): string[] {
  const { contentType, extension } = FORMS[formOf(key) ?? "document"];
  const [type = ""] = contentType.split(";", 1);
  return extension === FORMS.document.extension ? [...new Set([type, "application/json"])] : [type];
}

/**
 * Returns the ETag without its mark as weak, which a CDN adds when it compresses the body (RFC 9110
 * §8.8.1).
 */
function etagOf(answer: Dispatcher.ResponseData): string {
  const etag = headerOf(answer, "etag")?.replace(/^W\//, "") ?? "";
  if (etag === "")
    throw new Error("the server sends no ETag: without one changes cannot be detected");
  return etag;
}

/** Whether a text may be sent as an ETag; `*` would match anything. */
function isEntityTag(etag: string | null | undefined): etag is string {
  return etag != null && /^"[^"]*"$/.test(etag);
}

async function readObject(key: string, answer: Dispatcher.ResponseData): Promise<StoredObject> {
  const etag = etagOf(answer);
  const body = await readBody(answer);
  const modifiedAt = Date.parse(headerOf(answer, "last-modified") ?? "");
  return {
    key,
    etag,
    size: body.byteLength,
    body,
    modifiedAt: Number.isNaN(modifiedAt) ? null : modifiedAt,
  };
}

async function readBody(answer: Dispatcher.ResponseData): Promise<Uint8Array> {
  const bytes = await readWhole(answer.body);
  const encoding = (headerOf(answer, "content-encoding") ?? "identity").toLowerCase();
  if (encoding === "identity") return bytes;
  if (encoding !== "gzip")
    throw new Error("the body has a content encoding that was not asked for");
  return unzip(bytes, { maxOutputLength: BODY_BYTES_MAX });
}

async function readWhole(body: AsyncIterable<Uint8Array>): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of body) {
    length += chunk.byteLength;
    if (length > BODY_BYTES_MAX)
      throw new Error(`the object is longer than ${BODY_BYTES_MAX} bytes`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks, length);
}

function headerOf({ headers }: Dispatcher.ResponseData, name: string): string | null {
  const value = headers[name];
  return typeof value === "string" ? value.trim() : null;
}
