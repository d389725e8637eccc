import { createHash } from "node:crypto";
import { crc32 } from "node:zlib";

export type S3Operation = "put" | "get" | "head" | "list" | "delete" | "head-bucket";

export interface S3Request {
  operation: S3Operation;
  bucket: string;
  /** For a listing: its prefix. */
  key: string;
  /** Counts this operation at this server, from 1. */
  nth: number;
  /** `If-None-Match: *`. */
  createOnly: boolean;
  headers: Readonly<Record<string, string | undefined>>;
  query: URLSearchParams;
  body: Buffer;
}

export interface S3Answer {
  status: number;
  headers: Record<string, string>;
  body: Buffer;
}

/** The protocol has no clock. */
export const PUT_AT = "Fri, 20 Nov 2026 12:00:00 GMT";

interface Kept {
  body: Buffer;
  contentType: string;
  cacheControl: string | undefined;
}

export type Objects = Map<string, Kept>;

export type Buckets = Map<string, Objects>;

/** As much of S3 as a store needs. https://docs.aws.amazon.com/AmazonS3/latest/API/ */
export function perform(buckets: Buckets, request: S3Request, pageKeysMax: number): S3Answer {
  const objects = buckets.get(request.bucket);
  if (objects === undefined) return toError(404, "NoSuchBucket");
  const kept = objects.get(request.key);
  switch (request.operation) {
    case "head-bucket":
      return toAnswer(200);
    case "list":
      return toListing(objects, request, pageKeysMax);
    case "delete":
      objects.delete(request.key);
      return toAnswer(204);
    case "get":
    case "head":
      if (kept === undefined) return toError(404, "NoSuchKey");
      return isKnown(request, kept) ? toAnswer(304, { etag: toEtag(kept.body) }) : toObject(kept);
    case "put":
      return put(objects, request);
  }
}

/** `If-None-Match` with the ETag. */
function isKnown({ headers }: S3Request, { body }: Kept): boolean {
  return headers["if-none-match"] === toEtag(body);
}

function put(objects: Objects, { key, headers, body, createOnly }: S3Request): S3Answer {
  // The store promises not to send these: many servers refuse them.
  if (headers["content-encoding"] !== undefined || headers["transfer-encoding"] !== undefined)
    return toError(501, "NotImplemented");
  if (!createOnly && headers["if-none-match"] !== undefined) return toError(501, "NotImplemented");
  if (createOnly && objects.has(key)) return toError(412, "PreconditionFailed");
  const contentType = headers["content-type"] ?? "application/octet-stream";
  objects.set(key, { body, contentType, cacheControl: headers["cache-control"] });
  return toAnswer(200, { etag: toEtag(body) });
}

function toObject({ body, contentType, cacheControl }: Kept): S3Answer {
  const checksum = Buffer.alloc(4);
  checksum.writeUInt32BE(crc32(body));
  const headers = {
    etag: toEtag(body),
    "last-modified": PUT_AT,
    "content-type": contentType,
    "x-amz-checksum-crc32": checksum.toString("base64"),
    ...(cacheControl !== undefined && { "cache-control": cacheControl }),
  };
  return toAnswer(200, headers, body);
}

function toListing(
  objects: Objects,
  { key: prefix, query }: S3Request,
  pageKeysMax: number,
): S3Answer {
  const token = query.get("continuation-token");
  const after =
    token === null ? (query.get("start-after") ?? "") : Buffer.from(token, "base64url").toString();
  const left = [...objects].filter(([key]) => key.startsWith(prefix) && key > after);
  left.sort(([one], [other]) => (one < other ? -1 : 1));
  const page = left.slice(0, Math.min(Number(query.get("max-keys") ?? 1_000), pageKeysMax));
  const next =
    page.length < left.length ? Buffer.from(page.at(-1)?.[0] ?? "").toString("base64url") : null;
  const contents = page.map(
    ([key, { body }]) =>
      `<Contents><Key>${escapeXml(key)}</Key><LastModified>2026-01-01T00:00:00.000Z</LastModified>` +
      `<ETag>${escapeXml(toEtag(body))}</ETag><Size>${body.byteLength}</Size></Contents>`,
  );
  const xml =
    `<?xml version="1.0" encoding="UTF-8"?><ListBucketResult xmlns="http://s3.amazonaws.com/doc/2006-03-01/">` +
    `<KeyCount>${page.length}</KeyCount><IsTruncated>${next !== null}</IsTruncated>` +
    `${next === null ? "" : `<NextContinuationToken>${next}</NextContinuationToken>`}${contents.join("")}</ListBucketResult>`;
  return toAnswer(200, { "content-type": "application/xml" }, Buffer.from(xml));
}

export function toError(status: number, code: string): S3Answer {
  const xml = `<?xml version="1.0" encoding="UTF-8"?><Error><Code>${code}</Code><Message>Said the server.</Message></Error>`;
  return toAnswer(status, { "content-type": "application/xml" }, Buffer.from(xml));
}

export function toAnswer(
  status: number,
  headers: S3Answer["headers"] = {},
  body: Buffer = Buffer.alloc(0),
): S3Answer {
  return { status, headers, body };
}

function toEtag(body: Buffer): string {
  return `"${createHash("md5").update(body).digest("hex")}"`;
}

function escapeXml(text: string): string {
  return text
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;")
    .replaceAll('"', "&quot;");
}
