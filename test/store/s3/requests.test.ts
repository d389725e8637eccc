import { fork } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { setImmediate as nextTurn } from "node:timers/promises";
import { describe, expect, test, vi } from "vitest";
import { CONCURRENT_REQUESTS } from "../../../generator/store/s3/client.ts";
import { openS3Store } from "../../../generator/store/s3.ts";
import { startMisbehavingS3 } from "./misbehaving.ts";
import { any, bytes, SECRET, useServer } from "./setup.ts";

const { used, kept } = useServer();

describe("what an S3 store sends", () => {
  test("is nothing before it is asked something", () => {
    used.open();
    expect(used.server.requests).toEqual([]);
  });

  test("is the bytes with their length, type and cache class, below the prefix", async () => {
    await used.open().put("a b+c.json", bytes("{}"), any);
    const [request] = used.server.requests;
    expect(request).toMatchObject({ bucket: "bucket", key: "some/prefix/a b+c.json", createOnly: false });
    expect(request?.headers).toMatchObject({
      "content-length": "2",
      "content-type": "application/json",
      "cache-control": "max-age=60",
    });
    expect(kept("a b+c.json")?.body.toString()).toBe("{}");
  });

  test("has a checksum unless the SDK's own variable says to leave it out", async () => {
    await used.open().put("a", bytes("{}"), any);
    vi.stubEnv("AWS_REQUEST_CHECKSUM_CALCULATION", "when_required");
    vi.stubEnv("AWS_RESPONSE_CHECKSUM_VALIDATION", "when_required");
    const store = used.open();
    await store.put("a", bytes("{}"), any);
    await store.get("a");
    vi.unstubAllEnvs();
    const [withChecksum, without, read] = used.server.requests.map(({ headers }) => Object.keys(headers).join(" "));
    expect(withChecksum).toContain("x-amz-checksum-crc32");
    expect(without).not.toContain("checksum");
    expect(read).not.toContain("checksum");
  });

  test("goes where the SDK's own variables say, with the bucket in the path", async () => {
    // By an address in figures the SDK would always do so.
    vi.stubEnv("AWS_ENDPOINT_URL_S3", used.server.endpoint.replace("127.0.0.1", "localhost"));
    vi.stubEnv("AWS_ACCESS_KEY_ID", "FROMTHEENVIRONMENT");
    vi.stubEnv("AWS_SECRET_ACCESS_KEY", SECRET);
    vi.stubEnv("AWS_REGION", "");
    await openS3Store("s3://bucket").put("a", bytes("{}"), any);
    vi.unstubAllEnvs();
    expect(used.server.requests[0]).toMatchObject({ bucket: "bucket", key: "a" });
    expect(used.server.requests[0]?.headers["authorization"]).toMatch(/FROMTHEENVIRONMENT\/\d{8}\/us-east-1\/s3/);
  });

  test("is never more at a time than it has sockets for, however much is asked of it", async () => {
    used.server.decide = () => ({ kind: "hang" });
    const store = used.open({ requestTimeoutMilliseconds: 60_000, deadlineMilliseconds: 60_000, attemptsMax: 1 });
    const ends = Promise.allSettled(Array.from({ length: 200 }, (_, index) => store.put(`${index}`, bytes("x"), any)));
    const countSent = () => used.server.requests.length;
    await vi.waitFor(() => expect(countSent()).toBe(CONCURRENT_REQUESTS), { timeout: 20_000 });
    // Turns in which more would arrive, were there any on the way.
    for (let turn = 0; turn < 100; turn += 1) await nextTurn();
    expect(countSent()).toBe(CONCURRENT_REQUESTS);
    await used.server.stop();
    await ends;
    used.server = await startMisbehavingS3();
  });
});

test("a process loads the SDK with its first request to S3, and ends by itself soon after the last", async () => {
  const child = fork(join(import.meta.dirname, "process.ts"), [used.server.endpoint], { execArgv: [], env: {} });
  const messages: unknown[] = [];
  child.on("message", (message) => messages.push(message));
  expect(await once(child, "exit")).toEqual([0, null]);
  expect(messages).toEqual([
    { isLoaded: false, after: "open" },
    { isLoaded: true, after: "put" },
    { endedInTime: true },
  ]);
  expect(kept("a")?.body.toString()).toBe("{}");
});
