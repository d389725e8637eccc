import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { buffer } from "node:stream/consumers";
import {
  perform,
  toAnswer,
  toError,
  type Buckets,
  type S3Answer,
  type S3Operation,
  type S3Request,
} from "./s3-protocol.ts";

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
  /** One byte of the body is another. */
  | { kind: "flip-byte" }
  /** A put overwrites what is there, whatever its condition says. */
  | { kind: "ignore-condition" }
  /** The listing says that it goes on, but not where. */
  | { kind: "truncate-list" }
  /** The listing goes on for ever at the same place. */
  | { kind: "repeat-token" }
  /** The keys of the page come in the opposite order. */
  | { kind: "reverse-list" }
  /** ETags have no quotes. */
  | { kind: "bare-etag" };

export interface MisbehavingS3Options {
  /** Buckets that exist; else one called `bucket`. */
  buckets?: string[];
  /** Most keys in a page of a listing, so that few objects make many pages; else 1,000. */
  pageKeysMax?: number;
  /** Asked once for each request; null: do as S3 does. May be replaced while the server runs. */
  decide?: (request: S3Request) => Fault | null;
}

export interface MisbehavingS3 {
  /** `http://127.0.0.1:PORT`, path style; any credentials are taken. */
  endpoint: string;
  /** What is in the buckets, for looking and for tampering; keys are whole, with a store's prefix. */
  buckets: Buckets;
  /** All requests that arrived, oldest first. */
  requests: S3Request[];
  decide: (request: S3Request) => Fault | null;
  /** Does what was delayed and not done yet, oldest first; says how many requests that were, whether or not they took effect. */
  applyLate: () => number;
  /** Breaks all connections and ends. */
  stop: () => Promise<void>;
}

/**
 * A small S3 server in memory that speaks the protocol to the real SDK, and does to each request what the test wishes:
 *
 *     const server = await startMisbehavingS3({ decide: failFirst("put", { kind: "lose-answer" }) });
 *     const store = openS3Store("s3://bucket/prefix", { endpoint: server.endpoint, region: "x", credentials });
 *
 * A `decide` of one's own may count (`nth`), look at the key, or draw from a seeded generator. It listens on 127.0.0.1.
 */
export async function startMisbehavingS3(options: MisbehavingS3Options = {}): Promise<MisbehavingS3> {
  const { buckets: names = ["bucket"], pageKeysMax = 1_000, decide = () => null } = options;
  const counts = new Map<S3Operation, number>();
  let late: (() => void)[] = [];

  const http = createServer((incoming, outgoing) => {
    outgoing.sendDate = false;
    // A connection that the client breaks while it still writes is a part of the play.
    answer(incoming, outgoing).catch(() => {
      outgoing.destroy();
    });
  });

  async function answer(incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
    const request = await readRequest(incoming, counts);
    server.requests.push(request);
    const fault = server.decide(request) ?? { kind: "none" };
    const act = (changed = request) => perform(server.buckets, changed, pageKeysMax);
    switch (fault.kind) {
      case "none":
        send(outgoing, request, act());
        break;
      case "drop":
        outgoing.destroy();
        break;
      case "lose-answer":
        act();
        outgoing.destroy();
        break;
      case "delay":
        late.push(() => act());
        outgoing.destroy();
        break;
      case "hang":
        break;
      case "error":
      case "html":
        send(outgoing, request, fault.kind === "html" ? toHtml(fault.status) : toError(fault.status, fault.code));
        break;
      case "ignore-condition":
        send(outgoing, request, act(withoutCondition(request)));
        break;
      case "cut-body":
      case "stall-body":
        sendHalf(outgoing, act(), { breaks: fault.kind === "cut-body" });
        break;
      default:
        send(outgoing, request, alter(act(), fault.kind));
    }
  }

  http.listen(0, "127.0.0.1");
  await once(http, "listening");
  const server: MisbehavingS3 = {
    endpoint: `http://127.0.0.1:${(http.address() as AddressInfo).port}`,
    buckets: new Map(names.map((name) => [name, new Map<string, never>()])),
    requests: [],
    decide,
    applyLate() {
      const due = late;
      late = [];
      for (const apply of due) apply();
      return due.length;
    },
    async stop() {
      http.closeAllConnections();
      http.close();
      await once(http, "close");
    },
  };
  return server;
}

/** These faults, one each, to the first requests of an operation; then all is well. */
export function failFirst(operation: S3Operation, ...faults: Fault[]): (request: S3Request) => Fault | null {
  return (request) => (request.operation === operation ? (faults[request.nth - 1] ?? null) : null);
}

/** The same fault to every request of an operation. */
export function failAlways(operation: S3Operation, fault: Fault): (request: S3Request) => Fault | null {
  return (request) => (request.operation === operation ? fault : null);
}

async function readRequest(incoming: IncomingMessage, counts: Map<S3Operation, number>): Promise<S3Request> {
  const url = new URL(incoming.url ?? "/", "http://127.0.0.1");
  const [bucket = "", ...parts] = decodeURIComponent(url.pathname.slice(1)).split("/");
  const body = await buffer(incoming);
  const headers = incoming.headers as Record<string, string | undefined>;
  const operation = toOperation(incoming.method ?? "", parts.join("/"));
  const nth = (counts.get(operation) ?? 0) + 1;
  counts.set(operation, nth);
  const key = operation === "list" ? (url.searchParams.get("prefix") ?? "") : parts.join("/");
  const createOnly = headers["if-none-match"] === "*";
  return { operation, bucket, key, nth, createOnly, headers, query: url.searchParams, body };
}

function toOperation(method: string, key: string): S3Operation {
  if (key === "") return method === "HEAD" ? "head-bucket" : "list";
  const operation = ({ PUT: "put", GET: "get", HEAD: "head", DELETE: "delete" } as const)[method];
  if (operation === undefined) throw new Error(`The store is not expected to ask for ${method} ${key}.`);
  return operation;
}

function send(outgoing: ServerResponse, { operation }: S3Request, { status, headers, body }: S3Answer): void {
  const withLength = status === 204 ? headers : { ...headers, "content-length": String(body.byteLength) };
  outgoing.writeHead(status, withLength).end(operation.startsWith("head") ? undefined : body);
}

function sendHalf(
  outgoing: ServerResponse,
  { status, headers, body }: S3Answer,
  { breaks }: { breaks: boolean },
): void {
  outgoing.writeHead(status, { ...headers, "content-length": String(body.byteLength) });
  outgoing.write(body.subarray(0, body.byteLength >> 1), () => {
    if (breaks) outgoing.destroy();
  });
}

function toHtml(status: number): S3Answer {
  const page = "<!DOCTYPE html><html><head><title>Sign in</title></head><body><p>Please sign in</p></body></html>";
  return toAnswer(status, { "content-type": "text/html" }, Buffer.from(page));
}

function withoutCondition(request: S3Request): S3Request {
  return { ...request, createOnly: false, headers: { ...request.headers, "if-none-match": undefined } };
}

type Alteration = "flip-byte" | "truncate-list" | "repeat-token" | "reverse-list" | "bare-etag";

function alter(answer: S3Answer, how: Alteration): S3Answer {
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
      return toBody(
        () => `<ListBucketResult>${TRUNCATED}<NextContinuationToken>here</NextContinuationToken></ListBucketResult>`,
      );
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

const TRUNCATED = "<IsTruncated>true</IsTruncated>";
