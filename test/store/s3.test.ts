import { fork } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { inspect } from "node:util";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { CONCURRENT_REQUESTS, type S3Settings } from "../../generator/store/s3-client.ts";
import { openS3Store } from "../../generator/store/s3.ts";
import { StoreError, type ObjectStore } from "../../generator/store/store.ts";
import { describeStore } from "./contract.ts";
import { failAlways, failFirst, startMisbehavingS3, type Fault, type MisbehavingS3 } from "./misbehaving-s3.ts";

const bytes = (text: string) => new TextEncoder().encode(text);
const any = { expect: "any", contentType: "application/json", cacheControl: "max-age=60" } as const;
const absent = { ...any, expect: "absent" } as const;
const SECRET = "a-very-secret-key";
const credentials = { accessKeyId: "ACCESSKEY", secretAccessKey: SECRET };

function open(server: MisbehavingS3, settings: S3Settings = {}, url = "s3://bucket/some/prefix"): ObjectStore {
  const { endpoint } = server;
  return openS3Store(url, { endpoint, region: "here", credentials, conflictDelayMilliseconds: 1, ...settings });
}

describeStore("S3", async () => {
  const server = await startMisbehavingS3();
  return { store: open(server), dispose: server.stop };
});

describeStore(
  "S3 of a whole bucket, in small pages and with ETags spelt otherwise in answers to HEAD and PUT,",
  async () => {
    const decide: MisbehavingS3["decide"] = ({ operation }) =>
      operation === "head" || operation === "put" ? { kind: "bare-etag" } : null;
    const server = await startMisbehavingS3({ pageKeysMax: 7, decide });
    return { store: open(server, {}, "s3://bucket"), dispose: server.stop };
  },
);

let server: MisbehavingS3;
beforeEach(async () => {
  server = await startMisbehavingS3();
});
afterEach(() => server.stop());

const operationsSeen = () => server.requests.map(({ operation }) => operation);
const kept = (key: string) => server.buckets.get("bucket")?.get(`some/prefix/${key}`);
const listed = async (store: ObjectStore, prefix = "") =>
  (await Array.fromAsync(store.list(prefix))).map(({ key }) => key);

describe("what an S3 store sends", () => {
  test("is nothing before it is asked something", () => {
    open(server);
    expect(server.requests).toEqual([]);
  });

  test("is the bytes with their length, type and cache class, below the prefix", async () => {
    await open(server).put("a b+c.json", bytes("{}"), any);
    const [request] = server.requests;
    expect(request).toMatchObject({ bucket: "bucket", key: "some/prefix/a b+c.json", createOnly: false });
    expect(request?.headers).toMatchObject({
      "content-length": "2",
      "content-type": "application/json",
      "cache-control": "max-age=60",
    });
    expect(kept("a b+c.json")?.body.toString()).toBe("{}");
  });

  test("has a checksum unless the SDK's own variable says to leave it out", async () => {
    await open(server).put("a", bytes("{}"), any);
    vi.stubEnv("AWS_REQUEST_CHECKSUM_CALCULATION", "when_required");
    vi.stubEnv("AWS_RESPONSE_CHECKSUM_VALIDATION", "when_required");
    const store = open(server);
    await store.put("a", bytes("{}"), any);
    await store.get("a");
    vi.unstubAllEnvs();
    const [withChecksum, without, read] = server.requests.map(({ headers }) => Object.keys(headers).join(" "));
    expect(withChecksum).toContain("x-amz-checksum-crc32");
    expect(without).not.toContain("checksum");
    expect(read).not.toContain("checksum");
  });

  test("goes where the SDK's own variables say, with the bucket in the path", async () => {
    // By an address in figures the SDK would always do so.
    vi.stubEnv("AWS_ENDPOINT_URL_S3", server.endpoint.replace("127.0.0.1", "localhost"));
    vi.stubEnv("AWS_ACCESS_KEY_ID", "FROMTHEENVIRONMENT");
    vi.stubEnv("AWS_SECRET_ACCESS_KEY", SECRET);
    vi.stubEnv("AWS_REGION", "");
    await openS3Store("s3://bucket").put("a", bytes("{}"), any);
    vi.unstubAllEnvs();
    expect(server.requests[0]).toMatchObject({ bucket: "bucket", key: "a" });
    expect(server.requests[0]?.headers["authorization"]).toMatch(/FROMTHEENVIRONMENT\/\d{8}\/us-east-1\/s3/);
  });

  test("is never more at a time than it has sockets for, however much is asked of it", async () => {
    server.decide = () => ({ kind: "hang" });
    const store = open(server, { deadlineMilliseconds: 800, attemptsMax: 1 });
    const puts = Array.from({ length: 200 }, (_, index) => store.put(`${index}`, bytes("x"), any));
    const ends = Promise.allSettled(puts);
    await Promise.race(puts).catch(() => undefined);
    expect(server.requests.length).toBeGreaterThan(1);
    expect(server.requests.length).toBeLessThanOrEqual(CONCURRENT_REQUESTS);
    await server.stop();
    await ends;
    server = await startMisbehavingS3();
  });
});

