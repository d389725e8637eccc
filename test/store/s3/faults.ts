import { toAnswer, type S3Answer, type S3Operation, type S3Request } from "./protocol.ts";

const TRUNCATED = "<IsTruncated>true</IsTruncated>";

/** What goes wrong with one attempt; the SDK retries most of these. */
export type Fault =
  /** Not done, no answer: the connection breaks. */
  | { kind: "drop" }
  /** Done, but the connection breaks before the answer. */
  | { kind: "lose-answer" }
  /**
   * The connection breaks; done when the test calls `applyLate`, its
   * condition checked only then: a write whose writer died or gave up.
   */
  | { kind: "delay" }
  /** Not done, never answered; the connection stays open. */
  | { kind: "hang" }
  /**
   * Not done; an S3 error such as 503 SlowDown, 409 ConditionalRequestConflict, 500 InternalError.
   */
  | { kind: "error"; status: number; code: string }
  /** Not done; a page of HTML, as from a proxy. */
  | { kind: "html"; status: number }
  /** Half of the promised body, then the connection breaks. */
  | { kind: "cut-body" }
  /** The same, but the connection stays open and silent. */
  | { kind: "stall-body" }
  /** Not done; an endless body without a length. */
  | { kind: "endless-body"; status: number }
  /** One byte of the body differs. */
  | { kind: "flip-byte" }
  /** A put ignores its condition. */
  | { kind: "ignore-condition" }
  /** The listing continues, but does not say where. */
  | { kind: "truncate-list" }
  /** The listing repeats the same place for ever. */
  | { kind: "repeat-token" }
  /** The listing continues for ever, empty, each time elsewhere. */
  | { kind: "endless-list" }
  /** The keys of the page come in reverse order. */
  | { kind: "reverse-list" }
  /** ETags without quotes. */
  | { kind: "bare-etag" };

/** These faults for an operation's first requests; then all is well. */
export function failFirst(
  operation: S3Operation,
  ...faults: Fault[]
): (request: S3Request) => Fault | null {
  return (request) => (request.operation === operation ? (faults[request.nth - 1] ?? null) : null);
}

/** The same fault for every request of an operation. */
export function failAlways(
  operation: S3Operation,
  fault: Fault,
): (request: S3Request) => Fault | null {
  return (request) => (request.operation === operation ? fault : null);
}

/** A login page of a proxy. */
export function toHtml(status: number): S3Answer {
  const page =
    "<!DOCTYPE html><html><head><title>Sign in</title></head><body><p>Please sign in</p></body></html>";
  return toAnswer(status, { "content-type": "text/html" }, Buffer.from(page));
}

/** The request, as a server without `If-None-Match` sees it. */
export function withoutCondition(request: S3Request): S3Request {
  return {
    ...request,
    createOnly: false,
    headers: { ...request.headers, "if-none-match": undefined },
  };
}

type Alteration =
  "flip-byte" | "truncate-list" | "repeat-token" | "endless-list" | "reverse-list" | "bare-etag";

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
        xml.replace(/<IsTruncated>.*?(?=<Contents>|<\/ListBucketResult>)/, TRUNCATED),
      );
    case "repeat-token":
    case "endless-list": {
      // Places before all keys.
      const token = how === "repeat-token" ? "here" : Buffer.from(`!${nth}`).toString("base64url");
      const next = `<NextContinuationToken>${token}</NextContinuationToken>`;
      return toBody(() => `<ListBucketResult>${TRUNCATED}${next}</ListBucketResult>`);
    }
    case "reverse-list":
      return toBody((xml) => {
        const contents = xml.match(/<Contents>.*?<\/Contents>/g) ?? [];
        return xml.replace(/<Contents>.*<\/Contents>/, contents.toReversed().join(""));
      });
    case "bare-etag": {
      const { etag = "" } = answer.headers;
      const altered = toBody((xml) => xml.replaceAll("&quot;", ""));
      return etag === ""
        ? altered
        : { ...answer, headers: { ...answer.headers, etag: etag.replaceAll('"', "") } };
    }
  }
}
