import { toAnswer, type S3Answer, type S3Operation, type S3Request } from "./protocol.ts";

const TRUNCATED = "<IsTruncated>true</IsTruncated>";

/** What goes wrong with one request, and so with one attempt: the SDK makes several at most of these. */
export type Fault =
  /** Nothing is done and nothing answered: the connection breaks. */
  | { kind: "drop" }
  /** It is done, but the connection breaks before the answer. */
  | { kind: "lose-answer" }
  /**
   * It is not done now, and the connection breaks; it is done when the test calls `applyLate`, with its condition looked at
   * only then. So does a write that was under way when its writer died or gave up.
   */
  | { kind: "delay" }
  /** Nothing is done, and no answer ever comes; the connection stays open. */
  | { kind: "hang" }
  /** Nothing is done; the answer is an error of S3, such as 503 SlowDown, 409 ConditionalRequestConflict, 500 InternalError. */
  | { kind: "error"; status: number; code: string }
  /** Nothing is done; the answer is a page of HTML, as from a proxy on the way. */
  | { kind: "html"; status: number }
  /** The head of the answer promises the whole body, of which half comes before the connection breaks. */
  | { kind: "cut-body" }
  /** The same, but the connection stays open and silent. */
  | { kind: "stall-body" }
  /** Nothing is done; the body of the answer goes on and on, with no length told: far more than any limit. */
  | { kind: "endless-body"; status: number }
  /** One byte of the body is another. */
  | { kind: "flip-byte" }
  /** A put overwrites what is there, whatever its condition says. */
  | { kind: "ignore-condition" }
  /** The listing says that it goes on, but not where. */
  | { kind: "truncate-list" }
  /** The listing goes on for ever at the same place. */
  | { kind: "repeat-token" }
  /** The listing goes on for ever, each time somewhere else, and never has anything. */
  | { kind: "endless-list" }
  /** The keys of the page come in the opposite order. */
  | { kind: "reverse-list" }
  /** ETags have no quotes. */
  | { kind: "bare-etag" };

/** These faults, one each, to the first requests of an operation; then all is well. */
export function failFirst(operation: S3Operation, ...faults: Fault[]): (request: S3Request) => Fault | null {
  return (request) => (request.operation === operation ? (faults[request.nth - 1] ?? null) : null);
}

/** The same fault to every request of an operation. */
export function failAlways(operation: S3Operation, fault: Fault): (request: S3Request) => Fault | null {
  return (request) => (request.operation === operation ? fault : null);
}

/** A page as of a proxy on the way, which asks for a password. */
export function toHtml(status: number): S3Answer {
  const page = "<!DOCTYPE html><html><head><title>Sign in</title></head><body><p>Please sign in</p></body></html>";
  return toAnswer(status, { "content-type": "text/html" }, Buffer.from(page));
}

/** The request as one sees it who knows no `If-None-Match`. */
export function withoutCondition(request: S3Request): S3Request {
  return { ...request, createOnly: false, headers: { ...request.headers, "if-none-match": undefined } };
}

type Alteration = "flip-byte" | "truncate-list" | "repeat-token" | "endless-list" | "reverse-list" | "bare-etag";

/** What S3 would answer, spoilt. */
export function alter(answer: S3Answer, how: Alteration, nth: number): S3Answer {
  const toBody = (change: (xml: string) => string) => ({
    ...answer,
    body: Buffer.from(change(answer.body.toString())),
  });
  switch (how) {
    case "flip-byte": {
      const body = Buffer.from(answer.body);
      body[0] = (body[0] ?? 0) ^ 1;
      return { ...answer, body };
    }
    case "truncate-list":
      return toBody((xml) =>
        xml.replace(
          /<IsTruncated>.*?<\/IsTruncated>(?:<NextContinuationToken>.*?<\/NextContinuationToken>)?/,
          TRUNCATED,
        ),
      );
    case "repeat-token":
    case "endless-list": {
      // Tokens of this server, of places before all keys.
      const token = how === "repeat-token" ? "here" : Buffer.from(`!${nth}`).toString("base64url");
      return toBody(
        () =>
          `<ListBucketResult>${TRUNCATED}<NextContinuationToken>${token}</NextContinuationToken></ListBucketResult>`,
      );
    }
    case "reverse-list":
      return toBody((xml) => {
        const contents = xml.match(/<Contents>.*?<\/Contents>/g) ?? [];
        return xml.replace(/<Contents>.*<\/Contents>/, contents.toReversed().join(""));
      });
    case "bare-etag": {
      const { etag = "" } = answer.headers;
      const altered = toBody((xml) => xml.replaceAll("&quot;", ""));
      return etag === "" ? altered : { ...answer, headers: { ...answer.headers, etag: etag.replaceAll('"', "") } };
    }
  }
}
