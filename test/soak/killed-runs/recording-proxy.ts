import { createServer, request, type IncomingMessage, type OutgoingHttpHeaders, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

/** Where a request is. */
export type Phase = "before it was done" | "done, not answered" | "answered";

/** One request of a process to its store. */
export interface StoreRequest {
  /** From 1. */
  ordinal: number;
  /** From 1, among those that write; null: it only reads. */
  writeOrdinal: number | null;
  method: string;
  /** Bucket and key, decoded; of a listing the bucket and the prefix. */
  path: string;
  isListing: boolean;
  phase: Phase;
  /** null: not answered. */
  status: number | null;
}

/** What stands between one process and the S3 server, so that it is known what the process was told. */
export interface RecordingProxy {
  url: string;
  requests: StoreRequest[];
  /** Waits for what is still on its way to the server: it takes effect. */
  close(): Promise<void>;
}

interface RecordingOptions {
  /** Of the S3 server. */
  target: string;
  /** Whether a request gets to the server; it waits for the answer. All do by default. */
  letPass?: (request: StoreRequest) => Promise<boolean>;
  /** Is told when a request is done, and when it is answered. */
  onPhase?: (request: StoreRequest) => void;
}

/**
 * Passes every request on as it is: the host stays that of the proxy, because it is signed. An answer is passed on when it is
 * whole, and counts as given when its last byte has left.
 */
export async function startRecordingProxy(options: RecordingOptions): Promise<RecordingProxy> {
  const { target, letPass = () => Promise.resolve(true), onPhase = () => undefined } = options;
  const requests: StoreRequest[] = [];
  const underWay = new Set<Promise<void>>();
  let writes = 0;

  async function pass(incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
    const { method = "", url = "/" } = incoming;
    const headers = { ...incoming.headers };
    // Answered here already; it is not signed.
    delete headers.expect;
    const recorded: StoreRequest = {
      ordinal: requests.length + 1,
      writeOrdinal: method === "PUT" || method === "DELETE" ? (writes += 1) : null,
      method,
      ...toPath(url),
      phase: "before it was done",
      status: null,
    };
    requests.push(recorded);
    const body = await collect(incoming);
    if (!(await letPass(recorded))) return void outgoing.destroy();
    const answer = await send(new URL(url, target), { method, headers, body });
    recorded.phase = "done, not answered";
    onPhase(recorded);
    outgoing.writeHead(answer.status, answer.headers);
    outgoing.end(answer.body, () => {
      if (outgoing.destroyed) return;
      recorded.phase = "answered";
      recorded.status = answer.status;
      onPhase(recorded);
    });
  }

  const server = createServer((incoming, outgoing) => {
    // Who was killed hears no answer.
    const passing = pass(incoming, outgoing).catch(() => void outgoing.destroy());
    underWay.add(passing);
    void passing.then(() => underWay.delete(passing));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    async close() {
      await Promise.all(underWay);
      await new Promise<void>((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      });
    },
  };
}

interface Sent {
  method: string;
  headers: OutgoingHttpHeaders;
  body: Buffer;
}

interface Answer {
  status: number;
  headers: OutgoingHttpHeaders;
  body: Buffer;
}

/** Sends what was signed unchanged, with the signed host, to the server. */
function send(address: URL, { body, ...signed }: Sent): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const outgoing = request(address, signed, (answer) => {
      collect(answer).then((bytes) => {
        // Node frames the body itself: it is whole by now.
        const { "transfer-encoding": framing, ...headers } = answer.headers;
        if (framing !== undefined) headers["content-length"] = String(bytes.byteLength);
        resolve({ status: answer.statusCode ?? 0, headers, body: bytes });
      }, reject);
    });
    outgoing.once("error", reject).end(body);
  });
}

async function collect(stream: IncomingMessage): Promise<Buffer> {
  return Buffer.concat(await Array.fromAsync(stream as AsyncIterable<Buffer>));
}

function toPath(url: string): Pick<StoreRequest, "path" | "isListing"> {
  const { pathname, searchParams } = new URL(url, "http://localhost");
  const prefix = searchParams.get("prefix");
  const path = decodeURIComponent(pathname.slice(1)) + (prefix === null ? "" : `/${prefix}`);
  return { path, isListing: searchParams.has("list-type") };
}
