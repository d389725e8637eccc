import type { GetObjectCommandOutput } from "@aws-sdk/client-s3";
import { Readable } from "node:stream";
import { setTimeout as wait } from "node:timers/promises";
import type { StoredObject } from "../store.ts";
import { readWholeBody } from "./body.ts";
import type { S3Settings } from "./client.ts";
import { toTransferMilliseconds, type Deadline } from "./deadline.ts";
import { S3Failure } from "./errors.ts";
import { toEtag } from "./etag.ts";

/** Whole answers asked for before an object is given up: the SDK asks again only until the head of an answer is there. */
const TRIES_MAX = 3;

interface Retrieval {
  key: string;
  /** Asks for the object; throws the SDK's error. */
  ask: () => Promise<GetObjectCommandOutput>;
  deadline: Deadline;
  settings: Required<Pick<S3Settings, "objectBytesMax" | "requestTimeoutMilliseconds" | "retryDelayMilliseconds">>;
}

/**
 * An object with its whole body. A body that breaks off, stalls or is damaged on its way is asked for again: a rebuild reads
 * thousands of objects, and must not fail for one of them.
 *
 * @throws the SDK's error, also for an object that is not there; {@link S3Failure} and those of {@link readWholeBody}.
 */
export async function getWhole({ key, ask, deadline, settings }: Retrieval): Promise<StoredObject> {
  for (let tries = 1; ; tries += 1) {
    const answer = await ask();
    const contentLength = toLength(answer, settings.objectBytesMax);
    deadline.allow(contentLength);
    const milliseconds = settings.requestTimeoutMilliseconds + toTransferMilliseconds(contentLength);
    const signal = AbortSignal.any([deadline.signal, AbortSignal.timeout(milliseconds)]);
    try {
      const body = await readWholeBody({ body: answer.Body, contentLength, signal });
      return { key, etag: toEtag(answer.ETag), size: body.byteLength, body };
    } catch (error) {
      if (tries === TRIES_MAX || deadline.signal.aborted) throw error;
    }
    await wait(settings.retryDelayMilliseconds * 2 ** (tries - 1), undefined, { signal: deadline.signal });
  }
}

/** Bytes to come. Where they are none that can be taken, the connection is given up with them. */
function toLength({ Body: body, ContentLength: length }: GetObjectCommandOutput, bytesMax: number): number {
  if (length !== undefined && length <= bytesMax) return length;
  if (body instanceof Readable) body.on("error", () => undefined).destroy();
  if (length === undefined) throw new S3Failure("InvalidAnswer", "the answer does not say its length");
  throw new S3Failure("EntityTooLarge", `it has ${length} bytes, more than ${bytesMax}`);
}
