import { beforeEach, describe, expect, test } from "vitest";
import { DamagedObjectError, StoreError } from "../../../generator/store/store.ts";
import { failAlways, failFirst, type Fault } from "../../store/s3/faults.ts";
import { absent, any, bytes, listed, useServer } from "../../store/s3/setup.ts";

const { used, kept, operationsSeen } = useServer();
const BODY = "0123456789";
beforeEach(() => used.open().put("a", bytes(BODY), any));

const readText = async (settings = {}) =>
  Buffer.from((await used.open(settings).get("a"))?.body ?? "").toString();
const countSeen = (asked: string) =>
  operationsSeen().filter((operation) => operation === asked).length;

/** Short only for stalls; all else gets the default, which a busy machine does not exceed. */
const patienceWith = (kind: Fault["kind"]) =>
  kind === "stall-body" ? { requestTimeoutMilliseconds: 1_500 } : {};

describe("a body that comes spoilt", () => {
  test.each<[Fault["kind"], string, boolean]>([
    ["cut-body", "ECONNRESET", false],
    ["stall-body", "stalled", false],
    ["flip-byte", "DamagedBody", true],
  ])(
    "(%s) is asked for again twice, and then an error, never passed off as whole",
    async (kind, reason, isDamaged) => {
      const fault = { kind } as Fault;
      used.server.decide = failFirst("get", fault, fault);
      expect(await readText(patienceWith(kind))).toBe(BODY);
      expect(countSeen("get")).toBe(3);
      used.server.decide = failAlways("get", fault);
      const failure: unknown = await readText(patienceWith(kind)).catch((error: unknown) => error);
      expect(String(failure)).toContain(reason);
      expect(failure instanceof DamagedObjectError).toBe(isDamaged);
      expect(countSeen("get")).toBe(6);
    },
  );

  test("is not asked for again when the deadline is over", async () => {
    used.server.decide = failAlways("get", { kind: "stall-body" });
    await expect(readText({ deadlineMilliseconds: 1_500 })).rejects.toThrow("time-out");
    expect(countSeen("get")).toBe(1);
  });

  test("does not hide that a create met its own success", async () => {
    used.server.decide = ({ operation, nth }) => {
      if (operation === "put" && nth === 2) return { kind: "lose-answer" };
      return operation === "get" && nth === 1 ? { kind: "cut-body" } : null;
    };
    expect(await used.open().put("entry", bytes("observed"), absent)).not.toBeNull();
    expect(kept("entry")?.body.toString()).toBe("observed");
  });

  test("and vanishes before it is asked for again is missing", async () => {
    used.server.decide = ({ operation, nth }) => {
      if (operation === "get" && nth === 1) return { kind: "cut-body" };
      used.server.buckets.get("bucket")?.clear();
      return null;
    };
    expect(await used.open().get("a")).toBeNull();
  });
});

test("one object cannot fill the memory, and is not asked for again", async () => {
  await expect(readText({ objectBytesMax: 9 })).rejects.toThrow("10 bytes, more than 9");
  expect(countSeen("get")).toBe(1);
});