describe("a create whose answer is lost", () => {
  test("is found to be its own success, with the ETag of what lies there", async () => {
    server.decide = failFirst("put", { kind: "lose-answer" });
    const store = open(server);
    const written = await store.put("entry", bytes("observed"), absent);
    expect(written).toEqual({ etag: (await store.head("entry"))?.etag });
    expect(operationsSeen()).toEqual(["put", "put", "get", "head"]);
  });

  test("is the other's where the other was first", async () => {
    const store = open(server);
    await store.put("lease", bytes("the other"), any);
    server.decide = ({ operation, nth }) => (operation === "put" && nth === 2 ? { kind: "lose-answer" } : null);
    expect(await store.put("lease", bytes("mine"), absent)).toBeNull();
    expect(kept("lease")?.body.toString()).toBe("the other");
  });

  test("is not looked into when it was sent only once: then the key was taken", async () => {
    const store = open(server);
    await store.put("entry", bytes("observed"), absent);
    expect(await store.put("entry", bytes("observed"), absent)).toBeNull();
    expect(operationsSeen()).toEqual(["put", "put"]);
  });

  test("is found also when its first attempt takes effect only behind the second's conflict", async () => {
    server.decide = ({ operation, nth }) => {
      if (operation !== "put" || nth > 3) return null;
      if (nth === 1) return { kind: "delay" };
      if (nth === 2) return { kind: "error", status: 409, code: "ConditionalRequestConflict" };
      server.applyLate();
      return null;
    };
    expect(await open(server).put("entry", bytes("observed"), absent)).not.toBeNull();
    expect(operationsSeen()).toEqual(["put", "put", "put", "get"]);
  });
});

describe("a write that takes effect long after its writer gave up", () => {
  test("is an error for the writer, and then lies there", async () => {
    server.decide = failAlways("put", { kind: "delay" });
    await expect(open(server, { attemptsMax: 1 }).put("entry", bytes("late"), absent)).rejects.toThrow(StoreError);
    expect(kept("entry")).toBeUndefined();
    expect(server.applyLate()).toBe(1);
    expect(kept("entry")?.body.toString()).toBe("late");
  });

  test("does not replace what another created meanwhile", async () => {
    server.decide = failFirst("put", { kind: "delay" });
    await expect(open(server, { attemptsMax: 1 }).put("lease", bytes("dead"), absent)).rejects.toThrow(StoreError);
    await open(server).put("lease", bytes("alive"), absent);
    server.applyLate();
    expect(kept("lease")?.body.toString()).toBe("alive");
  });

  test("does replace a newer document: what the audit of the publisher is for", async () => {
    server.decide = failFirst("put", { kind: "delay" });
    await expect(open(server, { attemptsMax: 1 }).put("document", bytes("old"), any)).rejects.toThrow(StoreError);
    const newer = await open(server).put("document", bytes("newer"), any);
    server.applyLate();
    expect((await open(server).head("document"))?.etag).not.toBe(newer?.etag);
  });
});

describe("a conflict with somebody who writes the key right now", () => {
  const conflict: Fault = { kind: "error", status: 409, code: "ConditionalRequestConflict" };

  test("is tried again until one of the two has won", async () => {
    server.decide = failFirst("put", conflict, conflict);
    expect(await open(server).put("entry", bytes("mine"), absent)).not.toBeNull();
    expect(operationsSeen()).toEqual(["put", "put", "put"]);
  });

  test("is an error when it does not end", async () => {
    server.decide = failAlways("put", conflict);
    await expect(open(server).put("entry", bytes("mine"), absent)).rejects.toThrow("ConditionalRequestConflict");
    expect(server.requests).toHaveLength(5);
  });

  test("is not what another 409 is: that is told at once", async () => {
    server.decide = failAlways("put", { kind: "error", status: 409, code: "ObjectParentIsFile" });
    await expect(open(server).put("a/b", bytes("mine"), absent)).rejects.toThrow("ObjectParentIsFile");
    expect(server.requests).toHaveLength(1);
  });
});

describe("what is missing", () => {
  test.each(["put", "get", "head", "delete"] as const)("is an error of %s when it is the bucket", async (operation) => {
    const store = open(server, {}, "s3://no-such-bucket");
    const attempt = operation === "put" ? store.put("a", bytes(""), any) : store[operation]("a");
    await expect(attempt).rejects.toThrow("there is no such bucket");
  });

  test("is an error of list when it is the bucket", async () => {
    await expect(listed(open(server, {}, "s3://no-such-bucket"))).rejects.toThrow("there is no such bucket");
  });

  test("costs a look at the bucket only until anything was found there", async () => {
    const store = open(server);
    expect(await store.head("a")).toBeNull();
    expect(await store.head("a")).toBeNull();
    expect(operationsSeen()).toEqual(["head", "head-bucket", "head"]);
  });

  test("is told from a 404 of something that is no S3", async () => {
    server.decide = () => ({ kind: "html", status: 404 });
    await expect(open(server).get("a")).rejects.toThrow("HTTP 404");
    await expect(open(server).head("a")).rejects.toThrow(StoreError);
  });
});

