import { rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { inspect } from "node:util";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { openS3Store } from "../../../generator/store/s3.ts";
import { startDeadline, toTransferMilliseconds } from "../../../generator/store/s3/answers.ts";
import type { S3Settings } from "../../../generator/store/s3/client.ts";
import { StoreError } from "../../../generator/store/store.ts";
import { makeDirectory } from "../directory.ts";
import { failAlways, failFirst, type Fault } from "./faults.ts";
import { PUT_AT } from "./protocol.ts";
import { ACCESS_KEY, any, bytes, listed, SECRET, useServer } from "./setup.ts";

const { used, kept, operationsSeen } = useServer();

const attempt = (operation: "put" | "get" | "head" | "delete" | "list", store = used.open()) => {
  if (operation === "put") return store.put("a", bytes(""), any);
  return operation === "list" ? listed(store) : store[operation]("a");
};

test("the store knows when an object was put", async () => {
  const store = used.open();
  await store.put("a", bytes("{}"), any);
  expect(await store.get("a")).toMatchObject({ modifiedAt: Date.parse(PUT_AT) });
});

describe("what is missing", () => {
  test.each(["put", "get", "head", "delete", "list"] as const)(
    "is an error of %s when it is the bucket",
    async (operation) => {
      await expect(attempt(operation, used.open({}, "s3://no-such-bucket"))).rejects.toThrow(
        "there is no such bucket",
      );
    },
  );

  test("costs a look at the bucket only until anything was found there", async () => {
    const store = used.open();
    expect([await store.head("a"), await store.head("a")]).toEqual([null, null]);
    expect(operationsSeen()).toEqual(["head", "head-bucket", "head"]);
  });

  test("differs from a 404 of something that is no S3", async () => {
    used.server.decide = () => ({ kind: "html", status: 404 });
    await expect(attempt("get")).rejects.toThrow("HTTP 404");
    await expect(attempt("head")).rejects.toThrow(StoreError);
  });
});

describe("a server in trouble", () => {
  test.each<[string, Fault]>([
    ["SlowDown", { kind: "error", status: 503, code: "SlowDown" }],
    ["an internal error", { kind: "error", status: 500, code: "InternalError" }],
    ["a page of HTML", { kind: "html", status: 502 }],
    ["a broken connection", { kind: "drop" }],
  ])("that says %s once is asked again", async (_, fault) => {
    used.server.decide = failFirst("put", fault);
    await used.open().put("a", bytes("x"), any);
    expect(kept("a")?.body.toString()).toBe("x");
    expect(used.server.requests).toHaveLength(2);
  });

  test("that goes on saying so is given up, and named", async () => {
    used.server.decide = failAlways("get", { kind: "error", status: 503, code: "SlowDown" });
    const failure = await attempt("get", used.open({ attemptsMax: 2 })).catch(String);
    expect(failure).toBe(
      "StoreError: get a in s3://bucket/some/prefix failed: SlowDown, HTTP 503, 2 attempts",
    );
  });

  test.each<S3Settings>([
    { requestTimeoutMilliseconds: 60, attemptsMax: 2 },
    { deadlineMilliseconds: 120 },
  ])("that hangs is not waited for beyond %o", async (settings) => {
    used.server.decide = () => ({ kind: "hang" });
    await expect(attempt("get", used.open(settings))).rejects.toThrow("time-out");
  });

  test.each(["put", "get", "head"] as const)(
    "that answers %s with a page of HTML is none",
    async (operation) => {
      used.server.decide = () => ({ kind: "html", status: 200 });
      await expect(attempt(operation)).rejects.toThrow("is this an S3 server?");
    },
  );
});

test("no error contains a secret, nor anything of the request that was signed", async () => {
  used.server.decide = () => ({ kind: "error", status: 403, code: "SignatureDoesNotMatch" });
  const failure: unknown = await attempt("get").catch((error: unknown) => error);
  expect(failure).toBeInstanceOf(StoreError);
  expect(String(failure)).toContain("SignatureDoesNotMatch, HTTP 403");
  const all = inspect(failure, { depth: 20, showHidden: true });
  for (const secret of [SECRET, ACCESS_KEY, "Signature=", "x-amz-date"])
    expect(all).not.toContain(secret);
});

describe("credentials in a file", () => {
  let file: string;
  let remove: () => Promise<void>;
  beforeEach(async () => {
    const made = await makeDirectory();
    remove = made.remove;
    file = join(made.directory, "credentials");
    vi.stubEnv("AWS_SHARED_CREDENTIALS_FILE", file);
    vi.stubEnv("AWS_CONFIG_FILE", join(made.directory, "config"));
    vi.stubEnv("AWS_EC2_METADATA_DISABLED", "true");
    for (const name of [
      "AWS_ACCESS_KEY_ID",
      "AWS_SECRET_ACCESS_KEY",
      "AWS_SESSION_TOKEN",
      "AWS_PROFILE",
    ])
      vi.stubEnv(name, undefined);
  });
  afterEach(async () => {
    vi.unstubAllEnvs();
    await remove();
  });

  const writeKey = (key: string) =>
    writeFile(file, `[default]\naws_access_key_id=${key}\naws_secret_access_key=any\n`);
  const openByFile = () =>
    openS3Store("s3://bucket/some/prefix", { endpoint: used.server.endpoint, region: "here" });

  test.each([
    { status: 400, code: "ExpiredToken" },
    { status: 403, code: "InvalidAccessKeyId" },
    { status: 401, code: "Unauthorized" },
  ])("that were replaced are found after a refusal: %o", async (refusal) => {
    await writeKey("OLDKEY");
    const store = openByFile();
    await attempt("put", store);
    used.server.decide = ({ headers }) =>
      headers["authorization"]?.includes("Credential=NEWKEY/")
        ? null
        : { kind: "error", ...refusal };
    await expect(attempt("put", store)).rejects.toThrow(refusal.code);
    await writeKey("NEWKEY");
    await attempt("put", store);
    expect(used.server.requests.at(-1)?.headers["authorization"]).toContain("NEWKEY");
  });

  test("that come only later are found by the store that missed them", async () => {
    await rm(file, { force: true });
    const store = openByFile();
    await expect(attempt("put", store)).rejects.toThrow("no credentials were found");
    expect(used.server.requests).toEqual([]);
    await writeKey("LATEKEY");
    await attempt("put", store);
    expect(used.server.requests[0]?.headers["authorization"]).toContain("LATEKEY");
  });
});

describe("a deadline", () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  test("is put off by what the bytes may take at 100 kB/s, all of them together", () => {
    expect([0, 1, 100, 1_000_000].map(toTransferMilliseconds)).toEqual([0, 1, 1, 10_000]);
    const deadline = startDeadline(1_000);
    vi.advanceTimersByTime(999);
    expect(deadline.signal.aborted).toBe(false);
    deadline.allow(50_000);
    deadline.allow(50_000);
    vi.advanceTimersByTime(1_000);
    expect(deadline.signal.aborted).toBe(false);
    vi.advanceTimersByTime(1);
    expect(deadline.signal.aborted).toBe(true);
  });

  test("that is called off never comes", () => {
    const deadline = startDeadline(1_000);
    deadline.allow(100_000);
    deadline.end();
    vi.advanceTimersByTime(60_000);
    expect(deadline.signal.aborted).toBe(false);
  });
});
