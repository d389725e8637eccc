import { expect, test } from "vitest";
import { countOperations } from "../../generator/store/counting.ts";
import { openMemoryStore } from "../../generator/store/memory.ts";
import { describeStore } from "./contract.ts";

describeStore("counted", () =>
  Promise.resolve({ store: countOperations(openMemoryStore()).store, dispose: () => Promise.resolve() }),
);

test("counts every request and the bytes put, also of a put that was refused", async () => {
  const { store, counts } = countOperations(openMemoryStore());
  const options = { expect: "absent", contentType: "text/plain" } as const;
  await store.put("a", new Uint8Array(10), options);
  await store.put("a", new Uint8Array(5), options);
  await store.get("a");
  await store.head("missing");
  await store.delete("a");
  for await (const head of store.list("")) expect(head.key).toBe("never");
  expect(counts).toEqual({ puts: 2, lists: 1, gets: 2, deletes: 1, bytes: 15 });
});

test("counts a listing by its pages of a thousand keys", async () => {
  const inner = openMemoryStore();
  for (let index = 0; index < 2_001; index += 1) {
    await inner.put(`k/${index}`, new Uint8Array(), { expect: "any", contentType: "text/plain" });
  }
  const { store, counts } = countOperations(inner);
  const keys: string[] = [];
  for await (const { key } of store.list("k/")) keys.push(key);
  expect(keys).toHaveLength(2_001);
  expect(counts.lists).toBe(3);
});