describe("a server in trouble", () => {
  test.each<[string, Fault]>([
    ["SlowDown", { kind: "error", status: 503, code: "SlowDown" }],
    ["an internal error", { kind: "error", status: 500, code: "InternalError" }],
    ["a page of HTML", { kind: "html", status: 502 }],
    ["a broken connection", { kind: "drop" }],
  ])("that says %s once is asked again", async (_, fault) => {
    server.decide = failFirst("put", fault);
    await open(server).put("a", bytes("x"), any);
    expect(kept("a")?.body.toString()).toBe("x");
    expect(server.requests).toHaveLength(2);
  });

  test("that goes on saying so is given up, and named", async () => {
    server.decide = failAlways("get", { kind: "error", status: 503, code: "SlowDown" });
    const failure = await open(server, { attemptsMax: 2 }).get("a").catch(String);
    expect(failure).toBe("StoreError: get a in s3://bucket/some/prefix failed: SlowDown, HTTP 503, 2 attempts");
  });

  test.each<[Fault["kind"], S3Settings]>([
    ["hang", { requestTimeoutMilliseconds: 60, attemptsMax: 2 }],
    ["hang", { deadlineMilliseconds: 120 }],
    ["stall-body", { deadlineMilliseconds: 120 }],
  ])("that hangs (%s) is not waited for beyond %o", async (kind, settings) => {
    await open(server).put("a", bytes("0123456789"), any);
    server.decide = failAlways("get", { kind } as Fault);
    await expect(open(server, settings).get("a")).rejects.toThrow("time-out");
  });

  test.each([
    ["cut-body", "ECONNRESET"],
    ["flip-byte", "DamagedBody"],
  ] as const)("never passes off as whole a body with %s", async (kind, reason) => {
    await open(server).put("a", bytes("0123456789"), any);
    server.decide = failAlways("get", { kind });
    await expect(open(server).get("a")).rejects.toThrow(reason);
  });

  test("cannot fill the memory with one object", async () => {
    await open(server).put("a", bytes("0123456789"), any);
    await expect(open(server, { objectBytesMax: 9 }).get("a")).rejects.toThrow("10 bytes, more than 9");
  });

  test.each(["put", "get", "head"] as const)("that answers %s with a page of HTML is none", async (operation) => {
    server.decide = () => ({ kind: "html", status: 200 });
    const store = open(server);
    const attempt = operation === "put" ? store.put("a", bytes(""), any) : store[operation]("a");
    await expect(attempt).rejects.toThrow("is this an S3 server?");
  });
});

describe("a listing", () => {
  beforeEach(async () => {
    for (const key of ["a", "b", "c"]) await open(server).put(key, bytes(key), any);
  });

  test.each<[Fault, string]>([
    [{ kind: "truncate-list" }, "does not say where it goes on"],
    [{ kind: "repeat-token" }, "does not say where it goes on"],
    [{ kind: "reverse-list" }, "not in the order of bytes"],
    [{ kind: "html", status: 200 }, "no listing"],
  ])("that is wrong (%o) is an error and no shorter list", async (fault, reason) => {
    server.decide = failAlways("list", fault);
    await expect(listed(open(server))).rejects.toThrow(StoreError);
    await expect(listed(open(server))).rejects.toThrow(reason);
  });

  test("leaves out what is no key: the folders that other tools make", async () => {
    const objects = server.buckets.get("bucket");
    objects?.set("some/prefix/", kept("a")!);
    objects?.set("some/prefix/b/", kept("a")!);
    expect(await listed(open(server))).toEqual(["a", "b", "c"]);
  });
});

describe("a server that ignores conditions", () => {
  test("overwrites where it was told to create only, which the store cannot see", async () => {
    server.decide = () => ({ kind: "ignore-condition" });
    const store = open(server);
    await store.put("lease", bytes("one"), absent);
    expect(await store.put("lease", bytes("two"), absent)).not.toBeNull();
  });
});

test("a process loads the SDK with its first request to S3, and ends by itself soon after the last", async () => {
  const child = fork(join(import.meta.dirname, "s3-process.ts"), [server.endpoint], { execArgv: [], env: {} });
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

test("no error tells a secret, nor anything of the request that was signed", async () => {
  server.decide = () => ({ kind: "error", status: 403, code: "SignatureDoesNotMatch" });
  const failure: unknown = await open(server)
    .get("a")
    .catch((error: unknown) => error);
  expect(failure).toBeInstanceOf(StoreError);
  expect(String(failure)).toContain("SignatureDoesNotMatch, HTTP 403");
  const all = inspect(failure, { depth: 20, showHidden: true });
  for (const secret of [SECRET, "ACCESSKEY", "Signature=", "x-amz-date"]) expect(all).not.toContain(secret);
});
