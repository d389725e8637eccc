import { once } from "node:events";
import { createServer, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { openS3Store } from "../../../generator/store/s3.ts";
import type { ObjectStore } from "../../../generator/store/store.ts";
import { StoreError } from "../../../generator/store/store.ts";
import { any, bytes } from "./setup.ts";

/** Far more than any limit: a reader without one would take it all. */
const BYTES_SENT_MAX = 100_000_000;
const PIECE = Buffer.alloc(64 * 1024, "<a>&lt;</a>");

let http: Server;
let store: ObjectStore;
let status: number;
let sent: number;
let prefix: string;
let piece: Buffer;

/** Sends a body without end, as fast as it is read. */
function pour(response: ServerResponse): void {
  while (!response.destroyed && sent < BYTES_SENT_MAX) {
    sent += piece.byteLength;
    if (!response.write(piece)) return void response.once("drain", () => pour(response));
  }
  response.end();
}

beforeEach(async () => {
  [status, sent, prefix, piece] = [200, 0, "<ListBucketResult>", PIECE];
  http = createServer((request, response) => {
    request.resume();
    response.writeHead(status, { "content-type": "application/xml", etag: '"one"' });
    response.write(prefix);
    pour(response);
  });
  http.listen(0, "127.0.0.1");
  await once(http, "listening");
  const endpoint = `http://127.0.0.1:${(http.address() as AddressInfo).port}`;
  const credentials = { accessKeyId: "a", secretAccessKey: "b" };
  // No time-out ends it: the limit alone.
  const times = { deadlineMilliseconds: 250_000, requestTimeoutMilliseconds: 250_000, attemptsMax: 1 };
  store = openS3Store("s3://bucket/p", { endpoint, region: "here", credentials, retryDelayMilliseconds: 1, ...times });
});

afterEach(async () => {
  http.closeAllConnections();
  http.close();
  await once(http, "close");
});

const OPERATIONS: Record<string, () => Promise<unknown>> = {
  "list logs/": () => Array.fromAsync(store.list("logs/")),
  "get a.json": () => store.get("a.json"),
  "put a.json": () => store.put("a.json", bytes("1"), any),
  "delete a.json": () => store.delete("a.json"),
};

describe("an S3 server whose answer has no end", () => {
  it.each([
    ["list logs/", 200, 2_097_152],
    ["list logs/", 500, 65_536],
    ["list logs/", 403, 65_536],
    ["get a.json", 404, 65_536],
    ["get a.json", 503, 65_536],
    ["put a.json", 200, 65_536],
    ["put a.json", 403, 65_536],
    ["delete a.json", 500, 65_536],
  ])("to %s, with status %d, is read for no more than %d bytes", async (operation, code, bytesMax) => {
    status = code;
    const error = await OPERATIONS[operation]!().then(
      () => null,
      (failure: unknown) => failure,
    );
    expect(error).toBeInstanceOf(StoreError);
    expect((error as StoreError).message).toBe(
      `${operation} in s3://bucket/p failed: the answer, HTTP ${code}, is longer than ${bytesMax} bytes`,
    );
    expect(sent).toBeLessThan(bytesMax + 20_000_000);
  });

  it("is no object where it does not say its length", async () => {
    await expect(store.get("a.json")).rejects.toThrow("does not say its length");
  });
});
