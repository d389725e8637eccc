import { describe, expect, test } from "vitest";
import { StoreError } from "../../../generator/store/store.ts";
import { failAlways, failFirst, type Fault } from "./faults.ts";
import { absent, any, bytes, useServer } from "./setup.ts";

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
    used.server.decide = ({ operation, nth }) => (operation === "put" && nth === 2 ? { kind: "lose-answer" } : null);
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
  test("is an error for the writer, and then lies there", async () => {
    used.server.decide = failAlways("put", { kind: "delay" });
    await expect(used.open({ attemptsMax: 1 }).put("entry", bytes("late"), absent)).rejects.toThrow(StoreError);
    expect(kept("entry")).toBeUndefined();
    expect(used.server.applyLate()).toBe(1);
    expect(kept("entry")?.body.toString()).toBe("late");
  });

  test("does not replace what another created meanwhile", async () => {
    used.server.decide = failFirst("put", { kind: "delay" });
    await expect(used.open({ attemptsMax: 1 }).put("lease", bytes("dead"), absent)).rejects.toThrow(StoreError);
    await used.open().put("lease", bytes("alive"), absent);
    used.server.applyLate();
    expect(kept("lease")?.body.toString()).toBe("alive");
  });

  test("does replace a newer document: what the audit of the publisher is for", async () => {
    used.server.decide = failFirst("put", { kind: "delay" });
    await expect(used.open({ attemptsMax: 1 }).put("document", bytes("old"), any)).rejects.toThrow(StoreError);
    const newer = await used.open().put("document", bytes("newer"), any);
    used.server.applyLate();
    expect((await used.open().head("document"))?.etag).not.toBe(newer?.etag);
  });
});

describe("a conflict with somebody who writes the key right now", () => {
  const conflict: Fault = { kind: "error", status: 409, code: "ConditionalRequestConflict" };

  test("is tried again until one of the two has won", async () => {
    used.server.decide = failFirst("put", conflict, conflict);
    expect(await used.open().put("entry", bytes("mine"), absent)).not.toBeNull();
    expect(operationsSeen()).toEqual(["put", "put", "put"]);
  });

  test("is an error when it does not end", async () => {
    used.server.decide = failAlways("put", conflict);
    await expect(used.open().put("entry", bytes("mine"), absent)).rejects.toThrow("ConditionalRequestConflict");
    expect(used.server.requests).toHaveLength(5);
  });

  test("is not what another 409 is: that is told at once", async () => {
    used.server.decide = failAlways("put", { kind: "error", status: 409, code: "ObjectParentIsFile" });
    await expect(used.open().put("a/b", bytes("mine"), absent)).rejects.toThrow("ObjectParentIsFile");
    expect(used.server.requests).toHaveLength(1);
  });
});

describe("a server that ignores conditions", () => {
  test("overwrites where it was told to create only, which the store cannot see", async () => {
    used.server.decide = () => ({ kind: "ignore-condition" });
    const store = used.open();
    await store.put("lease", bytes("one"), absent);
    expect(await store.put("lease", bytes("two"), absent)).not.toBeNull();
  });
});
