import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { buffer } from "node:stream/consumers";
import { alter, toHtml, withoutCondition, type Fault } from "./faults.ts";
import {
  perform,
  toError,
  type Buckets,
  type S3Answer,
  type S3Operation,
  type S3Request,
} from "./protocol.ts";

/** An unbounded reader would take it all. */
const ENDLESS_BYTES = 100_000_000;
const PIECE = Buffer.alloc(64 * 1024, "<a>&lt;</a>");

interface MisbehavingS3Options {
  /** Keys in a listing's page, few to make many pages; default 1,000. */
  pageKeysMax?: number;
  /** Asked for each request; null: do as S3 does. May be replaced while the server runs. */
  decide?: (request: S3Request) => Fault | null;
}

export interface MisbehavingS3 {
  /** `http://127.0.0.1:PORT`, path style; takes any credentials. */
  endpoint: string;
  /** The buckets, to look at and tamper with; keys include a store's prefix. */
  buckets: Buckets;
  requests: S3Request[];
  decide: (request: S3Request) => Fault | null;
  /** Does what was delayed, oldest first; returns how many requests. */
  applyLate: () => number;
  stop: () => Promise<void>;
}

/**
 * A small S3 server in memory that speaks the protocol to the
 * real SDK, and does to each request what the test wishes:
 *
 *     const server = await startMisbehavingS3({ decide:
 * failFirst("put", { kind: "lose-answer" }) });
 *     const store = openS3Store("s3://bucket/prefix", {
 * endpoint: server.endpoint, region: "x", credentials });
 *
 * A `decide` of one's own may count (`nth`), look at the key,
 * or draw from a seeded generator. It listens on 127.0.0.1.
 */
export async function startMisbehavingS3(
  options: MisbehavingS3Options = {},
): Promise<MisbehavingS3> {
  const { pageKeysMax = 1_000, decide = () => null } = options;
  const counts = new Map<S3Operation, number>();
  let late: (() => void)[] = [];

  const http = createServer((incoming, outgoing) => {
    outgoing.sendDate = false;
    // A client that breaks the connection is part of the play.
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
        send(
          outgoing,
          request,
          fault.kind === "html" ? toHtml(fault.status) : toError(fault.status, fault.code),
        );
        break;
      case "endless-body":
        outgoing.writeHead(fault.status, { "content-type": "application/xml", etag: '"one"' });
        outgoing.write("<ListBucketResult>");
        pour(outgoing, ENDLESS_BYTES);
        break;
      case "ignore-condition":
        send(outgoing, request, act(withoutCondition(request)));
        break;
      case "cut-body":
      case "stall-body":
        sendHalf(outgoing, act(), () => fault.kind === "cut-body" && outgoing.destroy());
        break;
      default:
        send(outgoing, request, alter(act(), fault.kind, request.nth));
    }
  }

  http.listen(0, "127.0.0.1");
  await once(http, "listening");
  const server: MisbehavingS3 = {
    endpoint: `http://127.0.0.1:${(http.address() as AddressInfo).port}`,
    buckets: new Map([["bucket", new Map<string, never>()]]),
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

async function readRequest(
  incoming: IncomingMessage,
  counts: Map<S3Operation, number>,
): Promise<S3Request> {
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
  if (operation === undefined)
    throw new Error(`The store is not expected to ask for ${method} ${key}.`);
  return operation;
}

function send(
  outgoing: ServerResponse,
  { operation }: S3Request,
  { status, headers, body }: S3Answer,
): void {
  const withLength =
    status === 204 ? headers : { ...headers, "content-length": String(body.byteLength) };
  outgoing.writeHead(status, withLength).end(operation.startsWith("head") ? undefined : body);
}

function sendHalf(
  outgoing: ServerResponse,
  { status, headers, body }: S3Answer,
  then: () => unknown,
): void {
  outgoing.writeHead(status, { ...headers, "content-length": String(body.byteLength) });
  outgoing.write(body.subarray(0, body.byteLength >> 1), then);
}

/** As fast as it is read. */
function pour(outgoing: ServerResponse, bytes: number): void {
  while (!outgoing.destroyed && bytes > 0) {
    bytes -= PIECE.byteLength;
    if (!outgoing.write(PIECE)) return void outgoing.once("drain", () => pour(outgoing, bytes));
  }
  outgoing.end();
}