describe("an object whose ETag is known", () => {
  const ask = async () => {
    const store = used.open();
    return store.getIfChanged("a", (await store.get("a"))!.etag);
  };

  test("is asked for on condition that it is another by now, and its body does not come", async () => {
    expect(await ask()).toBe("unchanged");
    const { etag } = (await used.open().get("a"))!;
    const conditions = used.server.requests.map(({ headers }) => headers["if-none-match"]);
    expect(conditions).toEqual([undefined, undefined, etag, undefined]);
  });

  test("is unchanged also where the server knows no conditions, but not where it cannot say", async () => {
    used.server.decide = () => ({ kind: "ignore-condition" });
    expect(await ask()).toBe("unchanged");
    used.server.decide = ({ headers }) =>
      headers["if-none-match"] === undefined
        ? null
        : { kind: "error", status: 403, code: "AccessDenied" };
    await expect(ask()).rejects.toThrow("AccessDenied, HTTP 403");
  });

  test("comes whole when it is another, though its body breaks off at first", async () => {
    const store = used.open();
    const { etag } = (await store.get("a"))!;
    await store.put("a", bytes("another"), any);
    used.server.decide = ({ operation, nth }) =>
      operation === "get" && nth === 2 ? { kind: "cut-body" } : null;
    expect(await store.getIfChanged("a", etag)).toMatchObject({ size: 7 });
    expect(countSeen("get")).toBe(3);
  });

  test("is no object and no missing one where 304 answers a question without condition", async () => {
    used.server.decide = () => ({ kind: "error", status: 304, code: "NotModified" });
    await expect(used.open().get("a")).rejects.toThrow("HTTP 304");
    await expect(used.open().getIfChanged("a", null)).rejects.toThrow("HTTP 304");
  });
});

describe("a listing", () => {
  beforeEach(async () => {
    for (const key of ["b", "c"]) await used.open().put(key, bytes(key), any);
  });

  test.each<[Fault, string]>([
    [{ kind: "truncate-list" }, "does not say where it goes on"],
    [{ kind: "repeat-token" }, "does not say where it goes on"],
    [{ kind: "endless-list" }, "100 pages of it have no object of this store"],
    [{ kind: "reverse-list" }, "not in the order of bytes"],
    [{ kind: "html", status: 200 }, "no listing"],
  ])("that is wrong (%o) is an error and no shorter list", async (fault, reason) => {
    used.server.decide = failAlways("list", fault);
    const failure: unknown = await listed(used.open()).catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(StoreError);
    expect(String(failure)).toContain(reason);
  });

  test("takes a page without anything, as long as it goes on somewhere", async () => {
    used.server.decide = failFirst("list", { kind: "endless-list" });
    expect(await listed(used.open())).toEqual(["a", "b", "c"]);
    expect(countSeen("list")).toBe(2);
  });

  test("that stalls half-way is not waited for beyond the deadline", async () => {
    used.server.decide = failAlways("list", { kind: "stall-body" });
    await expect(listed(used.open({ deadlineMilliseconds: 200 }))).rejects.toThrow("time-out");
  });

  test("leaves out what is no key: the folders that other tools make", async () => {
    const objects = used.server.buckets.get("bucket");
    for (const key of ["some/prefix/", "some/prefix/b/"]) objects?.set(key, kept("a")!);
    expect(await listed(used.open())).toEqual(["a", "b", "c"]);
  });
});

describe("an answer without end", () => {
  // Only the size limit ends it, no time-out.
  const patient = {
    deadlineMilliseconds: 250_000,
    requestTimeoutMilliseconds: 250_000,
    attemptsMax: 1,
  };

  test.each([
    ["list", 200, 2_097_152],
    ["list", 500, 65_536],
    ["list", 403, 65_536],
    ["get", 404, 65_536],
    ["get", 503, 65_536],
    ["put", 200, 65_536],
    ["put", 403, 65_536],
    ["delete", 500, 65_536],
  ] as const)(
    "to %s, with status %d, is read for no more than %d bytes",
    async (operation, status, bytesMax) => {
      used.server.decide = () => ({ kind: "endless-body", status });
      const store = used.open(patient);
      const work = {
        list: () => listed(store, "a"),
        get: () => store.get("a"),
        put: () => store.put("a", bytes("1"), any),
        delete: () => store.delete("a"),
      };
      await expect(work[operation]()).rejects.toThrow(
        `${operation} a in s3://bucket/some/prefix failed: the answer, HTTP ${status}, is longer than ${bytesMax} bytes`,
      );
    },
  );

  test("is no object, as it does not say its length", async () => {
    used.server.decide = () => ({ kind: "endless-body", status: 200 });
    await expect(used.open(patient).get("a")).rejects.toThrow("does not say its length");
  });
});
