import { fork } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { setImmediate as nextTurn } from "node:timers/promises";
import { describe, expect, test, vi } from "vitest";
import { CONCURRENT_REQUESTS } from "../../../generator/store/s3/client.ts";
import { openS3Store } from "../../../generator/store/s3.ts";
import { StoreError } from "../../../generator/store/store.ts";
import { describeStore } from "../../store/contract.ts";
import { failAlways, failFirst, type Fault } from "../../store/s3/faults.ts";
import { startMisbehavingS3, type MisbehavingS3 } from "../../store/s3/misbehaving.ts";
import { absent, any, bytes, open, SECRET, useServer } from "../../store/s3/setup.ts";

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

const { used, kept, operationsSeen } = useServer();

describe("a create whose answer is lost", () => {
  test("is found to be its own success, with the ETag of what lies there", async () => {
    used.server.decide = failFirst("put", { kind: "lose-answer" });
    const store = used.open();
    const written = await store.put("entry", bytes("observed"), absent);
    expect(written).toEqual({ etag: (await store.head("entry"))?.etag });
    expect(operationsSeen()).toEqual(["put", "put", "get", "head"]);
  });

  test("is the other's where the other was first", async () => {
    const store = used.open();
    await store.put("lease", bytes("the other"), any);
    used.server.decide = ({ operation, nth }) =>
      operation === "put" && nth === 2 ? { kind: "lose-answer" } : null;
    expect(await store.put("lease", bytes("mine"), absent)).toBeNull();
    expect(kept("lease")?.body.toString()).toBe("the other");
  });

  test("is not looked into when it was sent only once: then the key was taken", async () => {
    const store = used.open();
    await store.put("entry", bytes("observed"), absent);
    expect(await store.put("entry", bytes("observed"), absent)).toBeNull();
    expect(operationsSeen()).toEqual(["put", "put"]);
  });

  test("is found also when its first attempt takes effect only behind the second's conflict", async () => {
    used.server.decide = ({ operation, nth }) => {
      if (operation !== "put" || nth > 3) return null;
      if (nth === 1) return { kind: "delay" };
      if (nth === 2) return { kind: "error", status: 409, code: "ConditionalRequestConflict" };
      used.server.applyLate();
      return null;
    };
    expect(await used.open().put("entry", bytes("observed"), absent)).not.toBeNull();
    expect(operationsSeen()).toEqual(["put", "put", "put", "get"]);
  });
});

describe("a write that takes effect long after its writer gave up", () => {
  test.each([
    ["lies there then", absent, null, "dead"],
    ["does not replace what another created meanwhile", absent, absent, "alive"],
    ["does replace a newer document: what the audit of the publisher is for", any, any, "dead"],
  ])("%s", async (_, how, other, expected) => {
    used.server.decide = failFirst("put", { kind: "delay" });
    await expect(used.open({ attemptsMax: 1 }).put("a", bytes("dead"), how)).rejects.toThrow(
      StoreError,
    );
    if (other !== null) await used.open().put("a", bytes("alive"), other);
    expect(kept("a")?.body.toString()).toBe(other === null ? undefined : "alive");
    expect(used.server.applyLate()).toBe(1);
    expect(kept("a")?.body.toString()).toBe(expected);
  });
});

describe("a conflict with somebody who writes the key right now", () => {
  const conflict: Fault = { kind: "error", status: 409, code: "ConditionalRequestConflict" };

  test("is tried again until one of the two has won, and is an error when it does not end", async () => {
    used.server.decide = failFirst("put", conflict, conflict);
    expect(await used.open().put("entry", bytes("mine"), absent)).not.toBeNull();
    expect(operationsSeen()).toEqual(["put", "put", "put"]);
    used.server.decide = failAlways("put", conflict);
    await expect(used.open().put("other", bytes("mine"), absent)).rejects.toThrow(
      "ConditionalRequestConflict",
    );
    expect(operationsSeen()).toHaveLength(3 + 5);
  });

  test("is not what another 409 is: that is told at once", async () => {
    used.server.decide = failAlways("put", {
      kind: "error",
      status: 409,
      code: "ObjectParentIsFile",
    });
    await expect(used.open().put("a/b", bytes("mine"), absent)).rejects.toThrow(
      "ObjectParentIsFile",
    );
    expect(used.server.requests).toHaveLength(1);
  });
});

test("a server that ignores conditions overwrites what it was told to create only, which the store cannot see", async () => {
  used.server.decide = () => ({ kind: "ignore-condition" });
  await used.open().put("lease", bytes("one"), absent);
  expect(await used.open().put("lease", bytes("two"), absent)).not.toBeNull();
});

describe("what an S3 store sends", () => {
  test("is nothing before it is asked something, and then the bytes with length, type and cache class, below the prefix", async () => {
    const store = used.open();
    expect(used.server.requests).toEqual([]);
    await store.put("a b+c.json", bytes("{}"), any);
    expect(used.server.requests).toMatchObject([
      {
        bucket: "bucket",
        key: "some/prefix/a b+c.json",
        createOnly: false,
        headers: {
          "content-length": "2",
          "content-type": "application/json",
          "cache-control": "max-age=60",
        },
      },
    ]);
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
    const [withChecksum, without, read] = used.server.requests.map(({ headers }) =>
      Object.keys(headers).join(" "),
    );
    expect(withChecksum).toContain("x-amz-checksum-crc32");
    expect(without).not.toContain("checksum");
    expect(read).not.toContain("checksum");
  });

  test("goes where the SDK's own variables say, with the bucket in the path", async () => {
    // With a numeric address the SDK would always use the path.
    vi.stubEnv("AWS_ENDPOINT_URL_S3", used.server.endpoint.replace("127.0.0.1", "localhost"));
    vi.stubEnv("AWS_ACCESS_KEY_ID", "FROMTHEENVIRONMENT");
    vi.stubEnv("AWS_SECRET_ACCESS_KEY", SECRET);
    vi.stubEnv("AWS_REGION", "");
    await openS3Store("s3://bucket").put("a", bytes("{}"), any);
    vi.unstubAllEnvs();
    expect(used.server.requests[0]).toMatchObject({ bucket: "bucket", key: "a" });
    expect(used.server.requests[0]?.headers["authorization"]).toMatch(
      /FROMTHEENVIRONMENT\/\d{8}\/us-east-1\/s3/,
    );
  });

  test("is never more at a time than it has sockets for, however much is asked of it", async () => {
    used.server.decide = () => ({ kind: "hang" });
    const store = used.open({
      requestTimeoutMilliseconds: 60_000,
      deadlineMilliseconds: 60_000,
      attemptsMax: 1,
    });
    const ends = Promise.allSettled(
      Array.from({ length: 200 }, (_, index) => store.put(`${index}`, bytes("x"), any)),
    );
    const countSent = () => used.server.requests.length;
    await vi.waitFor(() => expect(countSent()).toBe(CONCURRENT_REQUESTS), { timeout: 60_000 });
    // Turns in which further requests would arrive.
    for (let turn = 0; turn < 100; turn += 1) await nextTurn();
    expect(countSent()).toBe(CONCURRENT_REQUESTS);
    await used.server.stop();
    await ends;
    used.server = await startMisbehavingS3();
  });
});

test("a process loads the SDK with its first request to S3, and ends by itself soon after the last", async () => {
  const child = fork(join(import.meta.dirname, "process.ts"), [used.server.endpoint], {
    execArgv: [],
    env: {},
  });
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
