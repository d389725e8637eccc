import { beforeEach, describe, expect, test } from "vitest";
import { DamagedObjectError } from "../../../generator/store/store.ts";
import { failAlways, failFirst, type Fault } from "./faults.ts";
import { absent, any, bytes, useServer } from "./setup.ts";

const { used, kept, operationsSeen } = useServer();
const BODY = "0123456789";
beforeEach(() => used.open().put("a", bytes(BODY), any));

const readText = async (settings = {}) => Buffer.from((await used.open(settings).get("a"))?.body ?? "").toString();
const readsSeen = () => operationsSeen().filter((operation) => operation === "get").length;

/** Only what stalls is ended by its time: for all else that of the defaults, which no busy machine needs. */
const patienceWith = (kind: Fault["kind"]) => (kind === "stall-body" ? { requestTimeoutMilliseconds: 1_500 } : {});

const SPOILT: [Fault["kind"], string][] = [
  ["cut-body", "ECONNRESET"],
  ["stall-body", "stalled"],
  ["flip-byte", "DamagedBody"],
];

describe("a body that comes spoilt", () => {
  test.each(SPOILT)("(%s) is asked for again, twice if need be", async (kind) => {
    const fault = { kind } as Fault;
    used.server.decide = failFirst("get", fault, fault);
    expect(await readText(patienceWith(kind))).toBe(BODY);
    expect(readsSeen()).toBe(3);
  });

  test.each(SPOILT)("(%s) each time is an error, and never passed off as whole", async (kind, reason) => {
    used.server.decide = failAlways("get", { kind } as Fault);
    await expect(readText(patienceWith(kind))).rejects.toThrow(reason);
    expect(readsSeen()).toBe(3);
  });

  test("and stays so is told apart from what may pass", async () => {
    used.server.decide = failAlways("get", { kind: "flip-byte" });
    await expect(readText()).rejects.toBeInstanceOf(DamagedObjectError);
    used.server.decide = failAlways("get", { kind: "cut-body" });
    await expect(readText()).rejects.not.toBeInstanceOf(DamagedObjectError);
  });

  test("is not asked for again when the deadline is over", async () => {
    used.server.decide = failAlways("get", { kind: "stall-body" });
    await expect(readText({ deadlineMilliseconds: 1_500 })).rejects.toThrow("time-out");
    expect(readsSeen()).toBe(1);
  });

  test("does not hide that a create met its own success", async () => {
    used.server.decide = ({ operation, nth }) => {
      if (operation === "put" && nth === 2) return { kind: "lose-answer" };
      return operation === "get" && nth === 1 ? { kind: "cut-body" } : null;
    };
    expect(await used.open().put("entry", bytes("observed"), absent)).not.toBeNull();
    expect(kept("entry")?.body.toString()).toBe("observed");
  });
});

describe("an object whose ETag is known", () => {
  const ask = async () => {
    const store = used.open();
    return store.getIfChanged("a", (await store.get("a"))!.etag);
  };

  test("is asked for on condition that it is another by now, and its body does not come", async () => {
    const { etag } = (await used.open().get("a"))!;
    expect(await used.open().getIfChanged("a", etag)).toBe("unchanged");
    expect(used.server.requests.map(({ headers }) => headers["if-none-match"])).toEqual([undefined, undefined, etag]);
  });

  test("is unchanged also where the server knows no conditions", async () => {
    used.server.decide = () => ({ kind: "ignore-condition" });
    expect(await ask()).toBe("unchanged");
  });

  test("is not unchanged where the server cannot say", async () => {
    used.server.decide = ({ operation, nth }) =>
      operation === "get" && nth > 1 ? { kind: "error", status: 403, code: "AccessDenied" } : null;
    await expect(ask()).rejects.toThrow("AccessDenied, HTTP 403");
  });

  test("comes whole when it is another, though its body breaks off at first", async () => {
    const store = used.open();
    const { etag } = (await store.get("a"))!;
    await store.put("a", bytes("another"), any);
    used.server.decide = ({ operation, nth }) => (operation === "get" && nth === 2 ? { kind: "cut-body" } : null);
    expect(await store.getIfChanged("a", etag)).toMatchObject({ size: 7 });
    expect(readsSeen()).toBe(3);
  });
});

test("an answer of 304 to a question without condition is no object and no missing one", async () => {
  used.server.decide = () => ({ kind: "error", status: 304, code: "NotModified" });
  await expect(used.open().get("a")).rejects.toThrow("HTTP 304");
  await expect(used.open().getIfChanged("a", null)).rejects.toThrow("HTTP 304");
});

test("an object that vanishes before it is asked for again is missing", async () => {
  used.server.decide = ({ operation, nth }) => {
    if (operation !== "get") return null;
    if (nth === 1) return { kind: "cut-body" };
    used.server.buckets.get("bucket")?.clear();
    return null;
  };
  expect(await used.open().get("a")).toBeNull();
});

test("one object cannot fill the memory, and is not asked for again", async () => {
  await expect(readText({ objectBytesMax: 9 })).rejects.toThrow("10 bytes, more than 9");
  expect(readsSeen()).toBe(1);
});
