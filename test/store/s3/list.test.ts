import { beforeEach, describe, expect, test } from "vitest";
import { StoreError } from "../../../generator/store/store.ts";
import { failAlways, failFirst, type Fault } from "./faults.ts";
import { any, bytes, listed, useServer } from "./setup.ts";

const { used, kept } = useServer();

describe("a listing", () => {
  beforeEach(async () => {
    for (const key of ["a", "b", "c"]) await used.open().put(key, bytes(key), any);
  });

  test.each<[Fault, string]>([
    [{ kind: "truncate-list" }, "does not say where it goes on"],
    [{ kind: "repeat-token" }, "does not say where it goes on"],
    [{ kind: "endless-list" }, "100 pages of it have no object of this store"],
    [{ kind: "reverse-list" }, "not in the order of bytes"],
    [{ kind: "html", status: 200 }, "no listing"],
  ])("that is wrong (%o) is an error and no shorter list", async (fault, reason) => {
    used.server.decide = failAlways("list", fault);
    await expect(listed(used.open())).rejects.toThrow(StoreError);
    await expect(listed(used.open())).rejects.toThrow(reason);
  });

  test("takes a page without anything, as long as it goes on somewhere", async () => {
    used.server.decide = failFirst("list", { kind: "endless-list" });
    expect(await listed(used.open())).toEqual(["a", "b", "c"]);
    expect(used.server.requests.filter(({ operation }) => operation === "list")).toHaveLength(2);
  });

  test("that stalls half-way is not waited for beyond the deadline", async () => {
    used.server.decide = failAlways("list", { kind: "stall-body" });
    await expect(listed(used.open({ deadlineMilliseconds: 200 }))).rejects.toThrow("time-out");
  });

  test("leaves out what is no key: the folders that other tools make", async () => {
    const objects = used.server.buckets.get("bucket");
    objects?.set("some/prefix/", kept("a")!);
    objects?.set("some/prefix/b/", kept("a")!);
    expect(await listed(used.open())).toEqual(["a", "b", "c"]);
  });
});
