import { inspect } from "node:util";
import { describe, expect, test } from "vitest";
import type { S3Settings } from "../../../generator/store/s3/client.ts";
import { StoreError } from "../../../generator/store/store.ts";
import { failAlways, failFirst, type Fault } from "./faults.ts";
import { ACCESS_KEY, any, bytes, listed, SECRET, useServer } from "./setup.ts";

const { used, kept, operationsSeen } = useServer();

describe("what is missing", () => {
  test.each(["put", "get", "head", "delete"] as const)("is an error of %s when it is the bucket", async (operation) => {
    const store = used.open({}, "s3://no-such-bucket");
    const attempt = operation === "put" ? store.put("a", bytes(""), any) : store[operation]("a");
    await expect(attempt).rejects.toThrow("there is no such bucket");
  });

  test("is an error of list when it is the bucket", async () => {
    await expect(listed(used.open({}, "s3://no-such-bucket"))).rejects.toThrow("there is no such bucket");
  });

  test("costs a look at the bucket only until anything was found there", async () => {
    const store = used.open();
    expect(await store.head("a")).toBeNull();
    expect(await store.head("a")).toBeNull();
    expect(operationsSeen()).toEqual(["head", "head-bucket", "head"]);
  });

  test("is told from a 404 of something that is no S3", async () => {
    used.server.decide = () => ({ kind: "html", status: 404 });
    await expect(used.open().get("a")).rejects.toThrow("HTTP 404");
    await expect(used.open().head("a")).rejects.toThrow(StoreError);
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
    const failure = await used.open({ attemptsMax: 2 }).get("a").catch(String);
    expect(failure).toBe("StoreError: get a in s3://bucket/some/prefix failed: SlowDown, HTTP 503, 2 attempts");
  });

  test.each<[Fault["kind"], S3Settings]>([
    ["hang", { requestTimeoutMilliseconds: 60, attemptsMax: 2 }],
    ["hang", { deadlineMilliseconds: 120 }],
  ])("that hangs (%s) is not waited for beyond %o", async (kind, settings) => {
    await used.open().put("a", bytes("0123456789"), any);
    used.server.decide = failAlways("get", { kind } as Fault);
    await expect(used.open(settings).get("a")).rejects.toThrow("time-out");
  });

  test.each(["put", "get", "head"] as const)("that answers %s with a page of HTML is none", async (operation) => {
    used.server.decide = () => ({ kind: "html", status: 200 });
    const store = used.open();
    const attempt = operation === "put" ? store.put("a", bytes(""), any) : store[operation]("a");
    await expect(attempt).rejects.toThrow("is this an S3 server?");
  });
});

test("no error tells a secret, nor anything of the request that was signed", async () => {
  used.server.decide = () => ({ kind: "error", status: 403, code: "SignatureDoesNotMatch" });
  const failure: unknown = await used
    .open()
    .get("a")
    .catch((error: unknown) => error);
  expect(failure).toBeInstanceOf(StoreError);
  expect(String(failure)).toContain("SignatureDoesNotMatch, HTTP 403");
  const all = inspect(failure, { depth: 20, showHidden: true });
  for (const secret of [SECRET, ACCESS_KEY, "Signature=", "x-amz-date"]) expect(all).not.toContain(secret);
});
