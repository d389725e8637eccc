import { join, relative } from "node:path";
import { describe, expect, test } from "vitest";
import { countOperations, type StoreOperation } from "../../generator/store/counting.ts";
import { openMemoryStore } from "../../generator/store/memory.ts";
import { openStore } from "../../generator/store/open.ts";
import { describeStore } from "./contract.ts";
import { makeDirectory } from "./directory.ts";

const options = { expect: "any", contentType: "application/json" } as const;
const dispose = () => Promise.resolve();

describeStore("memory", () => Promise.resolve({ store: openMemoryStore(), dispose }));
describeStore("counted", () =>
  Promise.resolve({ store: countOperations(openMemoryStore()).store, dispose }),
);

test("counts every request and the bytes put, also of a put that was refused, and a listing by its pages", async () => {
  const { store, counts } = countOperations(openMemoryStore());
  for (const size of [10, 5])
    await store.put("a", new Uint8Array(size), { ...options, expect: "absent" });
  await store.get("a");
  await store.head("missing");
  await store.delete("a");
  expect(await Array.fromAsync(store.list(""))).toEqual([]);
  expect(counts).toEqual({ puts: 2, lists: 1, gets: 2, deletes: 1, bytes: 15 });
  for (let index = 0; index < 2_001; index += 1)
    await store.put(`k/${index}`, new Uint8Array(), options);
  expect(await Array.fromAsync(store.list("k/"))).toHaveLength(2_001);
  expect(counts.lists).toBe(1 + 3);
});

test("reports each operation with its outcome, as it ends", async () => {
  const fail = () => Promise.reject(new Error("gone"));
  const list = () => ({ [Symbol.asyncIterator]: () => ({ next: fail }) });
  const reported: string[] = [];
  const onOperation = ({ operation, outcome, key, bytes }: StoreOperation) =>
    void reported.push(`${operation} ${outcome} ${key} ${bytes}`);
  const { store } = countOperations(openMemoryStore(), onOperation);
  for (let times = 0; times < 2; times += 1)
    await store.put("a", new Uint8Array(7), { ...options, expect: "absent" });
  await Array.fromAsync(store.list("a"));
  const failing = countOperations({ ...openMemoryStore(), head: fail, list }, onOperation).store;
  await expect(failing.head("b")).rejects.toThrow("gone");
  await expect(Array.fromAsync(failing.list("b"))).rejects.toThrow("gone");
  expect(reported).toEqual([
    "put done a 7",
    "put conflict a 7",
    "list done a 0",
    "head failed b 0",
    "list failed b 0",
  ]);
});

describe("a setting", () => {
  test("names a directory, absolute or relative to the working directory", async () => {
    const { directory, remove } = await makeDirectory();
    await openStore(`file:${join(directory, "x")}`).put("a.json", new Uint8Array(3), options);
    expect(await openStore(`file:${directory}`).head("x/a.json")).toMatchObject({ size: 3 });
    const relativePath = relative(process.cwd(), join(directory, ".data/public"));
    await openStore(`file:${relativePath}`).put("a.json", new Uint8Array(2), options);
    expect(await openStore(`file:${directory}`).head(".data/public/a.json")).toMatchObject({
      size: 2,
    });
    await remove();
  });

  test("names a bucket or what is below a prefix in it, which is not asked for yet; or an empty store in memory", async () => {
    expect(openStore("s3://bucket").name).toBe("s3://bucket");
    expect(openStore("s3://bucket/some/prefix/").name).toBe("s3://bucket/some/prefix");
    await openStore("memory:").put("a.json", new Uint8Array(1), options);
    expect(await openStore("memory:").get("a.json")).toBeNull();
  });

  test.each([
    ["s3://secret@bucket", "of s3://BUCKET/PREFIX must"],
    ["ftp://user:secret@example.org/", "of the kind ftp: is not supported. Supported: file:DIR"],
    [".data/public", "without a scheme is not supported. Supported: file:DIR"],
    ["", "without a scheme"],
    ["file:", "needs a directory: file:DIR"],
  ])("%j is refused, and the message says why and repeats no secret", (url, message) => {
    expect(() => openStore(url)).toThrow(message);
    expect(() => openStore(url)).not.toThrow("secret");
  });
});
