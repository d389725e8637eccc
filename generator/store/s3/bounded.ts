import type { S3Client } from "@aws-sdk/client-s3";
import { pipeline, Readable, Transform } from "node:stream";
import { S3Failure } from "./errors.ts";

/**
 * A page of 1,000 keys of the longest kind has 1.4 MB, one of ours 300 kB. The SDK parses it in one go, during which nothing else
 * is done: of this much, made to be slow, for a second or two; of 8 MB for eleven.
 */
const PAGE_BYTES_MAX = 2 * 1024 * 1024;
/** What else a server says: an error, or next to nothing. */
const WORDS_BYTES_MAX = 64 * 1024;

/**
 * Bounds what a client reads of an answer before it is parsed: the SDK collects listings and errors whole, however long they
 * are. The body of an object is left as it is; who reads it knows its length (`get.ts`).
 */
export function boundBodies(client: S3Client): void {
  client.middlewareStack.add(
    (next, context) => async (request) => {
      const answer = await next(request);
      if (isHttpAnswer(answer.response)) bound(answer.response, String(context["commandName"]));
      return answer;
    },
    // Of its step the last to be asked and the first to be answered: before what parses.
    { name: "boundBodies", step: "deserialize", priority: "low" },
  );
}

interface HttpAnswer {
  statusCode: number;
  body: unknown;
}

function bound(answer: HttpAnswer, command: string): void {
  const isSuccess = answer.statusCode >= 200 && answer.statusCode <= 299;
  if (!(answer.body instanceof Readable) || (isSuccess && command === "GetObjectCommand")) return;
  const bytesMax = isSuccess && command === "ListObjectsV2Command" ? PAGE_BYTES_MAX : WORDS_BYTES_MAX;
  // The callback is required; whoever reads the result is told of the error, and the connection is given up with it.
  answer.body = pipeline(answer.body, createBound(bytesMax, answer.statusCode), () => undefined);
}

function createBound(bytesMax: number, status: number): Transform {
  let bytes = 0;
  return new Transform({
    transform(chunk: Buffer, _, done) {
      bytes += chunk.byteLength;
      if (bytes <= bytesMax) done(null, chunk);
      else done(new S3Failure("EntityTooLarge", `the answer, HTTP ${status}, is longer than ${bytesMax} bytes`));
    },
  });
}

function isHttpAnswer(response: unknown): response is HttpAnswer {
  return typeof response === "object" && response !== null && "statusCode" in response && "body" in response;
}
