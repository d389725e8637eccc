import { beforeEach, describe, expect, test } from "vitest";
import { StoreError, type ObjectStore } from "../../generator/store/store.ts";

interface StoreUnderTest {
  store: ObjectStore;
  dispose: () => Promise<void>;
}

const bytes = (text: string) => new TextEncoder().encode(text);
const text = (body: Uint8Array | undefined) => new TextDecoder().decode(body);
const options = { expect: "any", contentType: "application/json" } as const;
const absent = { ...options, expect: "absent" } as const;

export function describeStore(kind: string, open: () => Promise<StoreUnderTest>): void {
  describe(`the ${kind} store`, () => {
    let current: StoreUnderTest;
    let store: ObjectStore;

    beforeEach(async () => {
      current = await open();
      store = current.store;
      return () => current.dispose();
    });

    const put = (key: string, body = key) => store.put(key, bytes(body), options);
    const keysOf = async (prefix: string, startAfter = "") =>
      (await Array.fromAsync(store.list(prefix, startAfter === "" ? {} : { startAfter }))).map(
        ({ key }) => key,
      );

    test.each([0, 70_000])("gives back what was put, byte for byte: %d bytes", async (size) => {
      const body = Uint8Array.from({ length: size }, (_, index) => (index * 7) % 256);
      await store.put("a/b.bin", body, options);
      expect(await store.head("a/b.bin")).toMatchObject({ key: "a/b.bin", size });
      const object = await store.get("a/b.bin");
      expect(object).toMatchObject({ key: "a/b.bin", size });
      expect(Buffer.compare(object!.body, body)).toBe(0);
    });

    test("says null for what is missing, and for what is only the beginning of keys", async () => {
      await put("a/b.json");
      for (const key of ["b.json", "a/b.json/c.json", "a"]) {
        expect(await store.get(key), key).toBeNull();
        expect(await store.head(key), key).toBeNull();
        await store.delete(key);
      }
      expect(await keysOf("b")).toEqual([]);
      expect(await keysOf("")).toEqual(["a/b.json"]);
    });

    test("does not share memory with what was put or got", async () => {
      const body = bytes("before");
      await store.put("a.json", body, options);
      body.fill(0);
      (await store.get("a.json"))!.body.fill(0);
      expect(text((await store.get("a.json"))?.body)).toBe("before");
    });

    test("gives one ETag from put, head, get and list until the object is replaced", async () => {
      const first = await put("a.json", "one");
      const seen = [
        await store.head("a.json"),
        await store.get("a.json"),
        ...(await Array.fromAsync(store.list("a"))),
      ];
      expect(seen.map((head) => head?.etag)).toEqual([first?.etag, first?.etag, first?.etag]);
      const second = await put("a.json", "two");
      expect(second?.etag).not.toBe(first?.etag);
      expect((await store.head("a.json"))?.etag).toBe(second?.etag);
      const again = await put("a.json", "two");
      expect((await store.get("a.json"))?.etag).toBe(again?.etag);
    });

    test("says of an object whose ETag is known that it is unchanged, until it is replaced", async () => {
      expect(await store.getIfChanged("a.json", null)).toBeNull();
      await put("a.json", "one");
      const first = await store.getIfChanged("a.json", null);
      expect(first).toEqual(await store.get("a.json"));
      const knownEtag = (await store.get("a.json"))!.etag;
      expect(await store.getIfChanged("a.json", knownEtag)).toBe("unchanged");
      await put("a.json", "two");
      const second = await store.getIfChanged("a.json", knownEtag);
      expect(second).toEqual(await store.get("a.json"));
      expect(second).toMatchObject({ key: "a.json", size: 3 });
      await store.delete("a.json");
      expect(await store.getIfChanged("a.json", knownEtag)).toBeNull();
    });

    test("puts what is expected absent once and then answers null", async () => {
      const first = await store.put("a.json", bytes("one"), absent);
      expect(first?.etag).toBe((await store.head("a.json"))?.etag);
      expect(await store.put("a.json", bytes("two"), absent)).toBeNull();
      expect(text((await store.get("a.json"))?.body)).toBe("one");
    });

    test("lets exactly one of many concurrent puts create an object", async () => {
      const results = await Promise.all(
        Array.from({ length: 40 }, (_, index) =>
          store.put("deep/er/lease.json", bytes(`holder ${index}`), absent),
        ),
      );
      const winners = results.flatMap((result, index) => (result === null ? [] : [index]));
      expect(winners).toHaveLength(1);
      expect(text((await store.get("deep/er/lease.json"))?.body)).toBe(`holder ${winners[0]}`);
    });

    test("shows a reader one whole object while others replace it", async () => {
      const bodies = ["a", "b", "c"].map((letter) => letter.repeat(50_000));
      await put("busy.json", bodies[0]);
      const writers = bodies.flatMap((body) =>
        Array.from({ length: 5 }, () => put("busy.json", body)),
      );
      const readers = Array.from({ length: 30 }, () => store.get("busy.json"));
      for (const object of await Promise.all(readers)) expect(bodies).toContain(text(object?.body));
      await Promise.all(writers);
    });

    test("can create again what was deleted, and deleting what is missing is no error", async () => {
      await put("a/b.json");
      for (const key of ["a/b.json", "a/b.json", "never/was.json"]) await store.delete(key);
      expect([await store.get("a/b.json"), await keysOf("")]).toEqual([null, []]);
      expect(await store.put("a/b.json", bytes("new"), absent)).not.toBeNull();
    });

    test("lists in the byte order of the keys, folders among files", async () => {
      const keys =
        "b/c.json b.json b-1.json b/c/d.json B.json a/z/y.json b0.json a.json b/c!.json".split(" ");
      for (const key of keys) await put(key);
      const sorted = keys.toSorted((one, other) =>
        Buffer.compare(Buffer.from(one), Buffer.from(other)),
      );
      expect(await keysOf("")).toEqual(sorted);
    });

    test("lists only what begins with the prefix, which need not end at a slash", async () => {
      for (const key of ["a/1.json", "a/12.json", "a/2.json", "ab/1.json", "a.json"])
        await put(key);
      expect(await keysOf("a/")).toEqual(["a/1.json", "a/12.json", "a/2.json"]);
      expect(await keysOf("a/1")).toEqual(["a/1.json", "a/12.json"]);
      expect(await keysOf("a")).toEqual([
        "a.json",
        "a/1.json",
        "a/12.json",
        "a/2.json",
        "ab/1.json",
      ]);
      expect(await keysOf("c/d/")).toEqual([]);
    });

    test("leaves out every key up to and with startAfter, whether or not it exists", async () => {
      const keys = ["a/1.json", "a/2/x.json", "a/2/y.json", "a/3.json", "b.json"];
      for (const key of keys) await put(key);
      for (const after of [
        "",
        ..."a a/1.json a/2 a/2/ a/2/x.json a/2/xx a/2/z a/20 a/3.json b c".split(" "),
      ]) {
        expect(await keysOf("a/", after), after).toEqual(
          keys.filter((key) => key.startsWith("a/") && key > after),
        );
        expect(await keysOf("", after), after).toEqual(keys.filter((key) => key > after));
      }
    });

    test("says size and ETag in a listing of more objects than one page", async () => {
      const keys = Array.from(
        { length: 1_050 },
        (_, index) => `many/${String(index).padStart(4, "0")}.json`,
      );
      for (let start = 0; start < keys.length; start += 50) {
        await Promise.all(
          keys.slice(start, start + 50).map((key, index) => put(key, "x".repeat(index))),
        );
      }
      const heads = await Array.fromAsync(store.list("many/"));
      expect(heads.map(({ key }) => key)).toEqual(keys);
      expect(heads[1_049]).toEqual(await store.head(keys[1_049]!));
      expect(heads[1_049]?.size).toBe(49);
    });

    test.each([
      ["", "empty part"],
      ["/a.json", "empty part"],
      ["a//b.json", "empty part"],
      ["a/", "empty part"],
      ["../a.json", '".."'],
      ["a/../b.json", '".."'],
      ["a/./b.json", '"."'],
      ["a\0.json", "ASCII"],
      ["a\n.json", "ASCII"],
      ["ä.json", "ASCII"],
      ["a\\b.json", "backslash"],
      ["a/.tmp-x", ".tmp-"],
      ["x".repeat(256), "255"],
      [`${"x/".repeat(600)}x`, "1024"],
    ])("refuses the key %j everywhere and names it", async (key, reason) => {
      const looks = [store.get(key), store.getIfChanged(key, '"known"'), store.head(key)];
      for (const result of await Promise.allSettled([put(key, "x"), ...looks, store.delete(key)])) {
        const failure: unknown = result.status === "rejected" ? result.reason : null;
        expect(failure).toBeInstanceOf(StoreError);
        expect(String(failure)).toContain(JSON.stringify(key));
        expect(String(failure)).toContain(reason);
      }
    });

    test.each(["../", "/", "a//", "a/../", "\0/"])(
      "refuses to list the prefix %j",
      async (prefix) => {
        await expect(keysOf(prefix)).rejects.toThrow(StoreError);
      },
    );
  });
}
