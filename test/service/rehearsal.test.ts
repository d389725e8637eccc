import { describe, expect, it } from "vitest";
import { openRehearsal } from "../../generator/service/rule/rehearsal.ts";
import { openMemoryStore } from "../../generator/store/memory.ts";
import type { ObjectStore } from "../../generator/store/store.ts";
import { describeStore } from "../store/contract.ts";

describeStore("rehearsal's", () =>
  Promise.resolve({ store: openRehearsal(openMemoryStore()), dispose: () => Promise.resolve() }),
);

describe("a rehearsal over a store that holds something", () => {
  const put = (store: ObjectStore, key: string, text: string, expected: "any" | "absent" = "any") =>
    store.put(key, new TextEncoder().encode(text), { expect: expected, contentType: "text/plain" });
  const read = async (store: ObjectStore, key: string) => {
    const object = await store.get(key);
    return object === null ? null : new TextDecoder().decode(object.body);
  };
  const keysOf = async (store: ObjectStore, prefix = "", startAfter = "") =>
    (await Array.fromAsync(store.list(prefix, { startAfter }))).map(({ key }) => key);

  async function open() {
    const below = openMemoryStore();
    for (const key of ["a/2", "a/4", "a/6", "b/1"]) await put(below, key, "below");
    return { below, store: openRehearsal(below) };
  }

  it("shows what was put over it, and leaves it as it is", async () => {
    const { below, store } = await open();
    await put(store, "a/4", "above");
    await put(store, "a/5", "above");
    await store.delete("a/6");
    const shown = await Promise.all(["a/2", "a/4", "a/5", "a/6"].map((key) => read(store, key)));
    expect(shown).toEqual(["below", "above", "above", null]);
    expect(await store.head("a/6")).toBeNull();
    expect(await keysOf(below)).toEqual(["a/2", "a/4", "a/6", "b/1"]);
    expect(await read(below, "a/4")).toBe("below");
  });

  it("lists both in one order, each key once", async () => {
    const { store } = await open();
    for (const key of ["a/1", "a/4", "a/5", "a/7", "c/1"]) await put(store, key, "above");
    await store.delete("a/2");
    expect(await keysOf(store)).toEqual(["a/1", "a/4", "a/5", "a/6", "a/7", "b/1", "c/1"]);
    expect(await keysOf(store, "a/", "a/4")).toEqual(["a/5", "a/6", "a/7"]);
  });

  it("creates only what neither holds", async () => {
    const { store } = await open();
    expect(await put(store, "a/2", "above", "absent")).toBeNull();
    expect(await put(store, "a/3", "above", "absent")).not.toBeNull();
    expect(await put(store, "a/3", "again", "absent")).toBeNull();
    await store.delete("a/2");
    expect(await put(store, "a/2", "above", "absent")).not.toBeNull();
  });
});
