import type { PutOptions } from "../store.ts";
import type { S3Request } from "./client.ts";
import { toTransferMilliseconds } from "./deadline.ts";
import { toEtag } from "./etag.ts";

/**
 * Sends a whole object; `expect: "absent"` only where there is none.
 *
 * @param requestTimeoutMilliseconds for an attempt with an empty body; a large one has longer.
 * @throws the SDK's error, with status 412 where there is one.
 */
export async function sendPut(
  { sdk, client, at, deadline }: S3Request,
  body: Uint8Array,
  { expect, contentType, cacheControl }: PutOptions,
  requestTimeoutMilliseconds: number,
): Promise<{ etag: string }> {
  const command = new sdk.PutObjectCommand({
    ...at,
    // Bytes and their length, never a stream: that would go up in chunks, which many servers do not understand.
    Body: body,
    ContentLength: body.byteLength,
    ContentType: contentType,
    ...(cacheControl !== undefined && { CacheControl: cacheControl }),
    ...(expect === "absent" && { IfNoneMatch: "*" }),
  });
  deadline.allow(body.byteLength);
  const { ETag } = await client.send(command, {
    abortSignal: deadline.signal,
    requestTimeout: requestTimeoutMilliseconds + toTransferMilliseconds(body.byteLength),
  });
  return { etag: toEtag(ETag) };
}
